import type { LookupDeps } from '../payments/runs/deps.ts';
import type { Questions } from './questions.ts';
import { allProofs, proofHeaders, rawNotification, type ArrivedNotification } from '@railyard/core/driver';
import type { RawNotification } from '@railyard/core';
import {
  bodyWithoutCards,
  readNotification,
  receiveNotification,
  reportNotified,
  type NotificationRefusal,
  type ReceivedNotification,
  urlWithoutCodes,
} from '@railyard/runtime';
import { isDeepStrictEqual } from 'node:util';
import { ALL_BRANDS, numberProblem } from '../rules/browser/card-rules.js';
import type { Mid } from '../merchants/directory.ts';
import { applyEvent } from '../payments/events.ts';
import { scheduleSync, syncNamed } from '../payments/change/write.ts';
import { openText, sealJson, sealedAt, type Sealer } from '../secrets/index.ts';
import {
  DatabaseUnavailableError,
  fromJsonText,
  type FoundPayment,
  type NewNotification,
  type StoredNotification,
} from '../storage/index.ts';
import * as z from 'zod';

/** Needed to take providers' notifications. */
export interface NotificationDeps extends LookupDeps {
  /** How providers are asked whether they sent one. */
  readonly questions: Questions;
}

/** A notification that names a payment which is not known yet, or that fails, is tried again this often; the sweep spaces the tries. */
const MAX_TRIES = 60;
const HOLD_MS = 5000;
/** The longest wait between two tries of a notification that fails. */
const LONGEST_WAIT_MS = 600_000;

export type NotificationAnswer = { readonly status: number; readonly body: string };

/**
 * Takes a provider's notification: kept as it arrived, verified over its bytes, applied through the one door, then acknowledged.
 * A notification that cannot be verified changes nothing and is refused. A genuine one is never refused: what is not understood of it is kept
 * for an operator.
 *
 * @param sender whom a question to the provider counts for
 */
export async function takeNotification(
  context: NotificationDeps,
  mid: Mid,
  arrived: ArrivedNotification,
  sender = 'unknown',
): Promise<NotificationAnswer> {
  const raw = rawNotification(arrived);
  const received = await provenOf(context, mid, raw, sender);
  if (received.kind === 'refused') {
    context.log.warn({ event: 'notification-refused', mid: mid.id, why: received.why, detail: received.detail });
    return { status: STATUS_OF_REFUSAL[received.why], body: '' };
  }
  const isUnread = received.unread.length > 0;
  if (!received.proven) for (const event of received.events) await handleHint(context, mid, event);
  // Any stranger can send an unsigned one: it is not stored, and open payments are looked up in any case.
  if (!received.genuine && isUnread)
    context.log.warn({ event: 'notification-not-understood', mid: mid.id, why: whyOf(received) });
  if (!received.genuine || (!received.proven && !isUnread)) return received.acknowledge;
  reportNotified(context, mid.connector, received.events);
  const id = context.newId();
  const body = withoutCards(mid, raw, received);
  const found = await keep(context, received, {
    id,
    connectorId: mid.connector.id,
    midId: mid.id,
    request: sealJson(
      context.sealer,
      { ...storedRequest(mid, raw), ...(body !== undefined && { digest: context.vault.fingerprint(raw.body) }) },
      sealedAt.notificationRequest(id),
    ),
    body: Buffer.from(context.sealer.seal(body ?? raw.bytes, sealedAt.notificationBody(id)), 'utf8'),
    holdMs: HOLD_MS,
    ...(isUnread && { detail: whyOf(received) }),
  });
  if (isUnread) context.log.error({ event: 'needs-attention', mid: mid.id, notification: id, why: whyOf(received) });
  await handle(context, mid, { id, tries: 1 }, received, found);
  return received.acknowledge;
}

/** 503: the provider that could not be asked is to send it again. */
const STATUS_OF_REFUSAL: Readonly<Record<NotificationRefusal, number>> = {
  unsupported: 404,
  signature: 401,
  stale: 401,
  unasked: 401,
  malformed: 400,
  unavailable: 503,
};

