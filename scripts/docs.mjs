import { join } from 'node:path';
import { install } from './install.mjs';
import { main } from './print.mjs';
import { childEnv, root, run } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

// The pages are written from the sources of the packages, so nothing is built before.
await main(async () => {
  const toolchain = await ensureToolchain();
  await install(toolchain);
  const program = join(root, 'site/src/build.ts');
  return run(toolchain.node, ['--conditions=@railyard/source', program], { env: childEnv(toolchain) });
});
