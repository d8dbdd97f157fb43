import { main } from './print.mjs';
import { ensureNode } from './toolchain.mjs';

// Prints the path of a Node of the given version, fetched through npm where it is missing. Tests ask for one this way.
await main(async ([version]) => {
  const path = await ensureNode(version);
  process.stdout.write(`${path}\n`);
  return 0;
});
