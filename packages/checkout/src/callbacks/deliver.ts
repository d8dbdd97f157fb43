import type { Log } from '../log/log.ts';
import type { Directory } from '../merchants/directory.ts';
import { SealError, UnknownKeyError, openText, sealedAt, type Sealer } from '../secrets/index.ts';
import type {
  AttemptResult,
  Callback,
  CallbackAttempt,
  CallbacksStore,
  JsonValue,
  ListedCallback,
  QueueName,
  RecordedAttempt,
  ResumedAddress,
  SentCallback,
  Stores,
} from '../storage/index.ts';
import type { CallbackReply, CallbackSender } from './sender.ts';
import { maskedCallback } from '../payments/masked.ts';
import { webhookSignature } from '@railyard/core/merchant';
import { requestedWaitMs } from '@railyard/runtime';
import { fastHmac } from '../signatures.ts';

/** Seconds from one attempt to the next; the first goes out at once. After the last one the callback is dead and can be replayed. */
export const RETRY_PLAN_SECONDS = [5, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400] as const;

/** Waits differ by up to this share, so that what failed together does not come back together. */
const JITTER = 0.2;

/** A receiver may ask for a longer wait, but not for ever. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * How long to wait before the next attempt.
 *
 * @param tries attempts that were made since the plan last began
 * @param random from 0 to 1
 * @param askedMs the wait that the receiver asked for; the result is never shorter
 * @returns undefined when the plan is used up
 */
export function nextWaitMs(tries: number, random: number, askedMs = 0): number | undefined {
  const seconds = RETRY_PLAN_SECONDS[tries - 1];
  if (seconds === undefined) return undefined;
  const planned = seconds * 1000 * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(planned, Math.min(askedMs, LONGEST_WAIT_MS)));
}

const TIMEOUT_MS = 20_000;
/** How long a callback is claimed, until another process may take it. */
export const CLAIM_MS = TIMEOUT_MS * 2;

/** How sending went, or why nothing could be sent. `damaged`: no later attempt can do better. */
type Sent = CallbackReply | { readonly kind: 'sealed' | 'damaged'; readonly why: string };

/** How an attempt went, and the time of the next one. */
type Planned = Omit<AttemptResult, 'durationMs'>;

/** Claims callbacks that are due, in order per payment, except for addresses that are busy and callbacks that this process sends. */
export function takeCallbacks(
  context: DeliveryDeps,
  limit: number,
  busy: { readonly keys: readonly string[]; readonly ids: readonly string[] },
): Promise<Callback[]> {
  return context.stores.callbacks.claimDue(limit, CLAIM_MS, { urls: busy.keys, ids: busy.ids });
}

/**
 * Sends one callback and records how it went.
 *
 * @returns the next callback of its payment, claimed, or whether a later one is due now
 */
export async function deliver(context: DeliveryDeps, callback: SentCallback): Promise<SentCallback | boolean> {
  const started = context.now();
  const reply = await send(context, callback);
  // Cut off because the service stops, which says nothing about the receiver: the next process sends it again.
  if (context.stopping.aborted && reply.kind !== 'reply') return false;
  const result = resultOf(reply, callback, context);
  const recorded = await context.stores.callbacks.recordAttempt(
    callback,
    { ...result, durationMs: context.now() - started },
    context.stopping.aborted ? undefined : CLAIM_MS,
  );
  if (recorded.flushed > 0) context.wake('callbacks');
  if (result.next.state === 'waiting') context.wake('callbacks', result.next.retryInMs);
  const { state } = result.next;
  const level = state === 'delivered' ? 'info' : state === 'dead' ? 'error' : 'warn';
  context.log[level]({
    event: 'callback',
    id: callback.id,
    payment: callback.paymentId,
    attempt: callback.attempts,
    ...(reply.kind === 'reply' ? { status: reply.status } : { why: reply.why }),
    result: state === 'waiting' ? 'retry' : state,
  });
  if (state !== 'delivered' || recorded.flushed > 0) logAddress(context, callback, { reply, result, recorded });
  return recorded.next ?? (recorded.more && state !== 'waiting');
}

/** Logs whatever an operator should know of the merchant's address, or of a callback that was not delivered. */
function logAddress(
  context: DeliveryDeps,
  callback: SentCallback,
  { reply, result, recorded }: { readonly reply: Sent; readonly result: Planned; readonly recorded: RecordedAttempt },
): void {
  const address = { merchant: callback.merchantKey, host: new URL(callback.url).host };
  if (reply.kind === 'sealed' || reply.kind === 'damaged')
    attention(context, { ...address, callback: callback.id }, `A callback's body does not open. ${reply.why}`);
  if (result.next.state === 'dead') attention(context, { ...address, callback: callback.id }, 'A callback is dead.');
  if (result.address === 'gone')
    attention(context, address, 'The callback address says it is gone (410); what goes there waits to be resumed.');
  if (recorded.paused) context.log.warn({ event: 'callback-address-paused', ...address });
  if (recorded.flushed > 0) context.log.info({ event: 'callback-address-works', ...address, due: recorded.flushed });
}

function attention(context: DeliveryDeps, what: Readonly<Record<string, string>>, why: string): void {
  context.log.error({ event: 'needs-attention', ...what, why });
}

