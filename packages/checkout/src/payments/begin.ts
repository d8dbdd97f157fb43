import { breach, type Issue, issue, type PayerClient, type Resolved, scopeOf, TEXTS } from '@railyard/core';
import type { Route } from '../config/directory.ts';
import { sealedAt, sealJson } from '../secrets/index.ts';
import type { ServiceContext } from '../service-context.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { withEnteredAmount } from '../sessions/payer-amount.ts';
import { cardAsked } from './card-asked.ts';
import { newRecurringToken } from './chain.ts';
import { driveRun, LEASE_MS } from './drive-run.ts';
import { openSaved, paidWith } from './paid-with.ts';
import { runInput } from './run-of.ts';
import { type CardEntry, readCard, type SavedCard } from '../vault/index.ts';

export type Begun =
  | { readonly kind: 'begun'; readonly paymentId: string }
  /** What is missing or wrong, by the paths of the page's inputs. */
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  /** The session has ended, or another attempt may still bring money. */
  | { readonly kind: 'busy' };

/** What the payer's browser brings about a card. It goes into the vault and nowhere else. */
export interface CardInput {
  /** What was entered, by path. */
  readonly entered: ReadonlyMap<string, string>;
  /** The cards that the session's tokens stand for. */
  readonly saved: readonly SavedCard[];
}

const NO_CARD: CardInput = { entered: new Map(), saved: [] };

/** What the payer's browser brings to an attempt. */
export interface PayerInput {
  readonly methodKey: string;
  /** By path, as the page names its inputs. */
  readonly answers: Readonly<Record<string, string>>;
  readonly card?: CardInput;
  readonly ip: string | undefined;
  /** What his browser said of itself, for providers that ask (3-D Secure). */
  readonly browser?: Omit<PayerClient, 'ip'>;
}

/**
 * Begins an attempt: resolves the method's values, checks card and limits, stores the intent, and only then drives the flow. Of two
 * clicks or two tabs one begins.
 */
export async function beginPayment(context: ServiceContext, opened: OpenSession, payer: PayerInput): Promise<Begun> {
  const { session, issues: ofAmount } = withEnteredAmount(opened, payer.answers);
  const route = session.routes.find((each) => each.key === payer.methodKey);
  if (route === undefined) return { kind: 'invalid', issues: [issue('methods', TEXTS.choice)] };
  const { entered, saved } = payer.card ?? NO_CARD;
  const asked = cardAsked(context, session, route, saved, entered.get('card.saved'));
  const read = asked && readCard(asked, entered, (saved) => openSaved(context, saved));
  const resolved = resolveFor(context, session, route, payer, read?.ok === true ? read.entry : undefined);
  const issues = [...ofAmount, ...(read?.ok === false ? read.issues : []), ...resolved.issues];
  if (resolved.value === undefined || issues.length > 0) return { kind: 'invalid', issues };
  const entry = read?.ok === true ? read.entry : undefined;
  return storeAttempt(context, session, route, payer, {
    input: runInput(resolved.value, payer.browser),
    entry,
    saved: asked?.saved,
  });
}

/** The method's values, or what is missing, wrong or outside the limits. */
export function resolveFor(
  context: ServiceContext,
  { request, merchant }: Pick<OpenSession, 'request' | 'merchant'>,
  { key, mid, method, profile }: Route,
  { answers }: Pick<PayerInput, 'answers'>,
  entry: CardEntry | undefined,
): { readonly value?: Resolved; readonly issues: readonly Issue[] } {
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const payer = entry === undefined ? answers : { 'customer.name': plainLatin(entry.card.holder), ...answers };
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, payer, today };
  const resolution = context.directory.registry.resolve(request, key, { ...sources, profiles: merchant.profile });
  if (resolution.kind === 'missing') return { issues: resolution.fields.map(({ path }) => issue(path, TEXTS.blank)) };
  if (resolution.kind === 'invalid') return { issues: resolution.issues };
  const { amount, operation } = request;
  const issues = amount === 'payer' ? [] : breach(method, operation, amount, scopeOf(request, key), sources);
  return { value: resolution.value, issues };
}

/** What an attempt is begun with. */
export interface Attempt {
  readonly input: unknown;
  readonly entry: CardEntry | undefined;
  readonly saved: SavedCard | undefined;
}

/** Stores an attempt, and only then drives it. */
export async function storeAttempt(
  context: ServiceContext,
  session: OpenSession,
  { key, mid, method }: Route,
  payer: Pick<PayerInput, 'ip'>,
  { input, entry, saved }: Attempt,
): Promise<Begun> {
  const { amount, order } = session.request;
  // The first payment has the session's id: a status lookup by order has told it already (see `unpaidBody`).
  const id = session.stored.attempts === 0 ? session.stored.id : context.newId();
  const runId = context.newId();
  const recurringToken = newRecurringToken(context, mid, method.key, id);
  const card = entry && (await paidWith(context, session, entry, saved));
  const begun = await context.stores.payments.begin({
    id,
    sessionId: session.stored.id,
    reference: context.newId(),
    method: method.key,
    methodAlias: key,
    connectorId: mid.connector.id,
    connectorVersion: mid.connector.version,
    midId: mid.id,
    payerIp: payer.ip ?? null,
    amount:
      amount === 'payer'
        ? { open: true, text: order.amount ?? null, currency: order.currency }
        : { open: false, text: amount.text, minor: amount.minor, currency: amount.currency },
    ...(card && { card }),
    ...(recurringToken !== undefined && { recurringToken }),
    run: {
      runId,
      input: sealJson(context.sealer, input, sealedAt.runInput(runId)),
      owner: context.owner,
      leaseMs: LEASE_MS,
    },
  });
  if (begun === undefined) return { kind: 'busy' };
  if (entry?.cvv !== undefined) context.securityCodes.hold(runId, entry.cvv);
  const run = await context.stores.runs.find(begun.lease.runId);
  if (run !== undefined) await driveRun(context, run, begun.lease);
  return { kind: 'begun', paymentId: id };
}

/** A name without the marks on its letters: `customer.name` is in basic Latin letters (protocol: Session authentication request). */
export const plainLatin = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '');
