#!/usr/bin/env node
import { runCommand } from './commands/run-command.ts';
import { processIo } from './output/io.ts';

/** Checked first: on a Node that is too old, a dependency would fail with an obscure error. */
function tooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 19);
}

/** The reader of a pipe may have enough of it, as `head` has. The command ends then. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

if (tooOld()) {
  process.stderr.write(`railyard needs Node 22.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else process.exitCode = await runCommand(process.argv.slice(2), processIo());
