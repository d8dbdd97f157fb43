import { verifyCallback } from '@railyard/core/merchant';
import { readText } from '../connectors/read-json.ts';
import type { Io } from '../output/io.ts';
import { askPassword } from '../signatures/ask-password.ts';
import { diagnoseWebhook, readHeaders } from '../signatures/webhook.ts';
import { type Answer, type Given, textOf, UsageError } from './command.ts';

/** A receiver refuses a webhook that is this many seconds older or newer than its clock. */
const TOLERANCE = 300;

/** Whether the headers of a callback sign its body. Its age is reported, and is no mistake of a callback that was stored. */
export async function verifyWebhook(given: Given, io: Io, body: string, inputIsFree: boolean): Promise<Answer> {
  const file = textOf(given, 'headers');
  if (file === undefined) throw new UsageError('A webhook is signed in its headers: give them with --headers FILE.');
  const headers = readHeaders(await readText(file, io.cwd));
  const secret = await askPassword(given, io, 'callback secret', inputIsFree);
  if (!/^\d{1,12}$/.test(headers.timestamp))
    return answerNo(
      'timestamp',
      'webhook-timestamp is no number of seconds.',
      'Send seconds since 1970, not milliseconds.',
    );
  const checked = verifyCallback({
    body,
    headers: {
      'webhook-id': headers.id,
      'webhook-timestamp': headers.timestamp,
      'webhook-signature': headers.signature,
    },
    secret,
    now: Number(headers.timestamp) * 1000,
  });
  const hashed = `${headers.id}.${headers.timestamp}.<body of ${Buffer.byteLength(body)} bytes>`;
  if (!checked.ok && checked.reason !== 'unreadable') {
    const found = diagnoseWebhook(secret, headers, body);
    return answerNo(
      found?.mistake,
      found?.says ?? 'None of the usual mistakes leads to it.',
      found?.advice ?? 'Most likely it is another secret, or the body was changed on its way.',
      hashed,
    );
  }
  const seconds = Math.round(Date.now() / 1000) - Number(headers.timestamp);
  const age = Math.abs(seconds) > TOLERANCE ? `It was signed ${seconds} seconds ago; a receiver refuses it now.` : '';
  const unread = checked.ok ? '' : 'It is no callback of the checkout: fields are missing.';
  return {
    code: 0,
    json: { ok: true, scheme: 'Standard Webhooks, HMAC-SHA256', hashed, ageSeconds: seconds, isCallback: checked.ok },
    text: (look) =>
      [look.paint('green', 'The signature is right.'), `signed: ${hashed}`, age, unread]
        .filter((line) => line !== '')
        .join('\n'),
  };
}

function answerNo(mistake: string | undefined, says: string, advice: string, hashed?: string): Answer {
  return {
    code: 1,
    json: {
      ok: false,
      mistakes: mistake === undefined ? [] : [mistake],
      says,
      advice,
      ...(hashed !== undefined && { hashed }),
    },
    text: (look) =>
      [
        look.paint('red', 'The signature is not right.'),
        ...(hashed === undefined ? [] : [`should be signed: ${hashed}`]),
        says,
        advice,
      ].join('\n'),
  };
}
