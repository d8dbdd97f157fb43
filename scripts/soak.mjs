// The tests that draw values and stories at random, others each time and many more of them than `npm test` tries (some name a number of
// their own), wallets' tokens with every byte changed, all looks of all pages, ten thousand pages that wait, and many stored payments: a
// million with 10,000 stories, which is the number where none is named. Usage: npm run test:soak [-- number of stories]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const stories = process.argv[2] ?? '10000';
if (!/^[1-9]\d{0,6}$/.test(stories)) throw new Error('Usage: npm run test:soak [-- number of stories]');
process.env.RAILYARD_SOAK = stories;

const PROPERTIES = /from '[./]+(test\/)?support\/properties\.ts'/;
// Not node_modules: its links lead round in circles.
const inside = (place, below = '') =>
  readdirSync(join(root, place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => join(place, name, below));
const folders = [...inside('packages', 'test'), ...inside('examples'), 'test'];
const drawing = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => PROPERTIES.test(readFileSync(join(root, file), 'utf8'))),
);
// Whole paths: a filter that matches no file is passed over without a word.
const whole = [
  'packages/connector-card/test/wallet-tokens',
  'packages/checkout/test/page/looks.test.ts',
  'packages/checkout/test/server/idle.test.ts',
  'packages/checkout/test/server/many-payments.test.ts',
];
for (const path of whole)
  if (!existsSync(join(root, path))) throw new Error(`No ${path}. Correct its path in scripts/soak.mjs.`);
process.argv.splice(2, Infinity, ...drawing, ...whole);
await import('./test.mjs');
