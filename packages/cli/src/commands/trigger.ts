import { webhookSignature } from '@railyard/core/merchant';
import { CALLBACK_STATUSES, CALLBACK_TYPES, ORDER_STATUS_WORDS } from '@railyard/core/payment';
import { randomUUID } from 'node:crypto';
import type { Io } from '../output/io.ts';
import { askPassword, CALLBACK_SECRET, CALLBACK_SECRET_OPTIONS, PASSWORD_OPTIONS } from '../signatures/ask-password.ts';
import { readMessage } from '../signatures/message.ts';
import { type Command, type Given, listOf, oneOf, textOf, UsageError } from './command.ts';
import { HASH_OPTIONS, signMessage } from './sign.ts';

/** The callback of a server-to-server command, among the types of a payment's callbacks. */
const COMMAND = 'command';

/** How long the receiver may take, as the service has it. */
const PATIENCE_MS = 20_000;

export const trigger: Command = {
  usage: 'trigger TYPE --to URL',
  help: `Sends a signed callback to an address, as the service would. TYPE is ${CALLBACK_TYPES.join(', ')}; or ${COMMAND}: a callback of an S2S APM command. No payment changes. Exits with 1 if the receiver does not answer with 2xx.`,
  options: {
    to: { type: 'string', hint: 'URL', says: 'the address that receives callbacks' },
    status: { type: 'string', hint: 'WORD', says: `${CALLBACK_STATUSES.join(', ')}; default: success` },
    'order-status': {
      type: 'string',
      hint: 'WORD',
      says: `${ORDER_STATUS_WORDS.join(', ')}; default: the one that fits`,
    },
    field: { type: 'string', multiple: true, hint: 'NAME=VALUE', says: 'another field, or another value of one' },
    ...HASH_OPTIONS,
    ...PASSWORD_OPTIONS,
    ...CALLBACK_SECRET_OPTIONS,
  },
  words: [1, 1],
  async run(given, io) {
    const to = textOf(given, 'to');
    if (to === undefined || !URL.canParse(to))
      throw new UsageError('Where does the callback go? Give --to with an address.');
    const type = oneOf(given.positionals[0] ?? '', [...CALLBACK_TYPES, COMMAND], 'The type');
    const fields = { ...(type === COMMAND ? ofCommand() : ofPayment(type, given)), ...moreFields(given) };
    const { body, headers } = await signed(fields, type === COMMAND ? 'command-callback' : 'callback', given, io);
    const reply = await fetch(to, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => undefined);
    const answered = reply === undefined ? 'No answer.' : `Answered ${reply.status}.`;
    return {
      code: reply?.ok === true ? 0 : 1,
      json: {
        webhook_id: headers['webhook-id'],
        fields: Object.fromEntries(new URLSearchParams(body)),
        status: reply?.status ?? null,
      },
      text: (look) => look.paint(reply?.ok === true ? 'green' : 'red', `${type} sent to ${to}. ${answered}`),
    };
  },
};

type Fields = Readonly<Record<string, string>>;

const nowText = () => new Date().toISOString().slice(0, 19).replace('T', ' ');

function ofPayment(type: (typeof CALLBACK_TYPES)[number], given: Given): Fields {
  const status = oneOf(textOf(given, 'status') ?? 'success', CALLBACK_STATUSES, '--status');
  const word = textOf(given, 'order-status');
  const amount = '10.00';
  return {
    id: randomUUID(),
    order_number: 'order-1',
    order_amount: amount,
    order_currency: 'USD',
    order_description: 'Important gift',
    ...(type === 'refund' && { refund_amount: amount }),
    ...(type === 'capture' && { capture_amount: amount }),
    order_status:
      word === undefined ? usualOrderStatus(type, status) : oneOf(word, ORDER_STATUS_WORDS, '--order-status'),
    type,
    status,
    customer_ip: '192.0.2.1',
    date: nowText(),
    ...(status === 'fail' && { reason: 'Declined by processing.' }),
  };
}

/** The third word that a type and a status usually come with (docs/callbacks.md). */
function usualOrderStatus(type: string, status: (typeof CALLBACK_STATUSES)[number]): string {
  switch (status) {
    case 'fail':
      return 'decline';
    case 'waiting':
      return 'pending';
    case 'undefined':
      return 'prepare';
    case 'success':
      return ORDER_STATUS_WORDS.find((word) => word === type) ?? (type === 'init' ? 'pending' : 'settled');
  }
}

const ofCommand = (): Fields => ({
  action: 'SALE',
  result: 'SUCCESS',
  status: 'SETTLED',
  order_id: 'order-1',
  trans_id: randomUUID(),
  trans_date: nowText(),
  amount: '10.00',
  currency: 'USD',
});

function moreFields(given: Given): Fields {
  return Object.fromEntries(
    listOf(given, 'field').map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`--field takes NAME=VALUE, not "${text}".`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** The form with its hash, and the headers that sign it. */
async function signed(fields: Fields, kind: 'callback' | 'command-callback', given: Given, io: Io) {
  const password = await askPassword(given, io, 'merchant password', false);
  const secret = await askPassword(given, io, 'callback secret', false, CALLBACK_SECRET);
  const message = readMessage(kind, new URLSearchParams(fields).toString(), undefined);
  const { hash } = signMessage(kind, message, password, given);
  const body = new URLSearchParams({ hash, ...fields }).toString();
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': webhookSignature(secret, { id, timestamp }, new TextEncoder().encode(body)),
    'x-payment-version': '1',
  };
  return { body, headers };
}