/** Verified here, or by the provider where only it can. */
async function provenOf(
  context: NotificationDeps,
  mid: Mid,
  raw: RawNotification,
  sender: string,
): Promise<ReceivedNotification> {
  const received = receiveNotification(mid.connector, mid.settings, raw, context.now());
  if (received.kind !== 'refused' || received.ask === undefined) return received;
  const { ask } = received;
  const held = { mid: mid.id, credentials: context.credentials };
  return context.questions.ask(mid.id, sender, (transport) => ask({ transport, key: context.newId(), held }));
}

type Verified = Extract<ReturnType<typeof receiveNotification>, { kind: 'events' }>;

/** Why parts of a notification were not understood, for an operator. */
const whyOf = ({ unread }: Verified): string => unread.join(' ');

/** Keeps a notification. @returns the payment that it is about, where it says one thing */
async function keep(
  { stores: { notifications } }: NotificationDeps,
  { events: [only, ...others], unread }: Verified,
  notification: NewNotification,
): Promise<FoundPayment | undefined> {
  if (only !== undefined && others.length === 0 && unread.length === 0)
    return notifications.keepAndFind(notification, only.providerReference);
  await notifications.keep(notification);
  return undefined;
}

async function handle(
  context: NotificationDeps,
  mid: Mid,
  { id, tries }: Pick<StoredNotification, 'id' | 'tries'>,
  received: Verified,
  found?: FoundPayment,
): Promise<void> {
  try {
    const isUnread = received.unread.length > 0;
    const notification = { id, isOnly: received.events.length === 1 && !isUnread, ...(found && { found }) };
    const results = await Promise.all(
      (received.proven ? received.events : []).map((event) =>
        applyEvent(context, mid, event, 'notification', notification),
      ),
    );
    if (results.includes('ended')) return;
    if (!results.includes('unmatched'))
      return isUnread
        ? await context.stores.notifications.end(id, 'refused', whyOf(received))
        : await context.stores.notifications.end(id, 'handled');
    if (tries >= MAX_TRIES) {
      context.log.error({ event: 'notification-unmatched', mid: mid.id, notification: id });
      await context.stores.notifications.end(
        id,
        'failed',
        ['No payment has this reference.', ...received.unread].join(' '),
      );
    }
  } catch (error) {
    // It is kept and will be taken up by the sweep; the provider need not send it again.
    await postponeFailed(context, { id, midId: mid.id, tries }, error);
  }
}

/**
 * An unsigned notification is only a hint that something changed: the provider is asked soon, and its answer counts. It is not kept:
 * anybody could send it, and open payments are looked up in any case.
 */
async function handleHint(context: NotificationDeps, mid: Mid, event: Verified['events'][number]): Promise<void> {
  const { payments } = context.stores;
  const key = { connectorId: mid.connector.id, midId: mid.id, providerReference: event.providerReference };
  if (await syncNamed(context, key)) return;
  const named = await payments.findByProviderReference(mid.connector.id, mid.id, event.providerReference);
  // The reply that has this reference is still under way. Its outcome plans a later lookup.
  if (named === undefined) context.unmatchedHints.keep(key);
  const payment =
    named ??
    (event.merchantReference === undefined
      ? undefined
      : await payments.findByMerchantReference(mid.id, event.merchantReference));
  if (payment !== undefined) await scheduleSync(context, payment.id);
}

const requestSchema = z.object({
  method: z.string(),
  url: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Of the body as it came, where cards were taken out of it: keyed, so that no number or code can be guessed by it. */
  digest: z.string().exactOptional(),
});

const isLikeCard = (digits: string): boolean => numberProblem(digits, ALL_BRANDS) === undefined;

/**
 * Masks card numbers and codes in a body before it is stored. The masked body must give the same events, because the service may read it again. A body
 * that was not understood keeps its numbers, which may be references. PCI DSS 3.3.1 forbids to keep a code, sealed or not.
 *
 * @returns undefined where it stays as it came
 */
function withoutCards(
  { connector, settings }: Mid,
  raw: RawNotification,
  { events, unread }: Verified,
): string | undefined {
  const codec = connector.notifications?.codec ?? 'json';
  const withoutCodes = bodyWithoutCards(raw.body, codec, () => false);
  if (unread.length > 0) return withoutCodes === raw.body ? undefined : withoutCodes;
  for (const body of [bodyWithoutCards(raw.body, codec, isLikeCard), withoutCodes]) {
    if (body === raw.body) continue;
    const { bytes: _bytes, ...others } = raw;
    const read = readNotification(connector, settings, { ...others, body });
    if (read.kind === 'events' && read.unread.length === 0 && areLike(events, read.events)) return body;
  }
  return undefined;
}

