import { install } from './install.mjs';
import { main } from './print.mjs';
import { pnpm } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

// For the other npm scripts: pnpm of the pinned version on a new enough Node, on any machine.
await main(async (args) => {
  const toolchain = await ensureToolchain();
  if (args[0] !== 'install') await install(toolchain);
  return pnpm(toolchain, args);
});
