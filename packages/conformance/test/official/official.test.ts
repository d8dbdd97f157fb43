import { describe, expect, it } from 'vitest';
import { checkAgainst } from '../../src/official/index.ts';
import { reduceDescription, wordsIn } from '../../src/official/index.ts';
import { description } from './description.ts';

const ORIGIN = { source: 'Example provider', licence: 'MIT' };
const OPERATIONS = ['PUT /charges/{id}', 'GET /charges/{id}', 'GET /charges/latest', 'POST PAID', 'POST refunded'];
const facts = reduceDescription(description, ORIGIN, OPERATIONS);
const official = checkAgainst(facts);

const put = (body: unknown, more: object = {}) => ({
  method: 'PUT',
  path: '/charges/abc123',
  headers: { 'x-key': 'k' },
  body,
  ...more,
});
const GOOD = { amount: { value: '10.00' }, payer: { kind: 'person', name: 'Ana' } };

describe('the facts of an official description', () => {
  it('keep no sentence and no example', () => {
    expect(JSON.stringify(facts)).not.toMatch(/description|summary|example|title/);
  });

  it('name source, version and licence, and hold only the schemas that the operations use', () => {
    expect(facts).toMatchObject({ source: 'Example provider', version: '2.1', licence: 'MIT' });
    expect(Object.keys(facts.schemas)).toEqual([
      'Amount',
      'Cash',
      'Charge',
      'Company',
      'Payer',
      'Person',
      'Transfer',
      'Way',
    ]);
  });

  it('say null as a second type where OpenAPI 3.0 says nullable', () => {
    expect(facts.schemas.Charge).toMatchObject({ properties: { note: { type: ['string', 'null'] } } });
  });

  it('are refused for an operation that the description does not have', () => {
    expect(() => reduceDescription(description, ORIGIN, ['POST /charges'])).toThrow(
      'Example provider has no operation "POST /charges". It has the paths /charges/{id}, /charges/latest.',
    );
  });

  it('say nothing of a value whose schema stands in another document, and name the reference', () => {
    const receipt = 'https://provider.example/receipts.yaml#/Receipt';
    const schema = { type: 'object', properties: { receipt: { $ref: receipt }, note: { type: 'string' } } };
    const paths = { '/charges': { post: { requestBody: { content: { 'application/json': { schema } } } } } };
    const apart = reduceDescription({ openapi: '3.0.0', paths }, ORIGIN, ['POST /charges']);
    expect(apart.elsewhere).toEqual([receipt]);
    const post = (body: unknown) =>
      checkAgainst(apart).request({ method: 'POST', path: '/charges', headers: {}, body });
    expect(post({ receipt: { lines: [] } })).toEqual([]);
    expect(post({ note: 1 })).toEqual([expect.stringContaining('must be string')]);
  });

  it('carry a correction, and refuse one that the description has outgrown', () => {
    const at = '#/components/schemas/Amount/properties/value/pattern';
    const correction = { at, is: '^\\d+\\.\\d{2}$', should: '^\\d+$', why: 'It is a whole number.' };
    const mended = reduceDescription(description, { ...ORIGIN, corrections: [correction] }, OPERATIONS);
    expect(mended).toMatchObject({
      corrections: [correction],
      schemas: { Amount: { properties: { value: { pattern: '^\\d+$' } } } },
    });
    const old = { ...correction, is: '^x$' };
    expect(() => reduceDescription(description, { ...ORIGIN, corrections: [old] }, OPERATIONS)).toThrow(
      'is not "^x$" any more',
    );
  });
});

it('holds a callback of an operation, by its name', () => {
  const refunded = (value: string) => ({ method: 'POST', path: 'refunded', headers: {}, body: { value } });
  expect(official.request(refunded('1.00'))).toEqual([]);
  expect(official.request(refunded('1'))).toEqual([expect.stringContaining('POST refunded body/value')]);
});

it('holds a callback that is a reference, and a webhook that is one', () => {
  const { paths, webhooks, components, ...rest } = description;
  const { put, ...item } = paths['/charges/{id}'];
  const { refunded } = put.callbacks;
  const apart = {
    ...rest,
    components: { ...components, callbacks: { Refunded: refunded }, pathItems: { Paid: webhooks.PAID } },
    webhooks: { PAID: { $ref: '#/components/pathItems/Paid' } },
    paths: {
      ...paths,
      '/charges/{id}': {
        ...item,
        put: { ...put, callbacks: { refunded: { $ref: '#/components/callbacks/Refunded' } } },
      },
    },
  };
  expect(reduceDescription(apart, ORIGIN, OPERATIONS)).toEqual(facts);
});

