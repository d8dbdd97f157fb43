import { ACCOUNT_OPTIONS, type Account, accountFor, readAccounts } from '../connectors/accounts.ts';
import { CONNECTOR_OPTIONS, findConnectors, type Found } from '../connectors/find-connectors.ts';
import { checkConfiguration } from '../doctor/check-configuration.ts';
import { checkProvider } from '../doctor/check-provider.ts';
import type { Finding } from '../doctor/finding.ts';
import { notificationAddress, sendNotification } from '../doctor/send-notification.ts';
import type { Io } from '../output/io.ts';
import type { Look } from '../output/look.ts';
import { type Command, type Given, isSet, textOf, UsageError } from './command.ts';

export const doctor: Command = {
  usage: 'doctor [--mid ID] [--notify]',
  help: 'Checks accounts: their settings, whether the provider accepts their credentials (a call that changes nothing), and with --notify whether a running service accepts their notifications through its public address. Lists each check that it could not make, and why.',
  options: {
    ...ACCOUNT_OPTIONS,
    notify: { type: 'boolean', says: 'send notifications to the running service; it keeps none of them' },
    'public-url': { type: 'string', hint: 'URL', says: 'of that service; default: publicUrl of the configuration' },
    offline: { type: 'boolean', says: 'call no provider' },
    ...CONNECTOR_OPTIONS,
  },
  words: [0, 0],
  async run(given, io) {
    const found = await findConnectors(given, io.cwd);
    const findings = await examine(given, io, found);
    return {
      code: findings.some(({ result }) => result === 'failed') ? 1 : 0,
      json: { findings },
      text: (look) => tableOf(findings, look),
    };
  },
};

async function examine(given: Given, io: Io, found: Found): Promise<Finding[]> {
  const only = textOf(given, 'mid');
  const read = await readAccounts(found);
  const apart = textOf(given, 'settings') === undefined ? [] : [await accountFor(given, found, io)];
  const accounts = apart.length > 0 ? apart : read.accounts.filter(({ id }) => id === (only ?? id));
  const wrong = read.problems.filter(({ mid }) => apart.length === 0 && mid === (only ?? mid));
  if (accounts.length === 0 && wrong.length === 0)
    throw new UsageError(
      only === undefined
        ? 'There is no account to check. Name a configuration with mids (--config FILE), or settings (--settings FILE).'
        : `There is no account "${only}". There are: ${read.accounts.map(({ id }) => id).join(', ') || 'none'}.`,
    );
  const findings = only === undefined && apart.length === 0 ? await checkConfiguration(found) : [];
  for (const { mid, path, message } of wrong)
    findings.push({ of: mid, check: 'settings', result: 'failed', says: `${path}: ${message}` });
  const { kyTransport } = await import('@railyard/runtime');
  const transport = kyTransport();
  try {
    // One after another: a provider may count calls.
    for (const account of accounts) findings.push(...(await examineAccount(account, given, found, transport)));
  } finally {
    await transport.close();
  }
  return findings;
}

type Transport = Parameters<typeof checkProvider>[1];

async function examineAccount(account: Account, given: Given, found: Found, transport: Transport): Promise<Finding[]> {
  const of = { of: account.id };
  const provider = isSet(given, 'offline')
    ? ({ result: 'not done', says: 'Not asked (--offline).' } as const)
    : await checkProvider(account, transport);
  return [
    { ...of, check: 'settings', result: 'ok', says: `The settings are complete for ${account.connector.id}.` },
    { ...of, check: 'provider', ...provider },
    { ...of, check: 'notification', ...(await notify(account, given, found, transport)) },
  ];
}

async function notify(account: Account, given: Given, { config }: Found, transport: Transport) {
  const notDone = (says: string) => ({ result: 'not done', says }) as const;
  const url = textOf(given, 'public-url') ?? config?.['publicUrl'];
  const isSetThere = account.connector.notifications?.address === 'at-provider';
  const enter =
    isSetThere && typeof url === 'string' ? `Enter ${notificationAddress(account, url)} at the provider. ` : '';
  if (!isSet(given, 'notify')) return notDone(`${enter}Not sent; --notify sends one to the running service.`);
  if (typeof url !== 'string') return notDone('The configuration has no publicUrl; give --public-url.');
  return sendNotification(account, url, transport);
}

const COLOURS = { ok: 'green', failed: 'red', 'not done': 'yellow' } as const;

function tableOf(findings: readonly Finding[], look: Look): string {
  const table = look.table(
    ['account', 'check', 'result', 'what was found'],
    findings.map(({ of, check, result, says }) => [of, check, result, says]),
  );
  const failed = findings.filter(({ result }) => result === 'failed').length;
  const end =
    failed === 0
      ? look.paint(COLOURS.ok, 'Nothing is wrong.')
      : look.paint(COLOURS.failed, `${failed} of ${findings.length} failed.`);
  return `${table}\n${end}`;
}
