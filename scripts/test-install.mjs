import { install } from './install.mjs';
import { main, Refusal, say } from './print.mjs';
import { capture, childEnv } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

// Packs what is built and installs it where nothing else is, on every supported Node and TypeScript, in a browser and at the edge; and follows the guide for authors from the packed packages.
await main(async () => {
  const toolchain = await ensureToolchain();
  await install(toolchain);
  say('building');
  const build = [toolchain.pnpm, 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only'];
  const { code, output } = await capture(toolchain.node, build, { env: childEnv(toolchain) });
  if (code !== 0) throw new Refusal(`The build failed:\n${output}`, 'Fix it, then run `npm run test:install` again.');
  process.argv.push('--config', 'release/install/vitest.config.ts');
  await import('./test.mjs');
  return process.exitCode;
});
