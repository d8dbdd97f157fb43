import { expect, test } from 'vitest';
import * as z from 'zod';
import { anyEndpoint } from '../src/connector/endpoint.ts';
import type { Signing } from '../src/driver.ts';
import { foundBy, getOrFind, notFound, pending, providerApi, refusedBy, reply } from '../src/index.ts';

const settings = z.object({ base_url: z.url(), api_key: z.string() });
const given = { base_url: 'https://api.example', api_key: 'k-1' };
const context = { settings: given, key: 'step-key' };
const charge = z.object({ id: z.string() });
const problem = z.object({ code: z.string() });

const api = providerApi(settings, {
  source: 'the manual',
  visible: ['id'],
  headers: ({ api_key }) => ({ 'x-api-key': api_key, accept: 'application/json' }),
});
const findCharge = api.lookup('find-charge', '/charges/by/{reference}', {
  found: charge,
  absent: problem,
  samples: { found: { id: 'c-1' }, absent: { code: 'none' } },
});
const createCharge = api.endpoint({
  name: 'create-charge',
  path: '/charges',
  repeat: 'by-reference',
  request: (input: { readonly reference: string }) => ({ headers: { accept: 'text/plain' }, json: { ...input } }),
  find: foundBy(findCharge, ({ reference }: { readonly reference: string }) => reference),
  replies: { created: { status: 201, body: charge }, refused: { status: 422, body: problem } },
  examples: [
    { is: 'created', status: 201, body: { id: 'c-1' } },
    { is: 'refused', status: 422, body: { code: 'no' }, source: 'a letter of the provider' },
  ],
  visible: ['code'],
});

test('every request carries the headers of the provider, and a request’s own header of the same name wins', () => {
  expect(findCharge.request('r-1', context)).toEqual({
    params: { reference: 'r-1' },
    headers: { 'x-api-key': 'k-1', accept: 'application/json' },
  });
  expect(createCharge.request({ reference: 'r-1' }, context).headers).toEqual({
    'x-api-key': 'k-1',
    accept: 'text/plain',
  });
});

test('every request but that for the token is signed as the API says, and a request’s own signature counts in its place', () => {
  const secret = z.object({ api_key: z.string(), client_id: z.string(), client_secret: z.string() });
  const signature = (key: string): Signing => ({
    scheme: 'hmac',
    algorithm: 'sha256',
    key,
    encoding: 'hex',
    into: { header: 'x-signature' },
    over: ({ method, path, body }) => method + path + body,
  });
  const signed = providerApi(secret, {
    source: 'the manual',
    token: {
      path: '/token',
      client: ({ client_id: id, client_secret }) => ({ by: 'basic', id, secret: client_secret }),
    },
    sign: ({ api_key }) => signature(api_key),
  });
  const { request } = signed.endpoint('create', 'POST /charges', {
    repeat: 'once',
    request: (own: Signing | readonly Signing[] | undefined) => ({ json: {}, ...(own && { sign: own }) }),
    reply: charge,
  });
  const account = { settings: { api_key: 'k-1', client_id: 'c', client_secret: 's' }, key: 'step-key' };
  const asked = { ...account, credential: { access_token: 't' } };
  expect(request(undefined, asked)).toMatchObject({ json: {}, sign: { scheme: 'hmac', key: 'k-1' } });
  expect(request(signature('own'), asked).sign).toMatchObject({ key: 'own' });
  expect(request([], asked).sign).toEqual([]);
  const [token] = signed.endpoints.map(anyEndpoint);
  expect(token?.request(undefined, account)).not.toHaveProperty('sign');
});

