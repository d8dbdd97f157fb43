import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAgainst, type Facts, reduceDescription, type SecurityFacts } from '@railyard/conformance/official';
import { call, type Endpoint, money, type Outcome, settled, type Steps, unknown } from '@railyard/core';
import { createRegistry } from '@railyard/core/registry';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { typecheck } from '../../../test/docs/programs.ts';
import { exchange, outcomeOf, paymentsOf } from '../../runtime/test/support/exchange.ts';
import { connectorOf, loadImported, method, requestFrom, SETTINGS } from './support/imported-connector.ts';
import { imported, removeImported } from './support/imported.ts';
import { fixture } from './support/run-cli.ts';

const ORIGIN = { source: 'Our own description', licence: 'MIT' };
const CALLS = [
  'POST /charges',
  'GET /charges',
  'GET /charges/{id}',
  'DELETE /charges/{id}',
  'PUT /charges/{id}/refunds/{refund-id}',
];
const description: unknown = parse(readFileSync(fixture('charges.openapi.yaml'), 'utf8'));
const facts = reduceDescription(description, ORIGIN, CALLS);

afterAll(removeImported);

type Created = {
  readonly reply: string;
  readonly body: { readonly id: string; readonly amount: { readonly value: number } };
};

describe('endpoints that were imported and decided', () => {
  const files = imported('charges', facts);

  test('typecheck', async () => {
    const { endpointsFile, samplesFile } = await files;
    expect([...typecheck([endpointsFile, samplesFile]).values()].flat()).toEqual([]);
  });

  test('have samples that their schemas and the description take', async () => {
    const { endpoints } = connectorOf(await loadImported((await files).endpointsFile));
    const official = checkAgainst(facts);
    for (const { method: verb, path, examples, variants } of endpoints)
      for (const { is = 'ok', status = 200, body } of examples) {
        expect(variants[is]?.body.safeParse(body).success).toBe(true);
        const at = { method: verb, path: path.replaceAll(/\{\w+\}/g, 'x') };
        expect(official.reply(at, { status, body: body ?? undefined })).toEqual([]);
      }
  });

  test('pay through the runtime: the request is the description’s, the reply becomes the outcome', async () => {
    const loaded = await loadImported((await files).endpointsFile);
    const createCharge = z.custom<Endpoint<unknown, object, Created>>().parse(loaded.all['createCharge']);
    const { sampleCharge } = z
      .object({ sampleCharge: z.record(z.string(), z.unknown()) })
      .parse(await import((await files).samplesFile));
    const body = {
      amount: { value: 10, currency: 'EUR' },
      order: 'order-number-1',
      payer: { kind: 'person', name: 'Ana' },
    };
    const connector = connectorOf(loaded, function* (): Steps<Outcome> {
      const answer = yield* call(createCharge, { xCallbackUrl: 'https://pay.example/notify', body });
      if (answer.reply !== 'created') return unknown('The charge was refused.');
      const { id, amount } = answer.body;
      return settled(id, money(amount.value.toFixed(2), 'EUR'));
    });
    const { paymentOf } = paymentsOf(createRegistry([method]), '2026-11-21');
    const payment = paymentOf(SESSION, 'imported');
    const made = { connector, key: 'imported', flow: 'purchase', payment, settings: SETTINGS } as const;
    const { asked, drive } = exchange(made, [[201, { ...sampleCharge, amount: body.amount }]]);
    expect(outcomeOf(await drive())).toMatchObject({ status: 'settled', providerReference: sampleCharge['id'] });
    const [sent] = asked;
    expect(sent).toMatchObject({ method: 'POST', url: 'https://api.example/charges' });
    expect(sent?.headers).toMatchObject({
      'x-api-key': 'a-text',
      'idempotency-key': expect.stringMatching(/^[\w-]{36}$/),
    });
    const { pathname: path } = new URL(sent?.url ?? '');
    const request = { method: 'POST', path, headers: sent?.headers ?? {}, body: JSON.parse(sent?.body ?? '') };
    expect(checkAgainst(facts).request(request)).toEqual([]);
  });

  test('a refund with a place that is no word in its path, and a form, leaves as the description says', async () => {
    const connector = connectorOf(await loadImported((await files).endpointsFile));
    const refund = connector.endpoints.find(({ name }) => name === 'put-charge-refund');
    if (refund === undefined) throw new Error('There is no refund.');
    const sent = requestFrom(connector, refund, facts, 'PUT /charges/{id}/refunds/{refund-id}');
    expect(sent.path).toBe('/charges/id/refunds/refund-id');
    expect(checkAgainst(facts).request(sent)).toEqual([]);
  });
});

const SESSION = {
  merchant_key: '11111111-2222-4333-8444-555555555555',
  operation: 'purchase',
  methods: ['imported'],
  order: { number: 'order-1', amount: '10.00', currency: 'EUR', description: 'Two books' },
  success_url: 'https://shop.example/done',
  cancel_url: 'https://shop.example/cancel',
  parameters: { imported: {} },
  hash: 'f'.repeat(40),
};

