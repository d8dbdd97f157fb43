import { readFileSync } from 'node:fs';
import { DECLINE_REASONS } from '@railyard/core/driver';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The sections of docs/contract.md whose first table belongs on the page, and how many of its columns. */
const TABLES = [
  ['Endpoints', 3],
  ['Flows', 3],
  ['What a flow is given', 2],
  ['Outcomes', 2],
  ['What the payer is shown', 2],
  ['Notifications', 3],
  ['Proofs', 2],
] as const;

/** The template's files, in the order in which an author changes them. */
const FILES = ['methods.ts', 'example-pay.ts', 'simulation.ts'];

// Links of the page lead to where they stood.
const contract = read('docs/contract.md')
  .replaceAll('](#', '](contract.md#')
  .replaceAll(/\]\((?!https?:)/g, '](../../docs/');

function tableOf([title, columns]: (typeof TABLES)[number]): string {
  const [, section = ''] = contract.split(new RegExp(`^#{2,3} ${title}$`, 'm'));
  const [table] = /^\|[^]*?(?=\n(?!\|))/m.exec(section) ?? [];
  if (table === undefined) throw new Error(`docs/contract.md has no table under "${title}".`);
  const rows = table.split('\n').map((row) => row.split('|').slice(1, columns + 1));
  return `## ${title}\n\n${rows.map((cells) => `|${cells.join('|')}|`).join('\n')}`;
}

function codeOf(name: string): string {
  const code = read(`packages/create-connector/template/src/${name}`).replaceAll(
    /^ *(?:\/\/ .*|\/\*\* .* \*\/)\n/gm,
    '',
  );
  return `\`src/${name}\`\n\n<!-- no-run: it is the package that create-connector writes, whose tests run it. -->\n\n\`\`\`ts no-run\n${code}\`\`\``;
}

const INTRODUCTION = `# The connector contract on one page

[The contract](../../docs/contract.md) explains it with examples, the [recipes](../../docs/connector-recipes.md) have shapes that often go wrong.

- A connector is data and pure functions: no clock, no randomness, no network, no environment. The runtime sends, journals, repeats and looks up.
- Amounts are \`Money\`: decimal text and a bigint, never a float. Send \`decimal(amount)\` or \`jsonNumber(amount, minorUnits)\`, as the provider's documentation writes them.
- A word or reply that is not declared is \`unknown\`, and the payment is looked up. Never guess a decline; a time-out and a 5xx are none.
- \`settled\` has the amount that the provider reports, not the asked one.
- Name in a reply schema only what the flow uses. Do not limit lengths of what the provider writes.
- Send \`payment.merchantReference\` to the provider. \`status\` finds the payment by it, because a lost reply leaves no \`providerReference\`.
- Each endpoint says with \`repeat\` what is true of the provider. The kit tries it.
- Credentials are \`secret(…)\` settings. Card data are handles: pass them on, read nothing from them.
- Each status word stands in the table once. Explain a word that no test shows: \`{ meaning: 'pending', says: 'held for review' }\`.
- Copy goldens and samples from the provider's documentation, never from the code.
- \`npm run check\` runs the kit. A failure names path, fault and remedy.`;

test('the page on which tools read the contract says what the contract and the template say', async () => {
  const page = [
    INTRODUCTION,
    ...TABLES.map(tableOf),
    `## Decline codes\n\n${Object.keys(DECLINE_REASONS)
      .map((code) => `\`${code}\``)
      .join(', ')}`,
    `## A whole connector\n\n${FILES.map(codeOf).join('\n\n')}`,
  ].join('\n\n');
  await expect(`${page}\n`).toMatchFileSnapshot('../../core/CONTRACT.md');
  // A language model reads it whole beside the provider's description.
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(20 * 1024);
});
