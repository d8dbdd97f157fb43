import { call, type Connector, type RawNotification, secret } from '@railyard/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkConformance, conformance } from '../src/index.ts';
import { bank, type Flaw, options } from './support/bank.ts';
import { runOnly } from './support/run-only.ts';

const failedOf = ({ results }: Awaited<ReturnType<typeof checkConformance>>) =>
  results.filter(({ status }) => status === 'failed').map(({ id }) => id);

test('a correct connector reaches the highest level, and no check is left out', async () => {
  const report = await checkConformance(bank(), options);
  const open = report.results.filter(({ status, applicable }) => status !== 'passed' && applicable);
  expect(open).toEqual([]);
  expect(report.level).toBe('excellent');
});

test('a check that looks at nothing is skipped with its reason, in the report and in a runner', async () => {
  const { results } = await checkConformance(bank(), options);
  const skipped = results.filter(({ status }) => status === 'skipped');
  expect(skipped.find(({ id }) => id === 'cards-are-not-kept')?.why).toBe('No sample has a card.');
  for (const { applicable, why = '' } of skipped)
    expect({ applicable, says: why.length > 10 }).toEqual({ applicable: false, says: true });
  const left: unknown[] = [];
  const skip = (note: unknown) => left.push(note);
  const tasks: Promise<void>[] = [];
  conformance(bank(), {
    ...options,
    test: (_name, run) => tasks.push(Promise.resolve(run(Object.assign(() => 0, { skip })))),
  });
  await Promise.all(tasks);
  expect(left.toSorted()).toEqual(skipped.map(({ why = '' }) => `Does not apply: ${why}`).toSorted());
});

test('there are at least forty checks, each with its own id and its title', async () => {
  const { results } = await checkConformance(bank(), options);
  expect(new Set(results.map(({ id }) => id)).size).toBe(results.length);
  expect(results.length).toBeGreaterThan(60);
  for (const { id, title } of results)
    expect({ id, fits: /^[a-z0-9-]+$/.test(id) && title.length > 20 }).toEqual({ id, fits: true });
});

const FLAWS: readonly (readonly [flaw: Flaw, check: string, path: string])[] = [
  ['wrong units', 'amounts-reach-the-provider', 'sessions.bank-transfer.purchase'],
  ['a wrong status row', 'golden-replies-are-read', 'goldens.0'],
  ['every waiting word read as a fault', 'status-rows-decide', 'endpoints.create-charge'],
  ['a false keyed', 'keys-are-on-the-wire', 'endpoints.create-charge'],
  ['unknown taken as pending', 'invented-status-is-unknown', 'endpoints.create-charge'],
  ['an unsigned notification trusted', 'notifications-have-a-key', 'notifications.verify'],
  ['a body that the proof does not cover', 'notification-forged', 'sessions.bank-transfer.purchase'],
  ['a secret in a reason', 'secrets-not-in-outcomes', 'sessions.bank-transfer.purchase'],
  ['a clock read', 'no-clock', 'sessions.bank-transfer.purchase'],
  ['a limit edge off by one', 'limit-edges', 'methods.bank-transfer.limits.0'],
  ['a required field that only the flow knows', 'optional-fields-can-be-left-out', 'sessions.bank-transfer.purchase'],
  ['a notification applied twice', 'notification-twice', 'sessions.bank-transfer.purchase'],
  ['a refund over the rest', 'partial-refunds-keep-within-the-rest', 'sessions.bank-transfer.purchase'],
  ['a reply of another payment trusted', 'reply-of-another-payment', 'endpoints.'],
  ['the asked amount taken for the paid one', 'settled-amount-is-the-providers', 'endpoints.'],
  ['an event with a field that nobody knows', 'events-are-of-the-contract', 'notifications.events'],
  ['a refund reported as a payment', 'refunds-are-reported-as-refunds', 'notifications.events'],
  [
    'a refund that only its reference shows reported as a payment',
    'refunds-are-reported-as-refunds',
    'notifications.events',
  ],
  ['a refund that only a word shows reported as a payment', 'refunds-are-reported-as-refunds', 'notifications.events'],
  ['a refund reported under the reference of the payment', 'refunds-are-reported-as-refunds', 'notifications.events'],
  ['state beside the flow', 'flows-are-deterministic', 'sessions.bank-transfer.purchase'],
  ['an unknown payment taken for a declined one', 'refused-repeat-is-no-decline', 'endpoints.create-charge'],
  ['an unknown refund taken for a declined one', 'refused-repeat-in-modifications', 'endpoints.create-refund'],
];

