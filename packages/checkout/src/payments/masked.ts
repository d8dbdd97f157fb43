import type { AnyEndpoint } from '@railyard/core/driver';
import type { SessionRequest } from '@railyard/core/protocol';
import { hiddenTexts, readBody, redact, withoutTexts } from '@railyard/runtime';
import * as z from 'zod';
import { visible } from '../log/log-fields.ts';
import { NewerRequestError, readAccepted, type ReadRequest } from '../sessions/session.ts';
import { openJson, openText, sealedAt, SealError, UnknownKeyError, type Sealer } from '../secrets/index.ts';
import { fromJsonText, type Callback, type FlowRun, type JsonValue, type Session } from '../storage/index.ts';

/** Fields of a session request that say nothing of a person. Every other value is masked. */
const OF_REQUEST = [
  'operation',
  'url_target',
  'session_expiry',
  'channel_id',
  'order.number',
  'order.amount',
  'order.currency',
  'methods',
  'req_token',
  'auth',
  'recurring_init',
  'schedule_id',
  'schedule_start_date',
  'payment_schedule_amount',
  'vat_calc',
  'recurring_consent_required',
];

/** Fields of callbacks that say nothing of a person, in both forms. */
const OF_CALLBACK = [
  'id',
  'order_number',
  'order_amount',
  'order_currency',
  'refund_amount',
  'capture_amount',
  'approved_amount',
  'vat_amount',
  'vat_rate',
  'order_status',
  'type',
  'status',
  'date',
  'reason',
  'card',
  'action',
  'result',
  'order_id',
  'trans_id',
  'trans_date',
  'creditvoid_date',
  'chargeback_date',
  'decline_reason',
  'amount',
  'currency',
  'commission',
  'total_amount',
  'brand',
  'checkout_payment_method',
  'connector_name',
  'gateway_id',
  'mid_name',
  'initiator',
  'source',
  'sequence',
  'digital_wallet',
  'pan_type',
  'schedule_paused',
  'test',
];

/** A longer text says how long it is. */
const LONGEST = 4000;

/** A masked value, as JSON of a bounded length. */
function bounded(value: unknown): JsonValue {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > LONGEST) return `${text.slice(0, LONGEST)}… (${text.length} characters)`;
  return z.json().parse(JSON.parse(text));
}

const UNREADABLE = 'It cannot be read here: the key is missing, or a newer version stored it.';

/** A value that is opened; without its key the rest of a story can still be read. */
function orUnreadable<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if ([UnknownKeyError, SealError, NewerRequestError].some((each) => error instanceof each)) return undefined;
    throw error;
  }
}

/** @returns undefined where it cannot be read here */
export function requestOf(
  sealer: Sealer,
  { id, requestText, createdAt }: Pick<Session, 'id' | 'requestText' | 'createdAt'>,
): Extract<ReadRequest, { ok: true }> | undefined {
  return orUnreadable(() => {
    const text = openText(sealer, requestText, sealedAt.request(id));
    const read = readAccepted(text, createdAt.toISOString().slice(0, 10));
    return read.ok ? read : undefined;
  });
}

/** A session's request as the merchant sent it. */
export function maskedRequest(request: SessionRequest | undefined): JsonValue {
  if (request === undefined) return UNREADABLE;
  const { amount: _read, hash: _signature, ...sent } = request;
  return bounded(redact(sent, OF_REQUEST));
}

/** The texts that a request hides: a provider may repeat them in a field that is shown. */
export const hiddenOf = (request: SessionRequest | undefined): readonly string[] => hiddenTexts(request, OF_REQUEST);

const entries = z.object({ parameters: z.json().exactOptional(), answers: z.json().exactOptional() });

/** The payer's entries that a run began with, which a provider may repeat as well. */
export function enteredIn(
  sealer: Sealer,
  { runId, inputText }: Pick<FlowRun, 'runId' | 'inputText'>,
): readonly string[] {
  const input = orUnreadable(() => openJson(sealer, fromJsonText(inputText), sealedAt.runInput(runId)));
  return hiddenTexts(entries.safeParse(input).data, []);
}

/** The reply of a provider as a step stored it, masked as the log masks it. */
export function maskedReply(
  sealer: Sealer,
  { runId, step, replyText }: { readonly runId: string; readonly step: string; readonly replyText: string },
  endpoint: AnyEndpoint,
  { hidden, secrets }: { readonly hidden: readonly string[]; readonly secrets: readonly string[] },
): JsonValue {
  const reply = orUnreadable(() => openJson(sealer, fromJsonText(replyText), sealedAt.reply(runId, step)));
  if (reply === undefined) return UNREADABLE;
  const stored = storedReply.safeParse(reply);
  const body = endpoint.plain || !stored.success ? reply : stored.data.body;
  const shown = withoutTexts(redact(body, endpoint.visible), hidden);
  const { reply: clean } = visible('', { reply: shown }, secrets);
  return bounded({ ...(stored.success && !endpoint.plain && { variant: stored.data.reply }), body: clean });
}

const storedReply = z.object({ reply: z.string(), body: z.json() });

/** The names of a notification's fields; every value is masked, because its connector marks none as visible. */
export function maskedNotification(
  sealer: Sealer,
  { id, body }: { readonly id: string; readonly body: Uint8Array },
  codec: AnyEndpoint['codec'],
): JsonValue {
  const text = orUnreadable(() => openText(sealer, Buffer.from(body).toString('utf8'), sealedAt.notificationBody(id)));
  return text === undefined ? UNREADABLE : bounded(redact(readBody(text, codec), []) ?? null);
}

/** The body of a callback as the merchant receives it. */
export function maskedCallback(
  sealer: Sealer,
  { id, body, contentType }: Pick<Callback, 'id' | 'body' | 'contentType'>,
): JsonValue {
  const text = orUnreadable(() => openText(sealer, body, sealedAt.callbackBody(id)));
  if (text === undefined) return UNREADABLE;
  const fields: unknown = contentType.startsWith('application/json')
    ? JSON.parse(text)
    : Object.fromEntries(new URLSearchParams(text));
  return bounded(redact(fields, OF_CALLBACK));
}
