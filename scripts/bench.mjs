import { join } from 'node:path';
import { install } from './install.mjs';
import { main, Refusal, say } from './print.mjs';
import { capture, childEnv, root, run } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

// The benchmarks measure what is published, so the packages are built first.
await main(async (args) => {
  const toolchain = await ensureToolchain();
  await install(toolchain);
  say('building');
  const build = [toolchain.pnpm, 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only'];
  const { code, output } = await capture(toolchain.node, build, { env: childEnv(toolchain) });
  if (code !== 0) throw new Refusal(`The build failed:\n${output}`, 'Fix it, then run `npm run bench` again.');
  say('measuring; leave the machine alone meanwhile');
  return run(toolchain.node, [join(root, 'bench/src/main.ts'), ...args], { env: childEnv(toolchain) });
});
