import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from './install.mjs';
import { main } from './print.mjs';
import { childEnv, root, run } from './run.mjs';
import { ensureToolchain } from './toolchain.mjs';

// The command `railyard` from the sources of this clone. It works with the connectors of the demo; files are those of the folder where one stands.
await main(async (args) => {
  const toolchain = await ensureToolchain();
  await install(toolchain);
  const fileOf = (arg) => resolve(process.env.INIT_CWD ?? process.cwd(), arg);
  const given = args.map((arg) => (/[./]/.test(arg) && existsSync(fileOf(arg)) ? fileOf(arg) : arg));
  const program = ['--conditions=@railyard/source', join(root, 'packages/cli/src/bin.ts')];
  return run(toolchain.node, [...program, ...given], { cwd: join(root, 'demo'), env: childEnv(toolchain) });
});
