import { join } from 'node:path';
import { install } from './install.mjs';
import { main } from './print.mjs';
import { childEnv, root, run } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

// Shows which files a payment enters, and how often it goes from one to another. `--write` writes docs/how-a-payment-runs.md.
await main(async (args) => {
  const toolchain = await ensureToolchain();
  await install(toolchain);
  const hooks = ['--conditions=@railyard/source', '--import', join(root, 'bench/src/trace/record.ts')];
  return run(toolchain.node, [...hooks, join(root, 'bench/src/trace/main.ts'), ...args], { env: childEnv(toolchain) });
});
