#!/usr/bin/env node
import { runCommand } from './commands/run-command.ts';
import { processIo } from './output/io.ts';

/** Looked at first: inside a dependency, a Node that is too old would fail with something nobody understands. */
function tooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 19);
}

if (tooOld()) {
  process.stderr.write(`railyard needs Node 22.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else process.exitCode = await runCommand(process.argv.slice(2), processIo());
