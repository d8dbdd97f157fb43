import { withoutTrailingSlashes } from '@railyard/core/protocol';
import type { Transport } from '@railyard/runtime';
import { randomUUID } from 'node:crypto';
import type { Account } from '../connectors/accounts.ts';
import type { Finding } from './finding.ts';

type Report = Pick<Finding, 'result' | 'says'>;

/** A body that no connector takes for a notification: the service acknowledges it, because it is signed, and applies nothing. */
const BODY = { railyard: 'doctor' };

/** Schemes whose proof the account can make as well as its provider. */
const SHARED: ReadonlySet<string> = new Set(['hmac', 'shared-secret', 'basic']);

/** Where the provider of an account sends its notifications. */
export const notificationAddress = (account: Account, publicUrl: string): string =>
  `${withoutTrailingSlashes(publicUrl)}/notify/${account.id}`;

/**
 * Sends a notification to a running service the way the provider does: through its public address, signed with the account's secret. A
 * forged one must be refused for its signature (401), the signed one acknowledged (2xx). The service keeps the signed one as not understood, which
 * its log reports once; no payment changes.
 *
 * @param publicUrl of the service
 */
export async function sendNotification(account: Account, publicUrl: string, transport: Transport): Promise<Report> {
  const { connector } = account;
  if (connector.notifications === undefined)
    return { result: 'not done', says: `${connector.id} takes no notifications.` };
  const url = notificationAddress(account, publicUrl);
  const { verify } = connector.notifications;
  const { scheme } = verify;
  if (scheme === 'unsigned') {
    const reached = await send(account, url, transport, false);
    return isTaken(reached)
      ? { result: 'ok', says: 'The service takes notifications; they are unsigned, and only lead to a lookup.' }
      : unexpected(reached, url);
  }
  // A signature in a field of the body needs a body of the provider's.
  const isOurs = SHARED.has(scheme) && !('field' in verify);
  const forged = isOurs ? await send(account, url, transport, true) : await sendBare(url, transport);
  if (forged !== 401) return unexpected(forged, url);
  if (!isOurs)
    return {
      result: 'not done',
      says: 'The service refuses forged notifications. A genuine one can only be made by the provider.',
    };
  const genuine = await send(account, url, transport, false);
  if (isTaken(genuine))
    return {
      result: 'ok',
      says: 'The service refuses a forged notification and accepts our signature. Its log reports ours once as not understood.',
    };
  return genuine === 401
    ? {
        result: 'failed',
        says: 'The service refused our signature: it runs with another secret, or something on the way changes headers or body.',
      }
    : unexpected(genuine, url);
}

const isTaken = (answer: number | string): boolean => typeof answer === 'number' && answer >= 200 && answer < 300;

function unexpected(answer: number | string, url: string): Report {
  const what = typeof answer === 'number' ? `It answered ${answer}` : answer;
  const hint = answer === 404 ? ' Does the service run with this account, and is publicUrl right?' : '';
  return { result: 'failed', says: `${what} at ${url}.${hint}` };
}

async function send(account: Account, url: string, transport: Transport, forged: boolean): Promise<number | string> {
  const { prove } = await import('@railyard/simulator');
  const now = Date.now();
  const event = { id: randomUUID(), now: new Date(now).toISOString() };
  const headers = account.simulation?.notification?.headers?.(event) ?? {};
  const { connector, settings, id: name } = account;
  const proven = prove({ connector, settings, name }, { url, headers, value: BODY }, { forged, now });
  return post(url, proven, transport);
}

const sendBare = (url: string, transport: Transport) =>
  post(url, { headers: {}, body: JSON.stringify(BODY) }, transport);

async function post(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  transport: Transport,
): Promise<number | string> {
  const answer = await transport.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    timeoutMs: 10_000,
    maxReplyBytes: 65_536,
  });
  return answer.kind === 'reply' ? answer.status : answer.why;
}
