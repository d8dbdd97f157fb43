import type { AnyEndpoint } from '@railyard/core/driver';
import type { SessionRequest } from '@railyard/core/protocol';
import { readBody, redact, withoutTexts } from '@railyard/runtime';
import * as z from 'zod';
import { visible } from '../log/log-fields.ts';
import { readAccepted, type ReadRequest } from '../sessions/session.ts';
import { openJson, openText, sealedAt, type Sealer } from '../secrets/index.ts';
import {
  fromJsonText,
  type Callback,
  type FlowRun,
  type JsonValue,
  type Payment,
  type Session,
} from '../storage/index.ts';

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

const MASK = '•••';

const UNREADABLE = 'It cannot be read here: the key is missing, a newer version stored it, or it is damaged.';

/** A value that is opened. Where any error prevents it, the rest of a story can still be read. */
function orUnreadable<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

type Accepted = Extract<ReadRequest, { ok: true }>;

/** @returns undefined where it cannot be read here */
export function requestOf(
  sealer: Sealer,
  { id, requestText, createdAt }: Pick<Session, 'id' | 'requestText' | 'createdAt'>,
): Accepted | undefined {
  return orUnreadable(() => {
    const text = openText(sealer, requestText, sealedAt.request(id));
    const read = readAccepted(text, createdAt.toISOString().slice(0, 10));
    return read.ok ? read : undefined;
  });
}

/** How the values of one payment are masked. */
export interface Masking {
  /** Masks the payer's texts within a text. Undefined where they are not known: a text of the provider is masked whole. */
  readonly hide: ((text: string) => string) | undefined;
  /** Values of the configuration that are never shown. */
  readonly secrets: readonly string[];
}

/** A text that a provider may have written, in the log's form for sentences. */
export function maskedText(text: string | null, { hide, secrets }: Masking): string | null {
  if (text === null) return null;
  return z.string().parse(visible('', { why: hide?.(text) ?? MASK }, secrets)['why']);
}

/** Words of a provider, in lists and objects as well. */
export function maskedValue(value: JsonValue, { hide, secrets }: Masking): JsonValue {
  if (value === null || hide === undefined) return value === null ? null : MASK;
  return bounded(visible('', { reply: hidden(value, hide) }, secrets)['reply']);
}

/** An order number in the log's form: a merchant may put a mail address or a card number into it. */
export const maskedOrderNumber = (number: string, secrets: readonly string[]): string =>
  visible('', { order: number }, secrets)['order'] === number ? number : MASK;

/** A session's request as the merchant sent it. */
export function maskedRequest(
  session: Pick<Session, 'erasedAt'>,
  request: SessionRequest | undefined,
  secrets: readonly string[],
): JsonValue {
  if (session.erasedAt !== null) return `The request was erased at ${session.erasedAt.toISOString()}.`;
  if (request === undefined) return UNREADABLE;
  const { amount: _read, hash: _signature, ...sent } = request;
  const number = maskedOrderNumber(sent.order.number, secrets);
  const shown = { ...sent, order: { ...sent.order, number } };
  return bounded(visible('', { request: redact(shown, OF_REQUEST) }, secrets)['request']);
}

const entries = z.object({
  parameters: z.json().exactOptional(),
  needed: z.json().exactOptional(),
  answers: z.json().exactOptional(),
  browser: z.json().exactOptional(),
  enteredFrom: z.json().exactOptional(),
});

interface Sources {
  readonly session: Session | undefined;
  readonly accepted: Accepted | undefined;
  readonly payment: Pick<Payment, 'payerIp'>;
  readonly flows: readonly Pick<FlowRun, 'runId' | 'inputText'>[];
  readonly steps: readonly {
    readonly runId: string;
    readonly step: string;
    readonly kind: string;
    readonly replyText: string | null;
  }[];
}

/**
 * The texts that a provider may repeat in a field that is shown: hidden ones of the request, and the payer's entries.
 *
 * @returns undefined where one of them was erased or cannot be read
 */
export function payerTexts(
  sealer: Sealer,
  { session, accepted, payment, flows, steps }: Sources,
): readonly string[] | undefined {
  // Runs may be deleted before their payment, and with them what the payer entered.
  if (session === undefined || session.erasedAt !== null || accepted === undefined || flows.length === 0)
    return undefined;
  const { amount: _read, ...request } = accepted.session;
  const { payer, authentication } = accepted.command ?? {};
  return orUnreadable(() => [
    ...textsIn(request, OF_REQUEST),
    ...textsIn([payer, authentication, payment.payerIp]),
    ...flows.flatMap(({ runId, inputText }) =>
      textsIn(entries.parse(openJson(sealer, fromJsonText(inputText), sealedAt.runInput(runId)))),
    ),
    ...steps.flatMap(({ runId, step, kind, replyText }) =>
      kind === 'collect' && replyText !== null
        ? textsIn(openJson(sealer, fromJsonText(replyText), sealedAt.reply(runId, step)))
        : [],
    ),
  ]);
}

