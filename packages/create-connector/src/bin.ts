#!/usr/bin/env node
import { createConnector } from './command.ts';

process.exitCode = await createConnector(process.argv.slice(2), {
  isTerminal: process.stdin.isTTY && process.stdout.isTTY,
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
});