it('holds how the API is reached and how callers are let in', () => {
  const reach = {
    ...description,
    servers: [{ url: 'https://{region}.provider.example', variables: { region: { default: 'eu' } } }, { url: '/v1' }],
    security: [{ token: ['charges'] }],
    components: {
      ...description.components,
      securitySchemes: {
        token: {
          type: 'oauth2',
          description: 'A token',
          flows: { clientCredentials: { tokenUrl: '/token', scopes: {} } },
        },
        basic: { type: 'http', scheme: 'Basic' },
        unused: { type: 'apiKey', in: 'header', name: 'X-Key' },
      },
    },
    paths: {
      '/charges/latest': { get: { security: [{ basic: [] }, { token: [] }], responses: {} }, put: { responses: {} } },
    },
  };
  const found = reduceDescription(reach, ORIGIN, ['GET /charges/latest', 'PUT /charges/latest']);
  expect(found.servers).toEqual(['https://eu.provider.example', '/v1']);
  expect(found.security).toEqual({
    token: { type: 'oauth2', flows: { clientCredentials: '/token' } },
    basic: { type: 'http', scheme: 'basic' },
  });
  expect(found.operations['GET /charges/latest']?.security).toEqual([{ basic: [] }, { token: [] }]);
  expect(found.operations['PUT /charges/latest']?.security).toEqual([{ token: ['charges'] }]);
});

it('holds the JSON of a body that may be written in several ways, and the type of a reply that is no JSON', () => {
  const content = { 'text/csv': { schema: { type: 'string' } } };
  const json = { 'application/vnd.charges+json; charset=utf-8': { schema: { type: 'object' } } };
  const paths = {
    '/charges': { post: { requestBody: { content: { ...content, ...json } }, responses: { 200: { content } } } },
  };
  const found = reduceDescription({ openapi: '3.0.0', paths }, ORIGIN, ['POST /charges']).operations['POST /charges'];
  expect(found?.request?.contentType).toBe('application/vnd.charges+json; charset=utf-8');
  expect(found?.replies).toEqual({ 200: { headers: [], contentType: 'text/csv', body: { type: 'string' } } });
});

describe('a request held against the facts', () => {
  it('passes where it fits the description', () => {
    expect(official.request(put(GOOD))).toEqual([]);
  });

  it.each([
    ['a required field that is missing', { payer: GOOD.payer }, "body: must have required property 'amount'"],
    ['a value outside its pattern', { ...GOOD, amount: { value: '10' } }, 'body/amount/value: must match pattern'],
    ['a misspelt optional field', { ...GOOD, notes: 'x' }, 'must NOT have unevaluated properties (notes)'],
    ['a field unknown to a nested object', { ...GOOD, amount: { value: '1.00', unit: 'x' } }, '(unit)'],
    ['a field that only the provider writes', { ...GOOD, status: 'PAID' }, '(status)'],
    [
      'a member that fits no alternative',
      { ...GOOD, payer: { kind: 'robot' } },
      'must match exactly one schema in oneOf',
    ],
  ])('is refused for %s', (_, body, problem) => {
    expect(official.request(put(body)).join('\n')).toContain(problem);
  });

  it('is refused for a missing header, a wrong place of the path and an unknown query field', () => {
    expect(official.request(put(GOOD, { headers: {} }))).toEqual(['PUT /charges/{id} header X-Key: is required']);
    expect(official.request(put(GOOD, { path: '/charges/a!' })).join()).toContain('path id: must match pattern');
    expect(official.request(put(GOOD, { query: { page: '1' } })).join()).toContain('the description has no such field');
  });

  it('may have a number in its query, also where the type is behind a reference', () => {
    const page = { name: 'page', in: 'query', required: false, schema: { $ref: '#/schemas/Page' } } as const;
    const operations = { 'GET /charges': { parameters: [page], replies: {} } };
    const paged = checkAgainst({ ...facts, operations, schemas: { Page: { type: ['number', 'null'], maximum: 9 } } });
    const get = (text: string) =>
      paged.request({ method: 'GET', path: '/charges', query: { page: text }, headers: {} });
    expect(get('1.5')).toEqual([]);
    expect(get('10')).toEqual([expect.stringContaining('must be <= 9')]);
    expect(get('one')).toEqual([expect.stringContaining('must be number,null')]);
  });

  it('is refused where the operation has no body or does not exist', () => {
    expect(official.request({ method: 'GET', path: '/charges/abc123', headers: {}, body: {} })).toHaveLength(1);
    expect(official.request({ method: 'DELETE', path: '/charges/abc123', headers: {} })).toEqual([
      'DELETE /charges/abc123: Example provider has no such operation.',
    ]);
  });
});

