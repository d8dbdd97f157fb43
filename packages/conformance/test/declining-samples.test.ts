import {
  call,
  collect,
  declined,
  defineConnector,
  defineMethod,
  type Outcome,
  pending,
  providerApi,
  reply,
  statusTable,
  type Steps,
} from '@railyard/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Check } from '../src/check.ts';
import { repeatChecks } from '../src/checks/repeats.ts';
import { schemaChecks } from '../src/checks/schema.ts';
import type { SampleSession } from '../src/index.ts';
import { runCheck } from '../src/run-checks.ts';
import { subjectOf } from '../src/subject.ts';

const settings = z.object({ base_url: z.url() });
const method = defineMethod({
  key: 'noted',
  title: 'Noted',
  operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
});

const made = z.object({ id: z.string() });
const problem = z.object({ error: z.string() });
const shown = { made: { id: 'ch-1' }, absent: { error: 'unknown' } };

type Read = 'absent' | 'unclear' | { readonly found: { readonly reply: 'made'; readonly body: z.output<typeof made> } };

/** @param read how a lost request is looked up */
function noted(read: (isThere: boolean) => Read) {
  const api = providerApi(settings, { source: 'the manual of the provider of these tests' });
  const get = api.lookup('get-charge', '/charges/{id}', {
    found: reply(200, made, shown.made),
    absent: reply(404, problem, shown.absent),
  });
  const create = api.endpoint('create-charge', 'PUT /charges/{id}', {
    repeat: 'by-reference',
    request: (id: string) => ({ params: { id } }),
    find: { endpoint: get, input: (id: string) => id, read: (answer) => read(answer.reply === 'found') },
    replies: { made: reply(201, made, shown.made) },
  });
  function* purchase(): Steps<Outcome> {
    const { note } = yield* collect({ step: 'note', fields: z.object({ note: z.string() }) });
    if (note === 'early') return declined('hard', 'not_supported');
    const { body } = yield* call(create, 'ch-1');
    return note === 'late' ? declined('hard', 'not_supported') : pending(body.id);
  }
  return defineConnector({
    id: 'noted',
    contract: 1,
    version: '1.0.0',
    title: 'Noted',
    settings,
    endpoints: api.endpoints,
    statuses: statusTable({}),
    serves: (serve) => [serve(method, { purchase })],
  });
}

const sample = (note: string, declines?: SampleSession['declines']): SampleSession => ({
  name: note,
  signals: { note: { values: { note } } },
  ...(declines !== undefined && { declines }),
});

async function resultOf(
  checks: readonly Check[],
  id: string,
  connector: ReturnType<typeof noted>,
  ...purchase: SampleSession[]
) {
  const check = checks.find((each) => each.id === id);
  if (check === undefined) throw new Error(`There is no check ${id}.`);
  const subject = subjectOf(connector, {
    settings: { base_url: 'https://api.example' },
    sessions: { noted: { purchase } },
  });
  return await runCheck(subject, 'tests', check);
}

const found = noted((isThere) => (isThere ? { found: { reply: 'made', body: shown.made } } : 'absent'));
const declining = (...samples: SampleSession[]) =>
  resultOf(schemaChecks, 'declining-samples-move-nothing', found, sample('good'), ...samples);

test('a sample that its flow declines with the code that it names, before any request, is no finding', async () => {
  expect(await declining(sample('early', 'not_supported'))).toMatchObject({ status: 'passed' });
});

test.each([
  ['with another code', sample('early', 'details_missing')],
  ['after a request that moves money', sample('late', 'not_supported')],
  ['nowhere', { ...sample('good', 'not_supported'), name: 'paid' }],
])('a sample that its flow declines %s is a finding', async (_where, given) => {
  expect(await declining(given)).toMatchObject({
    status: 'failed',
    why: expect.stringContaining(`declines: '${given.declines}'`),
  });
});

test('an operation is a finding where its flow declines each of its samples', async () => {
  expect(await resultOf(schemaChecks, 'samples-are-valid', found, sample('early', 'not_supported'))).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('sessions.noted.purchase: Each sample is declined'),
  });
});

test('a look-up that reads the replies of its endpoint is no finding, and one that throws at one of them is', async () => {
  const thrower = noted((isThere) => {
    if (!isThere) throw new Error('There is no charge.');
    return 'unclear';
  });
  const looked = (connector: ReturnType<typeof noted>) =>
    resultOf(repeatChecks, 'look-ups-read-every-reply', connector, sample('good'));
  expect(await looked(found)).toMatchObject({ status: 'passed' });
  expect(await looked(thrower)).toMatchObject({
    status: 'failed',
    why: 'endpoints.create-charge: find throws: There is no charge.',
  });
});
