import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const toolsDir = join(root, '.tools');

/** No tool calls home, and pnpm does not install behind our back: `install.mjs` decides when. */
const QUIET = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', pnpm_config_verify_deps_before_run: 'false' };

/** The environment of every child: the chosen Node first, then pnpm, then what was there. */
export function childEnv(toolchain, extra = {}) {
  const bins = [dirname(toolchain.node), toolchain.pnpmBin, process.env.PATH ?? ''];
  return { ...process.env, ...QUIET, ...extra, PATH: bins.join(delimiter) };
}

/** Runs a program to its end and resolves with its exit code. A program that cannot be started rejects. */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signalCode(signal)));
  });
}

/** Runs a program quietly and resolves with its exit code and everything it said. */
export function capture(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signalCode(signal), output }));
  });
}

/** pnpm is started by its file, with the chosen Node, so that no shell and no shim decides which Node runs it. */
export function pnpm(toolchain, args, options = {}) {
  return run(toolchain.node, [toolchain.pnpm, ...args], { env: childEnv(toolchain), ...options });
}

/** The code a shell would report for a child that a signal ended. */
export function signalCode(signal) {
  return { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 }[signal] ?? 1;
}