async function send(context: DeliveryDeps, callback: SentCallback): Promise<Sent> {
  // A merchant that was taken out of the configuration still gets its outstanding callbacks.
  const secret = context.directory.merchantOf(callback)?.config.callbackSecret;
  if (secret === undefined) return { kind: 'failed', why: 'The merchant has no callback secret any more.' };
  const body = openBody(context, callback);
  if (typeof body !== 'string') return body;
  return context.callbackSender.send({
    url: callback.url,
    headers: {
      'content-type': callback.contentType,
      'x-payment-version': String(callback.seq),
      ...signatureHeaders([secret].flat(), { id: callback.id, body }, context.now()),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  });
}

/** The key may only be missing here, as while keys are replaced, so its callbacks are tried along the plan like any other. */
function openBody({ sealer }: DeliveryDeps, { id, body }: SentCallback): string | Sent {
  try {
    return openText(sealer, body, sealedAt.callbackBody(id));
  } catch (error) {
    if (error instanceof UnknownKeyError) return { kind: 'sealed', why: error.message };
    if (error instanceof SealError) return { kind: 'damaged', why: error.message };
    throw error;
  }
}

/** 2xx is a delivery, whatever the body; a redirect is a failure (decision: callback). */
function resultOf(reply: Sent, { tries }: SentCallback, { now, random }: DeliveryDeps): Planned {
  const status = reply.kind === 'reply' ? reply.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { status, next: { state: 'delivered' } };
  const requestedMs = reply.kind === 'reply' ? requestedWaitMs(reply.status, reply.retryAfter, now()) : 0;
  const gone = status === 410;
  // Nothing dies of an address that is gone: its callbacks wait for the merchant's next one.
  const planned = nextWaitMs(tries, random(), requestedMs) ?? (gone ? 0 : undefined);
  const wait = reply.kind === 'damaged' ? undefined : planned;
  return {
    ...(status !== undefined && { status }),
    ...(reply.kind !== 'reply' && { error: reply.why }),
    next: wait === undefined ? { state: 'dead' } : { state: 'waiting', retryInMs: wait },
    ...(gone ? { address: 'gone' } : reply.kind === 'timed-out' && { address: 'timed-out' }),
  };
}

/**
 * Standard Webhooks: the id stays the same over all attempts, time and signatures belong to this attempt. While a secret is being
 * replaced there is one signature for each, so that a merchant who knows either can check.
 */
export function signatureHeaders(
  secrets: readonly string[],
  callback: { readonly id: string; readonly body: string },
  nowMs: number,
): Record<string, string> {
  const { id } = callback;
  const timestamp = String(Math.floor(nowMs / 1000));
  const body = new TextEncoder().encode(callback.body);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => webhookSignature(secret, { id, timestamp }, body, fastHmac)).join(' '),
  };
}

/** Needed to send callbacks. */
export interface DeliveryDeps {
  readonly directory: Directory;
  readonly stores: Pick<Stores, 'callbacks'>;
  readonly sealer: Sealer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1, to spread attempts that must not come all at once. */
  readonly random: () => number;
  readonly log: Log;
  readonly callbackSender: CallbackSender;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Work of this kind is due, now or in so many milliseconds. */
  readonly wake: (work: QueueName, inMs?: number) => void;
}

export interface CallbackQuery {
  /** Only those whose retry plan is used up. */
  readonly dead?: boolean;
  /** Only callbacks of the merchant with this `key`. */
  readonly merchant?: string;
  /** At most so many, newest first. Default: 100. */
  readonly limit?: number;
}

/** A callback as an operator reads it. */
export interface ShownCallback extends ListedCallback {
  /** Masked as in a payment's story. */
  readonly body: JsonValue;
  readonly tries: readonly CallbackAttempt[];
}

/** The operator's modifications on callbacks. */
export interface CallbackOperator {
  /** Callbacks with their delivery state, newest first. */
  list(query?: CallbackQuery): Promise<ListedCallback[]>;
  /**
   * A callback with its masked body and every try.
   *
   * @throws Error when there is no such callback
   */
  show(id: string): Promise<ShownCallback>;
  /**
   * Sends callbacks again, dead or delivered ones by their ids or all dead ones, with the same id and the same bytes, along the whole retry plan.
   * Waiting callbacks are left alone. @returns the ids of the callbacks that are sent
   */
  replay(which: readonly string[] | { readonly dead: true; readonly merchant?: string }): Promise<string[]>;
  /** Calls an address again that is paused or that said it is gone. What waits for it is sent. */
  resume(url: string): Promise<ResumedAddress>;
}

const USUAL_LIMIT = 100;

/** @param due called when callbacks have become due */
export function callbackOperator(
  { store, sealer }: { readonly store: CallbacksStore; readonly sealer: () => Sealer },
  due: () => void = () => undefined,
): CallbackOperator {
  return {
    async show(id) {
      const [listed] = await store.list({ ids: [id] }, 1);
      const stored = await store.find(id);
      if (listed === undefined || stored === undefined)
        throw new Error(`There is no callback ${id}. "railyard-checkout callbacks list" lists ids.`);
      return { ...listed, body: maskedCallback(sealer(), stored), tries: await store.attemptsOf(id) };
    },
    list: ({ dead = false, merchant, limit = USUAL_LIMIT } = {}) =>
      store.list({ ...(dead && { state: 'dead' }), ...(merchant !== undefined && { merchantKey: merchant }) }, limit),
    async replay(which) {
      const replayed = await store.replay(
        'dead' in which
          ? { state: 'dead', ...(which.merchant !== undefined && { merchantKey: which.merchant }) }
          : { ids: which },
      );
      due();
      return replayed;
    },
    async resume(url) {
      const resumed = await store.resume(url);
      due();
      return resumed;
    },
  };
}
