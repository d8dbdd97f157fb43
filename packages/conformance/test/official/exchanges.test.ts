import { expect, test } from 'vitest';
import { checkOfficial, type Golden } from '../../src/index.ts';
import { checkAgainst, reduceDescription } from '../../src/official/index.ts';
import { bank, type Flaw, goldens, options } from '../support/bank.ts';

const text = { type: 'string' };
const object = (required: readonly string[], properties: object) => ({ type: 'object', required, properties });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const amount = { type: 'string', pattern: String.raw`^\d+(\.\d{2,3})?$` };
const charge = object(['id', 'status', 'amount', 'currency', 'made'], {
  id: text,
  status: { $ref: '#/components/schemas/Status' },
  amount,
  currency: { type: 'string', enum: ['USD', 'JPY', 'KWD'] },
  made: text,
});
const problem = json(object(['error'], { error: text }));
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
const key = { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', format: 'uuid' } };

/** The API of the bank of these tests, as its provider might describe it. */
const description = {
  openapi: '3.0.3',
  info: { version: '1' },
  servers: [{ url: 'https://bank.example/v1' }],
  components: { schemas: { Status: { type: 'string', enum: ['OPEN', 'PAID', 'FAILED'] } } },
  paths: {
    '/charges': {
      post: {
        parameters: [key],
        requestBody: json(
          object(['reference', 'amount', 'currency', 'iban'], {
            reference: text,
            amount,
            currency: text,
            iban: text,
            note: { type: 'string', maxLength: 20 },
            notify: text,
          }),
        ),
        responses: { 201: json(charge), 422: problem },
      },
    },
    '/charges/{id}': { get: { parameters: [id], responses: { 200: json(charge), 404: problem } } },
    '/charges/by-reference/{id}': { get: { parameters: [id], responses: { 200: json(charge), 404: problem } } },
    '/charges/{id}/refunds': {
      post: {
        parameters: [id, key],
        requestBody: json(object(['amount', 'reference'], { reference: text, amount, currency: text })),
        responses: { 201: json(object(['id'], { id: text, status: text })), 422: problem },
      },
    },
  },
};

const OPERATIONS = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
);
const factsOf = (given: object) => reduceDescription(given, { source: 'The bank', licence: 'MIT' }, OPERATIONS);

const checked = (flaw?: Flaw, given: object = description, more: object = {}) =>
  checkOfficial(bank(flaw), { ...options, goldens, officials: [checkAgainst(factsOf(given))], ...more });

/** The description with another text in place of each that stands there. */
const changed = (from: string, to: string): object =>
  JSON.parse(
    JSON.stringify(description).replaceAll(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1)),
  );

test('a correct connector contradicts nothing: its goldens may leave fields out, and the kit’s own names of payments have no form', async () => {
  const { problems, requests, replies, notPlayed } = await checked();
  expect({ problems, notPlayed }).toEqual({ problems: [], notPlayed: [] });
  expect(requests).toBeGreaterThan(10);
  expect(replies).toBeGreaterThan(8);
});

test('a flow that sends another unit contradicts the description in the requests that the kit plays', async () => {
  const integers = changed(String.raw`^\d+(\.\d{2,3})?$`, String.raw`^\d+\.\d{2,3}$`);
  const { problems } = await checked('wrong units', integers);
  expect(problems.map(({ endpoint, of }) => `${endpoint} ${of}`)).toEqual(
    expect.arrayContaining(['create-charge request', 'create-refund request']),
  );
});

test('a request without its key contradicts the description', async () => {
  const { problems } = await checked('a false keyed');
  expect(problems).toContainEqual({
    endpoint: 'create-charge',
    of: 'request',
    says: 'POST /charges header Idempotency-Key: is required',
  });
});

test('an example with a word that the description lacks contradicts it', async () => {
  const { problems } = await checked('a reply with a word that the table lacks');
  expect(problems.map(({ says }) => says)).toEqual([
    'GET /charges/{id} 200/status: must be equal to one of the allowed values',
    'GET /charges/by-reference/{id} 200/status: must be equal to one of the allowed values',
  ]);
});

test('a golden whose reply the description does not know contradicts it', async () => {
  const [first] = goldens;
  if (first === undefined) throw new Error('The bank has goldens.');
  const other: Golden = { ...first, reply: { status: 201, body: { ...Object(first.reply.body), currency: 'XXX' } } };
  const { problems } = await checked(undefined, description, { goldens: [other, ...goldens.slice(1)] });
  expect(problems.map(({ of, says }) => `${of}: ${says}`)).toContainEqual(
    expect.stringMatching(/^reply: .*\/currency: must be equal to one of the allowed values$/),
  );
});

test('an endpoint that no description has is a contradiction, unless it is excepted', async () => {
  const apart = changed('/charges/{id}/refunds', '/refunds/{id}');
  const facts = reduceDescription(
    apart,
    { source: 'The bank', licence: 'MIT' },
    OPERATIONS.filter((each) => !each.endsWith('/refunds')),
  );
  const officials = [checkAgainst(facts)];
  const { problems } = await checked(undefined, description, { officials });
  expect(problems).toEqual([
    {
      endpoint: 'create-refund',
      of: 'request',
      says: 'POST /charges/{id}/refunds: no description has this operation.',
    },
  ]);
  expect((await checked(undefined, description, { officials, except: ['create-refund'] })).problems).toEqual([]);
});

test('a base URL may hold the beginning of the paths, and a path that of a server', async () => {
  const below = {
    ...description,
    paths: Object.fromEntries(Object.entries(description.paths).map(([path, item]) => [`/v1${path}`, item])),
  };
  const names = OPERATIONS.map((each) => each.replace(' ', ' /v1'));
  const facts = reduceDescription(below, { source: 'The bank', licence: 'MIT' }, names);
  const settings = { ...options.settings, base_url: 'https://bank.example/v1' };
  const { problems } = await checked(undefined, description, {
    officials: [checkAgainst(facts)],
    settings,
    goldens: [],
  });
  expect(problems).toEqual([]);
  const official = checkAgainst(factsOf(description));
  expect(official.has({ method: 'GET', path: '/v1/charges/x' })).toBe(true);
  expect(official.has({ method: 'GET', path: '/v2/charges/x' })).toBe(false);
});

test('a sample that cannot be played is told', async () => {
  const sessions = { 'bank-transfer': { purchase: { parameters: { iban: 'x' } } } };
  const { notPlayed } = await checked(undefined, description, { sessions, goldens: [] });
  expect(notPlayed).toEqual([expect.stringContaining('sessions.bank-transfer.purchase')]);
});
