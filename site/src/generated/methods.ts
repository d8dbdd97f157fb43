import type { Method } from '@railyard/core';
import { describeMethods } from '@railyard/core/registry';
import { catalogue } from '../../../test/support/catalogue.ts';
import type { Page } from '../page.ts';
import type { FoundConnector } from '../repository.ts';
import { linkTo } from './connector-link.ts';

/** More are counted. */
const NAMED = 8;

export const METHOD_HEAD = [
  'key',
  'package',
  'connectors',
  'operations',
  'completion',
  'countries',
  'payers elsewhere',
  'currencies',
  'paid in',
];

const listed = (all: readonly string[], what: string) =>
  all.length > NAMED ? `${all.length} ${what}` : all.join(', ') || 'any';

const takenElsewhere = (countries: readonly string[], elsewhere: string | undefined) =>
  countries.length === 0 ? 'any' : elsewhere === undefined ? 'refused' : `taken. ${elsewhere}`;

/** The test that pays the method through the running service. */
function testOf(key: string): string {
  const [paid] = catalogue.filter(({ keys, extra = {} }) => keys.includes(key) || key in extra);
  return paid === undefined ? 'not yet' : `\`${paid.in}\``;
}

/** Methods by their keys, as rows of a table: one for each, however many connectors serve it. */
export function methodRows(found: readonly FoundConnector[]): string[][] {
  const methods = new Map<string, Method>(
    found.flatMap(({ connector }) => connector.serves.map(({ method }) => [method.key, method] as const)),
  );
  const described = describeMethods({ methods: [...methods.values()] });
  return described
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, operations, countries, elsewhere, currencies }) => {
      const by = found.filter(({ connector }) => connector.serves.some(({ method }) => method.key === key));
      const kinds = new Set(operations.flatMap(({ completion }) => completion));
      return [
        `\`${key}\``,
        [...new Set(by.map(({ folder }) => folder.replace('connector-', '')))].join(', '),
        by.map(linkTo).join(', '),
        operations.map(({ operation }) => operation).join(', '),
        [...kinds].join(', ') || 'at once',
        listed(countries, 'countries'),
        takenElsewhere(countries, elsewhere),
        listed(currencies, 'currencies'),
        testOf(key),
      ];
    });
}

/** Every method, where it is served and what shows that it is paid. */
export function methodPage(found: readonly FoundConnector[]): Page {
  const rows = methodRows(found).map((cells) => `| ${cells.join(' | ')} |`);
  return {
    path: 'methods.md',
    text: `# Every method

Written from the connectors’ own declarations. “Completion” is what the payer does after they press the button: one of these, as the provider answers; “at once” where the reply is the result, as it is for a payout. “Any”: no source gives the method countries or currencies. A session that names another country or currency is refused; “payers elsewhere”, payees where money goes out, says for which methods another country is taken, and why.

“Paid in” is a file of \`packages/checkout/test\`. It pays the method, or pays out, through the running service: a session over HTTP, the page, the provider’s simulation, the callback. Nothing was tried live.

| ${METHOD_HEAD.join(' | ')} |
|${METHOD_HEAD.map(() => '---|').join('')}
${rows.join('\n')}
`,
  };
}