/** Every text and number whose dotted name is not in `shown`, however short: a name may have two letters. */
function textsIn(value: unknown, shown: readonly string[] = [], name = ''): string[] {
  if (typeof value === 'string' || typeof value === 'number') return shown.includes(name) ? [] : [String(value)];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, shown, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, shown, name === '' ? key : `${name}.${key}`));
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Shorter digits are parts of amounts and dates. */
const SHORTEST_YEAR = 4;
const SHORTEST_DIGITS = 6;
/** A shorter word is hidden only where it stands alone. */
const SHORTEST_PART = 5;

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
/** Without leading zeros: a phone number has one at home and none behind its country's code. */
const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');
const isWord = (word: string): boolean => word.length >= (/^\d+$/.test(word) ? SHORTEST_YEAR : 2);

/** Masks these texts in any case, without accents or punctuation, and their words; a phone number with or without its country's code. */
export function hiding(texts: readonly string[]): (text: string) => string {
  // The words of an address of the merchant's are such as "success".
  const words = texts.filter((each) => !/^https?:/i.test(each)).flatMap((each) => each.match(WORDS) ?? []);
  const alone = new Set(words.map(plain).filter(isWord));
  const parts = [...new Set([...texts, ...words].map(plain))].filter((each) => each.length >= SHORTEST_PART);
  const digits = [...new Set(texts.map(digitsOf))].filter((each) => each.length >= SHORTEST_DIGITS);
  const wholes = texts
    .filter((each) => each.length >= SHORTEST_PART)
    .toSorted((one, other) => other.length - one.length);
  return (text) => {
    const rest = String(withoutTexts(text, wholes)).replace(WORDS, (word) => (alone.has(plain(word)) ? MASK : word));
    const [letters, number] = [plain(rest), digitsOf(rest)];
    const repeats =
      parts.some((each) => letters.includes(each)) ||
      (number.length >= SHORTEST_DIGITS && digits.some((each) => each.includes(number) || number.includes(each)));
    return repeats ? MASK : rest;
  };
}

/** A value with each text and number of it hidden. */
function hidden(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') return hide(String(value)) === String(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((each) => hidden(each, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(each, hide)]));
}

/** The reply of a provider as a step stored it: the fields that its endpoint marks as visible, without the payer's texts. */
export function maskedReply(
  sealer: Sealer,
  { runId, step, replyText }: { readonly runId: string; readonly step: string; readonly replyText: string },
  endpoint: AnyEndpoint,
  { hide, secrets }: Masking,
): JsonValue {
  const reply = orUnreadable(() => openJson(sealer, fromJsonText(replyText), sealedAt.reply(runId, step)));
  if (reply === undefined) return UNREADABLE;
  const stored = storedReply.safeParse(reply);
  const body = endpoint.plain || !stored.success ? reply : stored.data.body;
  const variant = stored.success && !endpoint.plain && { variant: stored.data.reply };
  if (hide === undefined) return { ...variant, body: MASK };
  const shown = z.json().parse(redact(body, endpoint.visible) ?? null);
  return { ...variant, body: maskedValue(shown, { hide, secrets }) };
}

const storedReply = z.object({ reply: z.string(), body: z.json() });

/** The names of a notification's fields; every value is masked, because its connector marks none as visible. */
export function maskedNotification(
  sealer: Sealer,
  { id, body }: { readonly id: string; readonly body: Uint8Array },
  codec: AnyEndpoint['codec'],
): JsonValue {
  const masked = orUnreadable(() => {
    const text = openText(sealer, Buffer.from(body).toString('utf8'), sealedAt.notificationBody(id));
    return bounded(redact(readBody(text, codec), []) ?? null);
  });
  return masked === undefined ? UNREADABLE : masked;
}

/** Fields of a callback that may hold words of the provider. */
const REASONS = ['reason', 'decline_reason'];

/**
 * The body of a callback as the merchant receives it.
 *
 * @param masking its payment's; without it the reasons are masked whole
 */
export function maskedCallback(
  sealer: Sealer,
  { id, body, contentType }: Pick<Callback, 'id' | 'body' | 'contentType'>,
  masking: Masking = { hide: undefined, secrets: [] },
): JsonValue {
  const masked = orUnreadable(() => {
    const text = openText(sealer, body, sealedAt.callbackBody(id));
    const sent = contentType.startsWith('application/json')
      ? callbackBody.parse(JSON.parse(text))
      : Object.fromEntries(new URLSearchParams(text));
    const { reply } = visible('', { reply: redact(sent, OF_CALLBACK) }, masking.secrets);
    return bounded(
      Object.fromEntries(
        Object.entries(callbackBody.parse(reply)).map(([name, value]) => {
          const raw = sent[name];
          if (typeof raw !== 'string') return [name, value];
          if (name === 'order_number') return [name, maskedOrderNumber(raw, masking.secrets)];
          return [name, REASONS.includes(name) ? maskedText(raw, masking) : value];
        }),
      ),
    );
  });
  return masked === undefined ? UNREADABLE : masked;
}

const callbackBody = z.record(z.string(), z.unknown());
