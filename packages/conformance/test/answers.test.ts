import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { answersIn, QUESTIONS } from '../src/answers.ts';
import { answerChecks } from '../src/checks/answers.ts';
import { runCheck } from '../src/run-checks.ts';
import { subjectOf } from '../src/subject.ts';
import { bank, options } from './support/bank.ts';

const template = new URL('../../create-connector/template/answers.md', import.meta.url);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'railyard-answers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What each of the checks says of the bank beside a page of answers. */
async function findings(text: string, connector = bank()): Promise<Record<string, string>> {
  const file = join(folder, `${crypto.randomUUID()}.md`);
  await writeFile(file, text);
  const subject = subjectOf(connector, { ...options, answers: pathToFileURL(file) });
  const results = await Promise.all(answerChecks.map((check) => runCheck(subject, 'answers', check)));
  return Object.fromEntries(results.map(({ id, status, why = '' }) => [id, `${status} ${why}`]));
}

const page = (question: string, ...lines: readonly string[]) => `# Answers\n\n## ${question}\n\n${lines.join('\n')}\n`;

test('the page that create-connector writes has each question once', async () => {
  const answers = answersIn(await readFile(template, 'utf8'));
  expect([...answers.keys()]).toEqual([...QUESTIONS]);
  for (const { values, quotation, source } of answers.values()) {
    expect(values.size).toBeGreaterThan(0);
    expect(quotation).not.toBe('');
    expect(source).not.toBe('');
  }
});

test.each([
  ['## Colour of the logo', /unknown title/],
  ['## Final words\n\n## Final words', /twice/],
])('a page with %j is no page of answers', (text, why) => {
  expect(() => answersIn(text)).toThrow(why);
});

test.each([
  ['Unit of amounts', ['- USD: decimal'], ['- USD: minor'], /writes USD as minor, and create-charge sends 25\.00/],
  ['Unit of amounts', ['- all: decimal'], ['- all: cents'], /"cents" is no unit/],
  [
    'Idempotency key',
    ['- header: Idempotency-Key'],
    ['- header: x-request-id'],
    /create-charge sends no header x-request-id/,
  ],
  ['Idempotency key', ['- header: idempotency-key'], ['- header: none'], /takes no key, and create-charge/],
  [
    'Idempotency key',
    ['- kept: for ever'],
    ['- kept: 24 hours'],
    /for 24 hours: declare keyed: \{ forHours: 24 \} of create/,
  ],
  ['Look-up after a lost reply', ['- by: both'], ['- by: none'], /Declare lookups: 'none'/],
  ['Look-up after a lost reply', ['- by: our reference'], ['- by: name'], /"name" is no answer/],
  [
    'Final words',
    ['- settled: PAID', '- declined: FAILED'],
    ['- settled: PAID, OPEN'],
    /"OPEN" is settled by the documentation/,
  ],
  ['Final words', ['- settled: PAID'], ['- declined: not known, FAILED'], /"not known" is declined/],
  [
    'Words of refunds, captures and disputes',
    ['- refund settled: DONE, PAID'],
    ['- refund settled: DONE'],
    /says "PAID" for a refund/,
  ],
  ['409, 429 and server errors', ['- 409: taken before', '- 429: try later', '- 5xx: unknown'], [], undefined],
  [
    'Signature of webhooks',
    ['- scheme: hmac', '- algorithm: SHA256', '- header: x-signature'],
    ['- encoding: base64'],
    /encoding is "base64" by the documentation, and "hex"/,
  ],
  ['Address of webhooks', ['- address: in-requests'], ['- address: at-provider'], /connector declares in-requests/],
  [
    'Acknowledgement of webhooks',
    ['- status: 200'],
    ['- status: 204'],
    /expects the status "204", and the connector answers "200"/,
  ],
] as const)('%s: %j is kept, and %j is not', async (question, kept, broken, why) => {
  expect(await findings(page(question, ...kept))).toMatchObject({ 'answers-are-kept': 'passed ' });
  if (why !== undefined) expect((await findings(page(question, ...broken)))['answers-are-kept']).toMatch(why);
});

test('a 409 that means "taken before" is no refusal', async () => {
  const { endpoints, ...connector } = bank();
  const conflicting = endpoints.map((endpoint) =>
    endpoint.name === 'create-charge'
      ? { ...endpoint, variants: { ...endpoint.variants, refused: { status: [409, 422], body: z.unknown() } } }
      : endpoint,
  );
  const said = await findings(page('409, 429 and server errors', '- 409: taken before'), {
    ...connector,
    endpoints: conflicting,
  });
  expect(said['answers-are-kept']).toMatch(/create-charge reads 409 as a refusal/);
});

test('amounts in cents are found where the simulation and the goldens make the same mistake', async () => {
  const said = await findings(page('Unit of amounts', '- USD: decimal'), bank('wrong units'));
  expect(said['answers-are-kept']).toMatch(/writes USD as decimal, and create-charge sends 2500/);
});

test('an answer is decided once it names a value, the sentence and its place, or a source that is silent', async () => {
  const whole = await readFile(template, 'utf8');
  const answer = (value: string, ...more: readonly string[]) =>
    whole.replace(
      /^## Retries of webhooks[^]*?(?=^## )/m,
      `## Retries of webhooks\n\n- retries: ${value}\n\n${more.join('\n')}\n\n`,
    );
  const saidOf = async (text: string) => (await findings(text))['answers-are-decided'] ?? '';
  const place = 'Source: the manual of the bank of these tests, chapter 4';
  expect(await saidOf(answer('undecided', place))).toMatch(/retries: undecided\. Look it up/);
  expect(await saidOf(answer('for a day', place))).toMatch(/Copy the sentence/);
  expect(await saidOf(answer('for a day', '> They are sent for a day.'))).toMatch(/Source: /);
  for (const text of [answer('for a day', '> They are sent for a day.', '', place), answer('not documented', place)])
    expect(await saidOf(text)).toBe('passed ');
});

test('without a page of answers no check applies', async () => {
  const subject = subjectOf(bank(), options);
  for (const check of answerChecks)
    expect(await runCheck(subject, 'answers', check)).toMatchObject({ status: 'skipped', applicable: false });
});
