#!/usr/bin/env node
import { runCommand } from './commands/index.ts';

/** Checked first: a Node that is too old would otherwise fail inside a dependency, with an obscure error. */
function tooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 19);
}

if (tooOld()) {
  process.stderr.write(`The checkout needs Node 22.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else process.exitCode = await runCommand(process.argv.slice(2));
