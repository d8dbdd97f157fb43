import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { main, Refusal, say } from './print.mjs';
import { capture, childEnv, root, signalCode } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

const entry = join(root, 'demo/src/main.ts');

await main(async () => {
  if (!existsSync(entry))
    throw new Refusal('There is no demo/src/main.ts to start.', 'Check out the whole repository.');
  const toolchain = await ensureToolchain();
  await install(toolchain);
  say('building');
  const build = [toolchain.pnpm, 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only'];
  const { code, output } = await capture(toolchain.node, build, { env: childEnv(toolchain) });
  if (code !== 0) throw new Refusal(`The build failed:\n${output}`, 'Fix it, then run `npm start` again.');
  say('starting shop, checkout and simulator; Ctrl-C stops them');
  return serve(toolchain);
});

/**
 * Hands the first signal on and waits: the services close their files before this process ends. One Ctrl-C reaches
 * this process twice, from the terminal and from npm; in a group of its own the child sees it once.
 */
function serve(toolchain) {
  return new Promise((resolve, reject) => {
    const detached = process.platform !== 'win32';
    const child = spawn(toolchain.node, [entry], { cwd: root, stdio: 'inherit', detached, env: childEnv(toolchain) });
    let stopping = false;
    const stop = (signal) => {
      if (!stopping) child.kill(signal);
      stopping = true;
    };
    process.on('SIGINT', () => stop('SIGINT'));
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGHUP', () => stop('SIGTERM'));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signalCode(signal)));
  });
}