test('a keyed request carries its key in the header that the provider has for it, others carry none', () => {
  const keyed = providerApi(settings, { source: 'the manual', keyHeader: 'x-request-id' });
  const facts = { path: '/charges', request: (json: string) => ({ json }), reply: charge };
  const create = keyed.endpoint({ ...facts, name: 'create', repeat: 'keyed' });
  const read = keyed.endpoint({ ...facts, name: 'read', repeat: 'safe' });
  expect(create.request('a', context)).toEqual({ json: 'a', headers: { 'x-request-id': 'step-key' } });
  expect(read.request('a', context)).toEqual({ json: 'a' });
  expect([create.method, read.method]).toEqual(['POST', 'GET']);
});

test('a payment is looked up by the provider’s reference, and by ours where that is not known', () => {
  const other = providerApi(settings, { source: 'the manual' });
  const getCharge = other.lookup('get-charge', '/charges/{id}', {
    found: charge,
    absent: problem,
    samples: { found: {}, absent: {} },
  });
  const called = (payment: { readonly merchantReference: string; readonly providerReference?: string }) =>
    getOrFind(payment, { get: getCharge, find: findCharge }).next().value;
  expect(called({ merchantReference: 'ours' })).toMatchObject({ step: 'find-charge', input: 'ours' });
  expect(called({ merchantReference: 'ours', providerReference: 'c-1' })).toMatchObject({
    step: 'get-charge',
    input: 'c-1',
  });
});

test('examples come from the provider’s documentation unless they name another source', () => {
  expect(createCharge.examples.map(({ source }) => source)).toEqual(['the manual', 'a letter of the provider']);
  expect(findCharge.examples).toMatchObject([{ is: 'found' }, { is: 'absent', source: 'the manual' }]);
});

test('the visible fields of an endpoint are added to those of the provider', () => {
  expect(findCharge.visible).toEqual(['id']);
  expect(createCharge.visible).toEqual(['id', 'code']);
});

test('the endpoints are listed in the order of their declaration', () => {
  expect(api.endpoints.map(({ name }) => name)).toEqual(['find-charge', 'create-charge']);
});

test('a lookup is safe, and its reply is the resource or 404', () => {
  expect(findCharge).toMatchObject({ method: 'GET', repeat: 'safe' });
  expect(Object.entries(findCharge.variants).map(([is, { status }]) => [is, status])).toEqual([
    ['found', 200],
    ['absent', 404],
  ]);
});

test.each(['/charges', '/shops/{shop}/charges/{id}'])('a lookup is refused for the path %s', (path) => {
  const declared = { found: charge, absent: problem, samples: { found: {}, absent: {} } };
  expect(() => api.lookup('odd', path, declared)).toThrow(`A lookup has one {name} in its path; "${path}" has not.`);
});

test('lookups of an API that says what is absent share that reply, whose body its words are read from', () => {
  const other = providerApi(settings, {
    source: 'the manual',
    absent: reply([400, 404], z.object({ error: z.string() }), { error: 'none' }),
    words: ({ error }) => ({ code: error }),
  });
  const found = reply(200, charge, { id: 'c-1' });
  const get = other.lookup('get-charge', '/charges/{id}', found);
  const own = { found, absent: reply(410, problem, { code: 'gone' }) };
  expect(get.variants).toMatchObject({ found: { status: 200 }, absent: { status: [400, 404] } });
  expect(get.examples).toMatchObject([{ is: 'found' }, { is: 'absent', status: 400, body: { error: 'none' } }]);
  expect(other.lookup('get-old-charge', '/old/{id}', own).variants).toMatchObject({ absent: { status: 410 } });
  const asked = other.outcome(get, 'c-1', ({ body }) => pending(body.id));
  asked.next();
  expect(asked.next({ reply: 'absent', body: { error: 'none' } }).value).toEqual(notFound({ code: 'none' }));
});

test('a lookup of a single reply is refused where the API does not say what is absent', () => {
  expect(() => api.lookup('odd', '/charges/{id}', reply(200, charge))).toThrow(
    '"odd" does not say what it answers where nothing is found, nor does its API.',
  );
});