test.each(FLAWS)('%s is caught by %s', async (flaw, id, path) => {
  const results = await runOnly(bank(flaw), options, (check) => check.id === id);
  expect(results).toMatchObject([{ id, level: 'required', status: 'failed', path: expect.stringContaining(path) }]);
});

const LACKS: readonly (readonly [flaw: Flaw, check: string, path: string])[] = [
  [
    'a refund that is sent once and never asked for',
    'modification-status-is-looked-up',
    'serves.bank-transfer.modificationStatus',
  ],
  ['a reply with a word that the table lacks', 'examples-speak-the-table', 'endpoints.get-charge'],
  ['a notification with a word that the table lacks', 'examples-speak-the-table', 'notifications.examples'],
];

test.each(LACKS)('%s keeps a connector below recommended by %s alone', async (flaw, id, path) => {
  const report = await checkConformance(bank(flaw), options);
  expect(report.level).toBe('required');
  expect(failedOf(report)).toEqual([id]);
  expect(report.results.find((each) => each.id === id)?.path).toBe(path);
});

const withSecret = (connector: Connector): Connector => ({
  ...connector,
  settings: connector.settings.extend({ client_secret: secret(z.string().min(1), 'Client secret') }),
});
const secretOptions = { ...options, settings: { ...options.settings, client_secret: 'the-client-secret' } };

test('a secret that is never read keeps a connector below recommended by secrets-are-read alone', async () => {
  const report = await checkConformance(withSecret(bank()), secretOptions);
  expect(report.level).toBe('required');
  expect(failedOf(report)).toEqual(['secrets-are-read']);
  expect(report.results.find(({ id }) => id === 'secrets-are-read')?.path).toBe('settings.client_secret');
});

test('a secret that only the check of an account or a client certificate reads is read', async () => {
  const key = (settings: unknown) => z.object({ client_secret: z.string() }).parse(settings).client_secret;
  const connector = withSecret(bank());
  const [getCharge] = connector.endpoints.filter(({ name }) => name === 'get-charge');
  const check: Connector['check'] = function* ({ settings }) {
    if (getCharge !== undefined) yield* call(getCharge, key(settings));
    return { works: true };
  };
  const tls: Connector['tls'] = (settings) => ({ cert: 'cert', key: key(settings) });
  for (const more of [{ check }, { tls }])
    expect(failedOf(await checkConformance({ ...connector, ...more }, secretOptions))).toEqual([]);
});

test('a connector that answers every request as a try of its address fails, and one that answers the try alone does not', async () => {
  const answering = (isTry: (method: string) => boolean): Connector => {
    const { notifications, ...connector } = bank();
    if (notifications === undefined) throw new Error('The bank sends no notifications.');
    const addressCheck: (raw: RawNotification) => string | undefined = ({ method, headers }) =>
      isTry(method) ? (headers['x-try'] ?? '') : undefined;
    return { ...connector, notifications: { ...notifications, addressCheck } };
  };
  const failing = failedOf(
    await checkConformance(
      answering(() => true),
      options,
    ),
  );
  expect(failing).toContain('notifications-are-no-address-checks');
  expect(
    failedOf(
      await checkConformance(
        answering((method) => method === 'GET'),
        options,
      ),
    ),
  ).toEqual([]);
});
