import { moneyOfMinor, type StatusReport, type Steps } from '@railyard/core';
import type { Checked } from '@railyard/core/driver';
import { OPERATIONS } from '@railyard/core/registry';
import type { SafeAnswer, Transport } from '@railyard/runtime';
import { randomUUID } from 'node:crypto';
import type { Account } from '../connectors/accounts.ts';
import { withoutSecrets } from '../connectors/hide-secrets.ts';
import type { Finding } from './finding.ts';

type Report = Pick<Finding, 'result' | 'says'>;

/**
 * Asks the provider something that changes nothing: the connector's own `check`; where it has none, the status of a made-up
 * payment.
 */
export async function checkProvider(account: Account, transport: Transport): Promise<Report> {
  const { connector, settings } = account;
  const { askSafely, isSecretSetting } = await import('@railyard/runtime');
  const asking = { connector, settings, transport, key: randomUUID() };
  try {
    const own = connector.check?.(contextOf(settings));
    if (own !== undefined)
      return reportOf(connector.id, await askSafely(asking, own), (checked: Checked) =>
        checked.works ? ok('The connector’s check says that the account works.') : failed(checked.why),
      );
    const lookup = lookupOf(account);
    if (lookup === undefined)
      return { result: 'not done', says: `${connector.id} has neither a check nor a status flow.` };
    return reportOf(connector.id, await askSafely(asking, lookup), told);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failed(`The connector failed: ${withoutSecrets(why, connector, settings, isSecretSetting)}`);
  }
}

const ok = (says: string): Report => ({ result: 'ok', says });
const failed = (says: string): Report => ({ result: 'failed', says });

function contextOf(settings: unknown) {
  const urls = { notify: 'https://checkout.example/notify', return: 'https://checkout.example/return' };
  return { settings, now: new Date().toISOString(), urls };
}

/** The `status` flow for a made-up payment: its reference is new. */
function lookupOf({ connector, settings }: Account): Steps<StatusReport> | undefined {
  const served = connector.serves.find(({ flows }) => flows.status !== undefined);
  if (served === undefined) return undefined;
  const { method, flows } = served;
  const reference = randomUUID();
  const currency = method.currencies?.[0] ?? 'USD';
  return flows.status?.({
    ...contextOf(settings),
    payment: {
      id: reference,
      merchantReference: reference,
      operation: OPERATIONS.find((each) => method.operations[each] !== undefined) ?? 'purchase',
      amount: moneyOfMinor(100n, currency),
      order: { number: `railyard-doctor-${reference}`, currency, description: 'A made-up payment' },
      test: true,
      connectorState: {},
    },
  });
}

function told(report: StatusReport): Report {
  return 'status' in report && report.status === 'unknown'
    ? ok('It answered, and does not know a made-up payment.')
    : ok('It answered in words that the connector knows.');
}

function reportOf<T>(connector: string, answer: SafeAnswer<T>, read: (value: T) => Report): Report {
  switch (answer.kind) {
    case 'answered':
      return answer.requests === 0
        ? { result: 'not done', says: `${connector} has no check, and asks nothing about a made-up payment.` }
        : read(answer.value);
    case 'refused':
      return failed(
        `It refused the credentials (${answer.status} from ${answer.endpoint}). Check the settings of the account.`,
      );
    case 'unrecognised':
      return failed(
        `The connector does not understand the answer: ${answer.why}. Check the address, and the version of the provider’s API.`,
      );
    case 'unreachable':
      return failed(`${answer.why} Check the address and the network.`);
    case 'unsafe':
      return { result: 'not done', says: `The connector offers nothing that only asks. ${answer.why}` };
  }
}