describe('a field that only the provider writes', () => {
  const stamped = (field: object, more: object = {}) => ({
    openapi: '3.1.0',
    info: { version: '1' },
    paths: {
      '/refunds': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Refund' } } } },
          responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Refund' } } } } },
        },
      },
    },
    components: {
      schemas: {
        Mode: { type: 'string', enum: ['test', 'live'], readOnly: true },
        Alias: { $ref: '#/components/schemas/Mode' },
        Word: { type: 'string' },
        Refund: {
          type: 'object',
          required: ['value', 'mode'],
          properties: { value: { type: 'string' }, mode: field },
          ...more,
        },
        Ours: { type: 'object', properties: { value: { type: 'string' }, mode: field } },
      },
    },
  });
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const base = { allOf: [to('Ours'), { required: ['value', 'mode'] }], required: undefined, properties: undefined };

  it.each([
    ['is a reference to a schema of its own', to('Mode'), {}],
    ['is a reference to a reference', to('Alias'), {}],
    ['says so beside its reference', { ...to('Word'), readOnly: true }, {}],
    ['is put together of parts', { allOf: [to('Mode'), { minLength: 1 }] }, {}],
    ['is required by another part of the whole', to('Mode'), base],
  ])('is no part of a request where it %s', (_, field, more) => {
    const refunds = checkAgainst(reduceDescription(stamped(field, more), ORIGIN, ['POST /refunds']));
    const post = (body: unknown) => refunds.request({ method: 'POST', path: '/refunds', headers: {}, body });
    expect(post({ value: '1.00' })).toEqual([]);
    expect(post({})).toEqual([expect.stringContaining("required property 'value'")]);
    expect(post({ value: '1.00', mode: 'test' })).toEqual([expect.stringContaining('(mode)')]);
    const reply = (body: unknown) => refunds.reply({ method: 'POST', path: '/refunds' }, { status: 201, body });
    expect(reply({ value: '1.00', mode: 'test' })).toEqual([]);
    expect(reply({ value: '1.00' })).toEqual([expect.stringContaining("required property 'mode'")]);
  });

  it('keeps further rules that OpenAPI 3.1 writes beside a reference', () => {
    const refunds = checkAgainst(
      reduceDescription(stamped({ ...to('Word'), minLength: 3 }), ORIGIN, ['POST /refunds']),
    );
    const post = (mode: string) =>
      refunds.request({ method: 'POST', path: '/refunds', headers: {}, body: { value: '1.00', mode } });
    expect(post('live')).toEqual([]);
    expect(post('no')).toEqual([expect.stringContaining('must NOT have fewer than 3 characters')]);
  });
});

describe('a path with its query, as goldens write it', () => {
  const page = { name: 'page', in: 'query', required: true, schema: { type: 'integer' } } as const;
  const operations = { 'GET /charges': { parameters: [page], replies: { 200: { headers: [] } } } };
  const paged = checkAgainst({ ...facts, operations });
  const get = (path: string, query?: Record<string, string>) =>
    paged.request({ method: 'GET', path, headers: {}, ...(query && { query }) });

  it('is the operation of the path, with the fields of the query', () => {
    expect(get('/charges?page=2')).toEqual([]);
    expect(get('/charges', { page: '2' })).toEqual([]);
    expect(get('/charges')).toEqual(['GET /charges query page: is required']);
    expect(get('/charges?page=two')).toEqual([expect.stringContaining('query page: must be integer')]);
    expect(get('/charges?page=2&sort=asc')).toEqual(['GET /charges query sort: the description has no such field']);
  });

  it('leads to the replies of the operation', () => {
    expect(paged.reply({ method: 'GET', path: '/charges?page=2' }, { status: 200 })).toEqual([]);
  });
});

describe('a reply held against the facts', () => {
  const asked = { method: 'GET', path: '/charges/abc123' };
  const reply = { ...GOOD, id: 'abc123', status: 'PAID', note: null };

  it('passes with more than the description names', () => {
    expect(official.reply(asked, { status: 200, body: { ...reply, more: 1 } })).toEqual([]);
  });

  it('is refused for a status word or an HTTP status that the description lacks', () => {
    expect(official.reply(asked, { status: 200, body: { ...reply, status: 'GONE' } }).join()).toContain('/status');
    expect(official.reply(asked, { status: 418 })).toEqual([
      'GET /charges/{id} 418: the description has no such reply',
    ]);
  });

  it('may be described by the hundred of its status', () => {
    const operations = {
      'GET /charges': { parameters: [], replies: { '4XX': { headers: [], body: { type: 'string' } } } },
    };
    const ranged = checkAgainst({ ...facts, operations });
    const get = (status: number, body: unknown) => ranged.reply({ method: 'GET', path: '/charges' }, { status, body });
    expect(get(404, 'gone')).toEqual([]);
    expect(get(404, 1)).toEqual([expect.stringContaining('must be string')]);
    expect(get(500, 'gone')).toEqual(['GET /charges 500: the description has no such reply']);
  });

  it('takes the alternative that the discriminator names, and no other', () => {
    const paidBy = (way: object) => official.reply(asked, { status: 200, body: { ...reply, paidBy: way } });
    expect(paidBy({ by: 'cash', shop: 'x' })).toEqual([]);
    expect(paidBy({ by: 'transfer', account: 'x' })).toEqual([]);
    expect(paidBy({ by: 'card', shop: 'x' })).not.toEqual([]);
    expect(paidBy({ shop: 'x' })).not.toEqual([]);
  });

  it('takes the path without places before the one with them', () => {
    expect(official.reply({ method: 'GET', path: '/charges/latest' }, { status: 204 })).toEqual([]);
  });
});

describe('the words of an enumeration', () => {
  it('are those of its schema', () => {
    expect(wordsIn(facts, 'Charge/properties/status')).toEqual(['OPEN', 'PAID']);
  });

  it('are none where the schema enumerates nothing', () => {
    expect(() => wordsIn(facts, 'Amount')).toThrow('enumerates nothing');
  });
});
