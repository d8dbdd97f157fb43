import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { main, Refusal, say } from './print.mjs';
import { childEnv, pnpm, root, signalCode } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

const entry = join(root, 'demo/src/main.ts');

await main(async () => {
  if (!existsSync(entry))
    throw new Refusal('There is no demo/src/main.ts to start.', 'Check out the whole repository.');
  const toolchain = await ensureToolchain();
  await install(toolchain);
  say('building');
  const built = await pnpm(toolchain, ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']);
  if (built !== 0) throw new Refusal('The build failed (see above).', 'Fix it, then run `npm start` again.');
  say('starting shop, checkout and simulator; Ctrl-C stops them');
  return serve(toolchain);
});

/** Hands signals on and waits: the services close their files before this process ends. */
function serve(toolchain) {
  return new Promise((resolve, reject) => {
    const child = spawn(toolchain.node, [entry], { cwd: root, stdio: 'inherit', env: childEnv(toolchain) });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signalCode(signal)));
  });
}
