// The tests that draw values and stories at random, with many more of them than `npm test` tries and others each time, wallets'
// tokens with every byte changed, all looks of all pages, and a million stored payments. Usage: npm run test:soak [-- number of stories]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const stories = process.argv[2] ?? '10000';
if (!/^[1-9]\d{0,6}$/.test(stories)) throw new Error('Usage: npm run test:soak [-- number of stories]');
process.env.RAILYARD_SOAK = stories;

const PROPERTIES = /from '[./]+test\/support\/properties\.ts'/;
const PLACES = ['packages', 'examples'];
// Not node_modules: its links lead round in circles.
const folders = PLACES.flatMap((place) =>
  readdirSync(join(root, place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => join(place, name, ...(place === 'packages' ? ['test'] : []))),
);
const drawing = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => PROPERTIES.test(readFileSync(join(root, file), 'utf8'))),
);
const whole = ['connector-card/test/wallet-tokens', 'checkout/test/page/looks', 'checkout/test/server/many-payments'];
process.argv.splice(2, Infinity, ...drawing, ...whole);
await import('./test.mjs');