describe('schemes become settings', () => {
  const SCHEMES: readonly (readonly [name: string, scheme: SecurityFacts, shows: string])[] = [
    ['key', { type: 'apiKey', in: 'header', name: 'X-Key' }, "headers: ({ api_key }) => ({ 'x-key': api_key })"],
    ['query', { type: 'apiKey', in: 'query', name: 'api-key' }, "query: { 'api-key': settings.api_key }"],
    [
      'cookie',
      { type: 'apiKey', in: 'cookie', name: 'session' },
      "undecided('how requests are let in: cookie is apiKey cookie')",
    ],
    ['bearer', { type: 'http', scheme: 'bearer' }, '({ authorization: `Bearer ${access_token}` })'],
    ['basic', { type: 'http', scheme: 'basic' }, '`Basic ${btoa(`${username}:${password}`)}`'],
    [
      'oauth',
      { type: 'oauth2', flows: { clientCredentials: 'https://login.example/oauth/token' } },
      'baseUrl: ({ oauth_url }) => oauth_url',
    ],
    [
      'path',
      { type: 'oauth2', flows: { clientCredentials: '/oauth/token' } },
      "path: '/oauth/token',\n    client: undecided(",
    ],
    [
      'code',
      { type: 'oauth2', flows: { authorizationCode: '/token' } },
      "undecided('how requests are let in: code is oauth2 authorizationCode')",
    ],
    ['tls', { type: 'mutualTLS' }, 'export const api = providerApi(settings, {\n  source'],
    ['none', { type: 'unnamed' }, "undecided('how requests are let in: the description names no scheme')"],
  ];
  const about = (name: string, scheme: SecurityFacts): Facts => {
    const operation = facts.operations['GET /charges/{id}'];
    if (operation === undefined) throw new Error('There is no lookup.');
    const security = name === 'none' ? [] : [{ [name]: [] }];
    return { ...facts, operations: { 'GET /charges/{id}': { ...operation, security } }, security: { [name]: scheme } };
  };
  const made = SCHEMES.map(([name, scheme]) => imported(name, about(name, scheme)));
  let complaints: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    complaints = typecheck((await Promise.all(made)).map(({ endpointsFile }) => endpointsFile));
  });

  test.each(SCHEMES.map(([name, scheme, shows], index) => [name, scheme, shows, index] as const))(
    '%s',
    async (name, scheme, shows, index) => {
      const files = await made[index];
      expect(files?.endpoints).toContain(shows);
      expect(complaints.get(files?.endpointsFile ?? '')).toEqual([]);
      const connector = connectorOf(await loadImported(files?.endpointsFile ?? ''));
      const [endpoint] = connector.endpoints.filter((each) => each.name !== 'token');
      if (endpoint === undefined) throw new Error('There is no lookup.');
      const sent = requestFrom(connector, endpoint, about(name, scheme), 'GET /charges/{id}');
      expect(sent.path).toBe('/charges/id');
    },
  );

  test('two schemes that are the same header are a question', async () => {
    const both = {
      ...about('basic', { type: 'http', scheme: 'basic' }),
      security: {
        basic: { type: 'http', scheme: 'basic' },
        key: { type: 'apiKey', in: 'header', name: 'Authorization' },
      },
    };
    const [[name, operation] = []] = Object.entries(both.operations);
    if (name === undefined || operation === undefined) throw new Error('There is no lookup.');
    const asked = { ...both, operations: { [name]: { ...operation, security: [{ key: [], basic: [] }] } } };
    const { questions } = await imported('double', asked);
    expect(questions).toContain('which of key and basic requests carry: both are the header authorization');
  });

  test('one way of several is written, and a note names the others', async () => {
    const [[name, operation] = []] = Object.entries(about('basic', { type: 'http', scheme: 'basic' }).operations);
    if (name === undefined || operation === undefined) throw new Error('There is no lookup.');
    const security = { basic: { type: 'http', scheme: 'basic' }, key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
    const either = {
      ...facts,
      security,
      operations: { [name]: { ...operation, security: [{ key: [] }, { basic: [] }] } },
    };
    const { notes, endpoints } = await imported('either', either);
    expect(endpoints).toContain("'x-key': api_key");
    expect(notes).toContain('Requests may be let in by basic too; key is written.');
  });

  test.each([
    [['https://api.example/v2/'], ".default('https://api.example/v2')", []],
    [
      ['https://a.example', 'https://b.example'],
      'base_url: field(z.url({ protocol: /^https?$/ }), {',
      [expect.stringContaining('base_url has no default')],
    ],
    [
      ['/v2/pay'],
      'base_url: field(z.url({ protocol: /^https?$/ }), {',
      ['The paths of the API begin with /v2/pay: base_url ends with it.'],
    ],
  ])('the addresses %o', async (servers, shows, notes) => {
    const { endpoints, notes: said } = await imported('servers', { ...facts, servers });
    expect(endpoints).toContain(shows);
    expect(said).toEqual(expect.arrayContaining(notes));
  });
});