test('what is found by a name is the reply created of the request that carried it; what is absent is absent', () => {
  const finder = foundBy(findCharge, ({ reference }: { readonly reference: string }) => reference);
  const sent = { reference: 'r-1' };
  expect(finder.input(sent, context)).toBe('r-1');
  expect(finder.read({ reply: 'found', body: { id: 'c-1' } }, sent)).toEqual({
    found: { reply: 'created', body: { id: 'c-1' } },
  });
  expect(finder.read({ reply: 'absent', body: { code: 'none' } }, sent)).toBe('absent');
});

test('what does not say by itself whether a request was taken is read with what the request carried', () => {
  const listed = api.endpoint('list-charges', 'GET /charges', {
    repeat: 'safe',
    request: () => ({ query: { limit: '100' } }),
    reply: z.array(charge),
  });
  const sent = { id: 'c-2' };
  const finder = foundBy(
    listed,
    undefined,
    (all, { id }: typeof sent) => all.find((each) => each.id === id) ?? 'unclear',
  );
  expect(finder.input(sent, context)).toBeUndefined();
  expect(finder.read([{ id: 'c-1' }, { id: 'c-2' }], sent)).toEqual({
    found: { reply: 'created', body: { id: 'c-2' } },
  });
  expect(finder.read([{ id: 'c-1' }], sent)).toBe('unclear');
  expect(foundBy(findCharge, String, () => 'absent').read({ reply: 'found', body: { id: 'c-1' } }, 'r-1')).toBe(
    'absent',
  );
});

test('refuses a request line without a method', () => {
  const rest = { repeat: 'safe', request: () => ({}), reply: charge } as const;
  // @ts-expect-error -- as an author writes it whose code no compiler reads
  const declare = () => providerApi(settings, { source: 'the manual' }).endpoint('get-charges', '/charges', rest);
  expect(declare).toThrow('"/charges" is no request line. Write a method and a path: POST /charges/{id}.');
});

test('an endpoint is declared by its name and the line of its requests, and is the same as by one declaration', () => {
  const rest = { repeat: 'keyed', request: (json: string) => ({ json }), reply: charge } as const;
  const line = 'DELETE /charges/{id}/hold';
  const { request: _, ...byLine } = providerApi(settings, { source: 'the manual' }).endpoint('let-go', line, rest);
  const whole = { ...rest, name: 'let-go', method: 'DELETE', path: '/charges/{id}/hold' } as const;
  const { request: __, ...byAll } = providerApi(settings, { source: 'the manual' }).endpoint(whole);
  expect(byLine).toEqual(byAll);
  expect(byLine).toMatchObject({ name: 'let-go', method: 'DELETE', path: '/charges/{id}/hold' });
});

test('notifications are read as the replies of the provider, and their examples come from its documentation', () => {
  const body = z.object({ id: z.string() });
  const facts = { verify: { scheme: 'unsigned', confirm: 'status' }, body, events: () => [] } as const;
  expect(api.notifications({ ...facts, examples: [{ body: { id: 'c-1' } }] })).toEqual({
    ...facts,
    codec: 'json',
    examples: [{ body: { id: 'c-1' }, source: 'the manual' }],
  });
  const other = providerApi(settings, { source: 'the manual', codec: 'form' });
  expect(other.notifications(facts)).toEqual({ ...facts, codec: 'form' });
  expect(other.notifications({ ...facts, codec: 'json', examples: [{ body: {}, source: 'a letter' }] })).toMatchObject({
    codec: 'json',
    examples: [{ source: 'a letter' }],
  });
});

test('a refusal is a hard decline with the provider’s words', () => {
  expect(refusedBy({ code: 'no', message: 'Not you.' })).toMatchObject({
    status: 'declined',
    kind: 'hard',
    code: 'declined_by_provider',
    provider: { code: 'no', message: 'Not you.' },
  });
});

