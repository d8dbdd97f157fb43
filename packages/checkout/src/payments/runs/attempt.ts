import type { NextAction } from '@railyard/runtime';
import { sealJson, sealedAt } from '../../secrets/index.ts';
import type { AttemptDeps, OperationDeps } from './deps.ts';
import { TEXTS } from '@railyard/core';
import { issue, type Issue } from '@railyard/core/protocol';
import { breach, resolveMethod, scopeOf, type Resolved } from '@railyard/core/registry';
import type { Route } from '../../merchants/directory.ts';
import type { OpenSession } from '../../sessions/session.ts';
import { answerIssues, COUNTRY, isOneTime, nameIn, requiredIn, understood } from '../../sessions/payer-input.ts';
import { withNumbers } from '../../sessions/phones.ts';
import { DatabaseUnavailableError, type NewPayment, type StartedPayment, type TokenUsed } from '../../storage/index.ts';
import type { HeldSecrets, SecurityCodes } from '../../cards/security-codes.ts';
import { newRecurringToken } from '../payment.ts';
import { LEASE_MS } from './lease.ts';
import type { WalletAttempt } from '../../cards/wallet.ts';

/** The step at which a run waits for its merchant's word before anything else. No flow has a step of this name, which holds a colon. */
export const CONFIRMATION = 'merchant:confirmation';

/** Nothing is asked of the payer, and no money moves before the merchant's word: with its session it ends. */
const ASKS: NextAction = { kind: 'collect', step: CONFIRMATION, fields: [], resend: false, mayTurnBack: true };

/** Where a run waits that its merchant confirms later. */
export const awaitsConfirmation = ({ sealer }: Pick<AttemptDeps, 'sealer'>, runId: string) => ({
  step: CONFIRMATION,
  asks: sealJson(sealer, ASKS, sealedAt.runAsks(runId)),
});

interface NewRun {
  readonly id: string;
  readonly runId: string;
  readonly input: unknown;
  readonly ip: string | null;
  /** `later`: it waits for its merchant's word before anything is sent. */
  readonly confirmed?: 'already' | 'later' | undefined;
  /** See `NewPayment`. */
  readonly beside?: boolean | undefined;
}

/** A payment of a session at one account, with the run of its operation, as it is begun. */
export function newAttempt(
  context: AttemptDeps,
  { stored, request }: OpenSession,
  { key, mid, method }: Route,
  { id, runId, input, ip, confirmed = 'already', beside = false }: NewRun,
): NewPayment {
  const { amount, order } = request;
  const recurringToken = isOneTime(request) ? undefined : newRecurringToken(context, mid, method.key, id);
  return {
    id,
    sessionId: stored.id,
    merchantReference: context.newId(),
    method: method.key,
    methodAlias: key,
    connectorId: mid.connector.id,
    connectorVersion: mid.connector.version,
    midId: mid.id,
    payerIp: ip,
    beside,
    amount:
      amount === 'payer'
        ? { open: true, text: order.amount ?? null, currency: order.currency }
        : { open: false, text: amount.text, minor: amount.minor, currency: amount.currency },
    ...(recurringToken !== undefined && { recurringToken }),
    run: {
      runId,
      input: sealJson(context.sealer, input, sealedAt.runInput(runId)),
      owner: context.owner,
      leaseMs: LEASE_MS,
      ...(confirmed === 'later' && { waitsAt: awaitsConfirmation(context, runId) }),
    },
  };
}

/**
 * The method's values, or what is missing, wrong or outside the limits.
 *
 * @param holder the name on the card that is paid with
 */
export function resolveFor(
  context: AttemptDeps,
  { request: sent, merchant }: Pick<OpenSession, 'request' | 'merchant'>,
  { key, mid, method, profile }: Route,
  { answers }: { readonly answers: Readonly<Record<string, string>> },
  holder: string | undefined,
): { readonly value?: Resolved; readonly issues: readonly Issue[] } {
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const { registry } = context.directory;
  const { names } = merchant.config;
  const read = withNumbers(registry, merchant.profile, sent, key, understood(answers, sent, names));
  const { request, answers: given } = read;
  const payer = holder === undefined ? given : { 'customer.name': nameIn(names, holder), ...given };
  const wrong = [...read.issues, ...answerIssues(payer, request, names)];
  const inCountry = requiredIn(profile, request.billing_address?.country ?? payer[COUNTRY]);
  const sources = { profile: inCountry, mid: mid.defaults[method.key] ?? {}, payer, today };
  const resolution = resolveMethod(registry, request, key, {
    ...sources,
    profiles: merchant.profile,
  });
  if (resolution.kind === 'missing')
    return { issues: [...wrong, ...resolution.fields.map(({ path }) => issue(path, TEXTS.blank))] };
  if (resolution.kind === 'invalid') {
    const others = resolution.issues.filter(({ path }) => !wrong.some((each) => each.path === path));
    return { issues: [...wrong, ...others] };
  }
  if (wrong.length > 0) return { issues: wrong };
  const { amount, operation } = request;
  const issues = amount === 'payer' ? [] : breach(method, operation, amount, scopeOf(request, key), sources);
  return { value: resolution.value, issues };
}

/**
 * Stores an attempt with a wallet, its card and the mark that its token is used, in one statement: a crash leaves all of it or
 * nothing. The caller executes it.
 *
 * @returns undefined where the session has ended, or another attempt may still bring money
 */
export async function startWithWallet(
  context: OperationDeps,
  session: OpenSession,
  route: Route,
  { ip, beside }: { readonly ip: string | undefined; readonly beside?: boolean },
  { input, wallet }: { readonly input: unknown; readonly wallet: WalletAttempt },
): Promise<StartedPayment | TokenUsed | undefined> {
  const { newId, vault, stores, securityCodes, log } = context;
  // The first payment has the session's id (see `beginAttempt`).
  const id = session.stored.attempts === 0 ? session.stored.id : newId();
  const runId = newId();
  const attempt = newAttempt(context, session, route, { id, runId, input, ip: ip ?? null, beside });
  const { card, paid, held } = wallet;
  const insert = () =>
    // It is kept as a card that was entered is; no token is made of it.
    stores.payments.insertWithToken({
      ...attempt,
      ...(card && { card: { kept: vault.seal(newId(), card, false) } }),
      wallet: paid,
    });
  const started = await heldWhile(securityCodes, runId, held, insert, (each) => each !== 'token-used');
  if (started === 'token-used')
    log.warn({ event: 'wallet-refused', session: session.stored.id, method: route.method.key, state: 'replayed' });
  return started;
}

/**
 * Holds the secrets of a run from before its payment is stored: where the answer to that is lost, this process alone has them for the payment
 * that may have begun. Of a payment that did not begin they are forgotten.
 */
export async function heldWhile<T>(
  securityCodes: SecurityCodes,
  runId: string,
  secrets: HeldSecrets,
  insert: () => Promise<T | undefined>,
  hasBegun: (stored: T) => boolean = () => true,
): Promise<T | undefined> {
  if (Object.keys(secrets).length > 0) securityCodes.hold(runId, secrets);
  let mayHaveBegun = false;
  try {
    const stored = await insert();
    mayHaveBegun = stored !== undefined && hasBegun(stored);
    return stored;
  } catch (error) {
    mayHaveBegun = error instanceof DatabaseUnavailableError && error.effect === 'unknown';
    throw error;
  } finally {
    if (!mayHaveBegun) securityCodes.forget(runId);
  }
}
