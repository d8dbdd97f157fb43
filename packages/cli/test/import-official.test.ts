import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkAgainst, type Facts } from '@railyard/conformance/official';
import { format } from 'oxfmt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { typecheck } from '../../../test/docs/programs.ts';
import { root } from '../../../test/support/workspace.ts';
import { connectorOf, loadImported, requestFrom } from './support/imported-connector.ts';
import { callsOf, type Imported, imported, officialFacts, ownFacts, removeImported } from './support/imported.ts';

/** Official descriptions as the adapters' tests have them: reduced to facts. */
const OFFICIAL: readonly (readonly [name: string, facts: string])[] = [
  ['conekta', 'packages/connector-voucher/test/official/conekta.json'],
  ['pix-bcb', 'packages/connector-pix/test/official/bcb-pix.json'],
  ['adyen', 'packages/connector-card/test/official/adyen-checkout.json'],
  ['stripe', 'packages/connector-card/test/official/stripe.json'],
  ['btcpay', 'packages/connector-crypto/test/official/btcpay.json'],
  ['gsma', 'packages/connector-mobile-money/test/official/gsma-merchant-payments.json'],
  ['paystack', 'packages/connector-mobile-money/test/official/paystack.json'],
  ['ob-uk', 'packages/connector-open-banking/test/official/ob-uk.json'],
  ['paypal-orders', 'packages/connector-wallet/test/official/paypal-orders.json'],
  ['paypal-payments', 'packages/connector-wallet/test/official/paypal-payments.json'],
  ['govuk-pay', 'packages/connector-card/test/official/govuk-pay.json'],
  ['vipps', 'packages/connector-wallet/test/official/vipps.json'],
];

const made = new Map<string, { readonly facts: Facts; readonly files: Imported }>();

beforeAll(async () => {
  for (const [name, path] of OFFICIAL) {
    const facts = callsOf(officialFacts(path));
    made.set(name, { facts, files: await imported(name, facts) });
  }
  const facts = ownFacts('wallet.openapi.yaml', true);
  made.set('wallet', { facts, files: await imported('wallet', facts) });
});
afterAll(removeImported);

function madeOf(name: string) {
  const found = made.get(name);
  if (found === undefined) throw new Error(`${name} was not imported.`);
  return found;
}

const names = [...OFFICIAL.map(([name]) => name), 'wallet'];
const allFiles = () =>
  [...made.values()].flatMap(({ files }) => [files.endpointsFile, files.samplesFile, ...files.skeletonFiles]);

test('a reply that names a refund beside its payment has a place for each, and its lookup asks by the provider’s name', async () => {
  const { skeletonFiles } = madeOf('govuk-pay').files;
  const texts = await Promise.all(skeletonFiles.map((file) => readFile(file, 'utf8')));
  const written = texts.join('\n').replaceAll(/\s+/g, ' ');
  expect(written).toContain(
    "{ id: 'payment_id', modification: 'refund_id', modificationStatus: 'status', amount: 'amount' }",
  );
  expect(written).toContain('/v1/payments/{provider_reference}/refunds/{provider_modification}');
  expect(written).not.toContain('status: 401');
});

describe('what is written', () => {
  test('typechecks once every question is answered', () => {
    const found = typecheck(allFiles());
    expect([...found].flatMap(([file, complaints]) => complaints.map((text) => `${file}: ${text}`))).toEqual([]);
  });

  test('does not typecheck before: each complaint is a question, and each question is complained of', () => {
    const files = names.map((name) => madeOf(name).files);
    const found = typecheck(files.flatMap(({ undecidedFile, halfDecidedFile }) => [undecidedFile, halfDecidedFile]));
    for (const { undecidedFile, halfDecidedFile, questions, samples } of files) {
      const complaints = [undecidedFile, halfDecidedFile].flatMap((file) => found.get(file) ?? []);
      expect(complaints.filter((text) => !text.includes('Undecided<'))).toEqual([]);
      const text = complaints.join('\n');
      // The compiler shortens long types. A sample may be anything, so that those of samples are met when they are loaded.
      const asked = questions.filter((each) => !samples.includes(each)).map((each) => each.slice(0, 60));
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((each) => !text.includes(each))).toEqual([]);
    }
  });

  test('simulation, goldens and notifications do not typecheck before either', () => {
    const files = names.flatMap((name) => madeOf(name).files.undecidedSkeletons);
    const found = typecheck(files);
    const complaints = files.flatMap((file) => found.get(file) ?? []);
    expect(complaints.filter((text) => !text.includes('Undecided<'))).toEqual([]);
    expect(files.filter((file) => (found.get(file) ?? []).length === 0)).toEqual([]);
  });

  test('is formatted and passes the linter', async () => {
    const options = z.object({ printWidth: z.int(), singleQuote: z.boolean() });
    const { printWidth, singleQuote } = options.parse(JSON.parse(await readFile(join(root, '.oxfmtrc.json'), 'utf8')));
    for (const name of names) {
      const { endpoints, samples, skeletons } = madeOf(name).files;
      for (const text of [endpoints, samples, ...skeletons.map((each) => each.text)])
        expect((await format('written.ts', text, { printWidth, singleQuote })).code).toBe(text);
    }
    const linter = join(root, 'node_modules/.bin/oxlint');
    const linted = promisify(execFile)(linter, ['--no-ignore', '-c', join(root, '.oxlintrc.json'), ...allFiles()], {
      cwd: root,
    });
    const { stdout } = await linted.catch((error: { readonly stdout: string }) => error);
    expect(stdout).toContain('0 errors');
  });
});

describe.each(names)('%s', (name) => {
  const loaded = async () => {
    const { facts, files } = madeOf(name);
    const connector = connectorOf(await loadImported(files.endpointsFile));
    // That of a token stands beside the operations of the description.
    const endpoints = connector.endpoints.filter((each) => each.name !== 'token');
    return { facts, connector, endpoints, official: checkAgainst(facts) };
  };

  test('has an endpoint for each operation, with its method and path', async () => {
    const { endpoints, facts } = await loaded();
    const written = endpoints.map(({ method, path }) => `${method} ${path}`);
    const calls = Object.keys(facts.operations).filter((each) => each.includes(' /'));
    expect(written.toSorted()).toEqual(calls.toSorted());
  });

  test('sends what the official description asks for', async () => {
    const { endpoints, facts, connector, official } = await loaded();
    for (const endpoint of endpoints) {
      const sent = requestFrom(connector, endpoint, facts, `${endpoint.method} ${endpoint.path}`);
      expect(official.request(sent)).toEqual([]);
    }
  });

  test('has samples that its own schemas take and that the official description takes', async () => {
    const { endpoints, official } = await loaded();
    const examples = endpoints.flatMap((endpoint) => endpoint.examples.map((example) => ({ endpoint, example })));
    expect(examples.length).toBeGreaterThanOrEqual(endpoints.length);
    for (const { endpoint, example } of examples) {
      const { is = 'ok', status = 200, body } = example;
      expect(endpoint.variants[is]?.body.safeParse(body).error?.issues ?? []).toEqual([]);
      const at = { method: endpoint.method, path: endpoint.path.replaceAll(/\{\w+\}/g, 'x') };
      expect(official.reply(at, { status, body })).toEqual([]);
    }
  });
});

test('a header of the account has the form that its description gives it, and a key in Authorization is noted', async () => {
  const { files } = madeOf('vipps');
  expect(files.endpoints).toContain('merchant_serial_number: field(z.string().regex(/^[0-9]{4,6}$/), {');
  expect(files.notes).toContainEqual(expect.stringContaining('The header Authorization is described as a key.'));
});