test('a refusal whose code says that the reference was taken before is unknown', () => {
  expect(refusedBy({ code: 'taken' }, new Set(['taken']))).toMatchObject({ status: 'unknown' });
  expect(refusedBy({ code: 'other' }, new Set(['taken']))).toMatchObject({ status: 'declined' });
});

test('an absent payment is unknown and no decline', () => {
  expect(notFound({ code: 'none' })).toEqual({
    status: 'unknown',
    why: 'The provider does not know this payment.',
    provider: { code: 'none' },
  });
  expect(notFound()).not.toHaveProperty('provider');
});

test('a reply has its samples with it: examples of every endpoint that has the variant, with its first status', () => {
  const refused = reply([400, 422], problem, { code: 'no' }, { code: 'never' });
  const other = providerApi(settings, { source: 'the manual' });
  const request = (json: string) => ({ json });
  const replies = { created: reply(201, charge, { id: 'c-1' }), refused };
  const create = other.endpoint({ name: 'create', path: '/charges', repeat: 'once', request, replies });
  expect(create.examples).toEqual([
    { is: 'created', status: 201, body: { id: 'c-1' }, source: 'the manual' },
    { is: 'refused', status: 400, body: { code: 'no' }, source: 'the manual' },
    { is: 'refused', status: 400, body: { code: 'never' }, source: 'the manual' },
  ]);
});

test('a lookup by replies answers absent with the status that the provider has for it', () => {
  const other = providerApi(settings, { source: 'the manual' });
  const found = reply(200, charge, { id: 'c-1' });
  const get = other.lookup('get', '/charges/{id}', { found, absent: reply(400, problem, { code: 'none' }) });
  expect(get.variants['absent']?.status).toBe(400);
  expect(get.examples).toMatchObject([
    { is: 'found', status: 200 },
    { is: 'absent', status: 400 },
  ]);
});

const worded = providerApi(settings, {
  source: 'the manual',
  words: ({ code }: z.output<typeof problem>) => ({ code, message: `It says ${code}.` }),
  reasons: new Map([['poor', { kind: 'soft', code: 'insufficient_funds' }]]),
  takenBefore: new Set(['taken']),
});
const createOnce = worded.endpoint({
  name: 'create-once',
  path: '/charges',
  repeat: 'once',
  request: (json: string) => ({ json }),
  replies: { created: reply(201, charge), refused: reply(422, problem), absent: reply(404, problem) },
});

function outcomeOf(answer: { readonly reply: string; readonly body: object }) {
  const steps = worded.outcome(createOnce, 'a', ({ body }) => pending(body.id));
  expect(steps.next().value).toMatchObject({ kind: 'call', step: 'create-once', input: 'a' });
  return steps.next(answer).value;
}

test('an outcome is read from the reply that made something', () => {
  expect(outcomeOf({ reply: 'created', body: { id: 'c-1' } })).toEqual(pending('c-1'));
});

test('an outcome of a refusal has the provider’s words and the reason of its code', () => {
  expect(outcomeOf({ reply: 'refused', body: { code: 'poor' } })).toMatchObject({
    status: 'declined',
    kind: 'soft',
    code: 'insufficient_funds',
    provider: { code: 'poor', message: 'It says poor.' },
  });
  expect(worded.refusal({ code: 'other' })).toMatchObject({ status: 'declined', kind: 'hard' });
  expect(worded.refusal({ code: 'taken' })).toMatchObject({ status: 'unknown' });
});

test('an outcome of an absence is unknown, with the provider’s words', () => {
  const absent = { status: 'unknown', provider: { code: 'none', message: 'It says none.' } };
  expect(outcomeOf({ reply: 'absent', body: { code: 'none' } })).toMatchObject(absent);
  expect(worded.notFound({ code: 'none' })).toMatchObject(absent);
});

test('a provider’s words are the fields code and message unless it has others', () => {
  expect(api.refusal({ code: 'no', message: 'Not you.' })).toMatchObject({
    provider: { code: 'no', message: 'Not you.' },
  });
});