/** Whether events differ in nothing but the provider's words: references, agreements and states that look like a card's number are used later. */
const areLike = (events: Verified['events'], others: Verified['events']): boolean =>
  isDeepStrictEqual(events.map(usedOf), others.map(usedOf));

const usedOf = (event: Verified['events'][number]) => ({
  ...withoutWords(event),
  ...('outcome' in event && { outcome: withoutWords(event.outcome) }),
});

const WORDS = new Set(['provider', 'reason', 'why']);
const withoutWords = (told: object) => Object.fromEntries(Object.entries(told).filter(([name]) => !WORDS.has(name)));

/** The service stores no cookies, credentials, proofs or codes: it has verified the notification and does not verify it again. */
function storedRequest(
  { connector }: Mid,
  { method, url, path, headers }: RawNotification,
): z.infer<typeof requestSchema> {
  const { notifications } = connector;
  const proof = notifications === undefined ? [] : allProofs(notifications).flatMap(proofHeaders);
  const secret = new Set(['cookie', 'authorization', ...proof]);
  const kept = Object.entries(headers).filter(([name]) => !secret.has(name));
  return { method, url: urlWithoutCodes(url), path: urlWithoutCodes(path), headers: Object.fromEntries(kept) };
}

/** A notification as it came: it may hold a provider's shared secret and a payer's details, so it is kept sealed. */
function storedNotification(sealer: Sealer, { id, requestText, body }: StoredNotification): ArrivedNotification {
  const text = Buffer.from(body).toString('utf8');
  const { digest: _digest, ...request } = requestSchema.parse(
    fromJsonText(openText(sealer, requestText, sealedAt.notificationRequest(id))),
  );
  return {
    ...request,
    body: openText(sealer, text, sealedAt.notificationBody(id)),
  };
}

/** Takes up notifications that were kept and not handled. @returns how many */
export async function sweepNotifications(context: NotificationDeps, limit: number): Promise<number> {
  const due = await context.stores.notifications.claimDue(limit, HOLD_MS);
  // One that fails must not hold up those behind it.
  for (const stored of due)
    await retry(context, stored).catch((error: unknown) => postponeFailed(context, stored, error));
  return due.length;
}

async function retry(context: NotificationDeps, stored: StoredNotification): Promise<void> {
  const mid = context.directory.mid(stored.midId);
  if (mid === undefined) return giveUp(context, stored, 'failed', 'Its MID is no longer configured.');
  // It was genuine when it arrived, whichever key the MID has by now.
  const received = readNotification(mid.connector, mid.settings, storedNotification(context.sealer, stored));
  if (received.kind === 'refused') return giveUp(context, stored, 'refused', received.why);
  // Reported when it came, unless the connector was changed since.
  if (received.unread.length > 0 && stored.detail === null)
    context.log.error({ event: 'needs-attention', mid: mid.id, notification: stored.id, why: whyOf(received) });
  await handle(context, mid, stored, received);
}

/** It was genuine when it came and was acknowledged, so the provider does not send it again: the connector or the MID was changed since. */
async function giveUp(
  context: NotificationDeps,
  { id, midId }: Pick<StoredNotification, 'id' | 'midId'>,
  state: 'failed' | 'refused',
  why: string,
): Promise<void> {
  context.log.error({ event: 'needs-attention', mid: midId, notification: id, why });
  await context.stores.notifications.end(id, state, why);
}

/**
 * A try that failed is reported and counts; the next one comes later each time, and after the last an operator looks at it. While the database is
 * away nothing counts.
 */
async function postponeFailed(
  context: NotificationDeps,
  { id, midId, tries }: Pick<StoredNotification, 'id' | 'midId' | 'tries'>,
  error: unknown,
): Promise<void> {
  const why = error instanceof Error ? error.message : 'unknown';
  context.log.error({ event: 'notification-failed', mid: midId, notification: id, tries, error: why });
  if (error instanceof DatabaseUnavailableError) return;
  if (tries >= MAX_TRIES) return giveUp(context, { id, midId }, 'failed', 'It could not be applied, however often.');
  await context.stores.notifications.postpone(id, Math.min(HOLD_MS * 2 ** (tries - 1), LONGEST_WAIT_MS));
}
