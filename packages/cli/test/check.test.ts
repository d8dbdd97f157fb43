import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';
import { fixture, folderOf, runCli } from './support/run-cli.ts';

// Below the package, so that what is written here finds the connector.
const folder = mkdtempSync(fixture('check-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
writeFileSync(
  at('paystack.mjs'),
  `export { paystackConnector } from '@railyard/connector-mobile-money';\nexport { paystackSimulation } from '@railyard/connector-mobile-money/simulation';\n`,
);
const FACTS = folderOf('packages/connector-mobile-money/test/official/paystack.json');
const GOLDENS = folderOf('packages/connector-mobile-money/test/paystack-goldens.ts');
const CONNECTOR = ['--connector', at('paystack.mjs')];

/** Its provider's facts with one text in place of another. */
async function otherFacts(name: string, from: string, to: string) {
  const { readFile, writeFile } = await import('node:fs/promises');
  const text = JSON.stringify(JSON.parse(await readFile(FACTS, 'utf8')));
  expect(text).toContain(from);
  await writeFile(at(name), text.replaceAll(from, to));
  return at(name);
}

describe('railyard check', () => {
  test('answers 0 where goldens, requests and examples are what the description says', async () => {
    const { code, said, complained } = await runCli(['check', FACTS, '--goldens', GOLDENS, ...CONNECTOR]);
    expect(complained).toBe('');
    expect(said).toMatch(/^mobile-money-paystack: \d\d+ requests and \d\d+ replies compared, 0 contradictions$/m);
    expect(code).toBe(0);
  });

  test('answers 1 with each contradiction, and in JSON for programs', async () => {
    const facts = await otherFacts('other.json', '"currency"', '"coin"');
    const { code, answer } = await jsonInPipe(['check', facts, ...CONNECTOR]);
    expect(code).toBe(1);
    expect(answer.problems).toContainEqual({
      endpoint: 'create-charge',
      of: 'request',
      says: 'POST /charge body: must NOT have unevaluated properties (currency)',
    });
    const { said } = await runInPipe(['check', facts, ...CONNECTOR]);
    expect(said).toContain(
      'create-charge\trequest\tPOST /charge body: must NOT have unevaluated properties (currency)',
    );
  });

  test.each([
    [
      'with a field that only the provider writes',
      '"merchant_note":{"type":"string"}',
      '"merchant_note":{"type":"string","readOnly":true}',
      ['create-refund', 'POST /refund body: must NOT have unevaluated properties (merchant_note)'],
    ],
    [
      'without a required field',
      '"required":["transaction"]',
      '"required":["transaction","reason"]',
      ['create-refund', "POST /refund body: must have required property 'reason'"],
    ],
    [
      'with a query that the description lacks',
      '"name":"transaction","in":"query"',
      '"name":"charge","in":"query"',
      ['list-refunds', 'GET /refund query transaction: the description has no such field'],
    ],
  ])('answers 1 where a request is sent %s', async (name, from, to, [endpoint, says]) => {
    const facts = await otherFacts(`${name.replaceAll(' ', '-')}.json`, from, to);
    const { code, answer } = await jsonInPipe(['check', facts, ...CONNECTOR]);
    expect(code).toBe(1);
    expect(answer.problems).toContainEqual({ endpoint, of: 'request', says });
  });

  test('of an endpoint that no description has says so, unless it is excepted', async () => {
    const facts = await otherFacts('moved.json', '/charge/submit_otp', '/charge/submit_code');
    const { code, said } = await runInPipe(['check', facts, ...CONNECTOR]);
    expect(code).toBe(1);
    expect(said).toContain('POST /charge/submit_otp: no description has this operation.');
    expect((await runInPipe(['check', facts, '--except', 'submit-otp', ...CONNECTOR])).code).toBe(0);
  });

  test('reads several descriptions: each endpoint is held against those that have it', async () => {
    const facts = await otherFacts('first.json', '/refund', '/repayment');
    const { code } = await runInPipe(['check', facts, FACTS, ...CONNECTOR]);
    expect(code).toBe(0);
  });

  test('refuses an endpoint that the connector does not have, and a module without goldens', async () => {
    const unknown = await runInPipe(['check', FACTS, '--except', 'token', ...CONNECTOR]);
    expect(unknown).toMatchObject({ code: 2, complained: expect.stringContaining('has no endpoint "token". It has ') });
    const none = await runInPipe(['check', FACTS, '--goldens', at('paystack.mjs'), ...CONNECTOR]);
    expect(none).toMatchObject({ code: 2, complained: expect.stringContaining('exports no list of golden exchanges') });
  });
});
