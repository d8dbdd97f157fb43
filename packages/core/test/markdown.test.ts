import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  defineConnector,
  defineMethod,
  providerApi,
  field,
  limitsTable,
  secret,
  statusTable,
  text,
} from '../src/index.ts';
import { CONTRACT_VERSION } from '../src/driver.ts';
import { currencies } from '../src/money/currencies.ts';
import { connectorTables, parameterTables, withGenerated } from '../src/markdown/index.ts';

const method = defineMethod({
  key: 'slip',
  title: 'Slip',
  operations: {
    purchase: {
      parameters: z.strictObject({
        place: field(text({ max: 9 }), { label: 'Place', help: 'A | B.', sources: ['mid'] }),
      }),
      completion: ['voucher'],
    },
  },
  currencies: ['EUR'],
  limits: limitsTable('the manual', [{ currency: 'EUR', min: '1', max: '9' }]),
});

const settings = z.object({
  base_url: z.url(),
  api_key: secret(z.string(), 'API key'),
  hours: field(z.int().default(24), { label: 'Hours' }),
});

const connector = defineConnector({
  id: 'slip',
  contract: CONTRACT_VERSION,
  version: '1.0.0',
  title: 'Slips',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [
    providerApi(settings, { source: 'a test' }).endpoint({
      name: 'make',
      method: 'POST',
      path: '/slips',
      repeat: 'once',
      request: () => ({}),
      reply: z.object({}),
      examples: [{ body: {}, source: 'the manual' }],
    }),
  ],
  statuses: statusTable({ PAID: 'settled', GONE: { declined: 'soft', code: 'expired', reason: 'Too late.' } }),
  serves: () => [],
});

it('writes the parameters of a method, with bars that do not break the table', () => {
  expect(parameterTables({ methods: [method] }).split('\n')).toEqual([
    '### `slip`: Slip',
    '',
    '**purchase** in EUR. The payer is shown: voucher.',
    '',
    '| parameter | type | required | else from | meaning |',
    '|---|---|---|---|---|',
    String.raw`| ${'`place`'} | string 1-9 | yes | MID | Place. A \| B. |`,
    '',
    'Amount: 1 to 9 EUR (the manual).',
    '',
  ]);
});

it('writes every currency where a method takes each of ISO 4217, and lists them where it takes fewer', () => {
  const fiat = [...currencies.values()].filter(({ kind }) => kind === 'fiat').map(({ code }) => code);
  const taking = (codes: readonly string[]) => parameterTables({ methods: [{ ...method, currencies: codes }] });
  expect(taking([...fiat, 'BTC'])).toContain('**purchase** in every currency of ISO 4217, BTC.');
  expect(taking(fiat.slice(1))).toContain(`**purchase** in ${fiat.slice(1).join(', ')}.`);
});

it('writes limits that depend on more than the currency as a table', () => {
  const rows = [
    { operation: 'credit' as const, currency: 'KES', operator: 'one-ke', min: '10', max: '100' },
    { currency: 'KES', max: '5' },
  ];
  const made = parameterTables({ methods: [{ ...method, currencies: [], limits: { source: 'the manual', rows } }] });
  expect(made).toContain('**purchase** in any currency.');
  expect(made.split('\n').slice(-7)).toEqual([
    'Amounts (the manual), both ends included:',
    '',
    '| operation | operator | currency | from | to |',
    '|---|---|---|---|---|',
    '| `credit` | `one-ke` | KES | 10 | 100 |',
    '| any | any | KES | any | 5 |',
    '',
  ]);
});

it('writes settings, calls and words of a connector', () => {
  const lines = connectorTables(connector).split('\n');
  expect(lines).toContain('| `base_url` | yes | base_url. |');
  expect(lines).toContain('| `api_key` | yes | API key (secret). |');
  expect(lines).toContain('| `hours` | no; default 24 | Hours. |');
  expect(lines).toContain('| `make` | `POST /slips` | never sent again; looked up |');
  expect(lines).toContain('| `GONE` | declined, another attempt may succeed: Too late. |');
});

it('says of the session who has to give what, and that there are no parameters', () => {
  const needs = {
    'customer.name': field(text({ max: 32 }), { label: 'Name', sources: ['payer'] }),
    'customer.email': field(text({ max: 255 }), { label: 'E-mail', sources: ['payer'] }).optional(),
    error_url: field(text({ max: 255 }), { label: 'Error' }),
    accountId: field(text({ max: 255 }), { label: 'Account' }).optional(),
  };
  const purchase = { parameters: z.strictObject({}), needs, completion: ['redirect'] } as const;
  const asking = defineMethod({ key: 'ask', title: 'Ask', operations: { purchase }, currencies: ['EUR'] });
  expect(
    parameterTables({ methods: [asking] })
      .split('\n')
      .slice(2, 12),
  ).toEqual([
    '**purchase** in EUR. The payer is shown: redirect.',
    '',
    'It has no parameters.',
    '',
    'Of the session:',
    '',
    '- needed: `error_url`',
    '- needed; the payer is asked for what is missing: `customer.name`',
    '- optional: `accountId`',
    '- optional; the payer is asked for what `required` of the merchant’s method names: `customer.email`',
  ]);
});

it('makes the parts between marks anew, and nothing else', () => {
  const text = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter\n';
  const made = withGenerated(text, { a: 'new\n' });
  expect(made).toBe('before\n<!-- a -->\n\nnew\n\n<!-- /a -->\nafter\n');
  expect(withGenerated(made, { a: 'new\n' })).toBe(made);
});

it('says which marks are missing', () => {
  expect(() => withGenerated('nothing', { a: 'new' })).toThrow(
    'Found no part "a". Put the lines <!-- a --> and <!-- /a --> where it belongs.',
  );
});
