// Run by itself: takes the lock that it is given, says so, and holds it until it is killed.
import { writeSync } from 'node:fs';
import { takeProcessLock } from '../../src/storage/database/embedded.ts';

const lock = takeProcessLock(process.argv[2] ?? '');
writeSync(1, 'held\n');
// The lock goes with its last reference.
setInterval(() => lock, 60_000);
