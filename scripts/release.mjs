import { join } from 'node:path';
import { install } from './install.mjs';
import { main, Refusal } from './print.mjs';
import { childEnv, root, run } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

/** The steps of `npm run release:<step>`. */
const STEPS = { dry: 'dry-run.ts', version: 'version.ts', publish: 'publish.ts' };

await main(async ([step, ...args]) => {
  const file = STEPS[step];
  if (file === undefined)
    throw new Refusal(`There is no step ${step} of a release.`, `Say one of ${Object.keys(STEPS).join(', ')}.`);
  const toolchain = await ensureToolchain();
  await install(toolchain);
  return run(toolchain.node, [join(root, 'release/src', file), ...args], { env: childEnv(toolchain) });
});
