import { TEXTS } from '@railyard/core';
import type { PayerBrowser } from '@railyard/core/driver';
import { issue, type Issue } from '@railyard/core/protocol';
import type { Route } from '../merchants/directory.ts';
import type { OperationDeps } from './runs/deps.ts';
import type { OpenSession } from '../sessions/session.ts';
import { withConsent, withEnteredAmount } from '../sessions/payer-input.ts';
import type { StartedPayment } from '../storage/index.ts';
import { heldWhile, newAttempt, resolveFor, startWithWallet } from './runs/attempt.ts';
import { cardRequirements, openSaved, paidWith } from '../cards/paid-with.ts';
import { executeStarted } from './runs/execute.ts';
import { runInput } from './payment.ts';
import { WALLET_TEXTS, WALLET_TOKEN, readWallet, walletOf, type ReadWallet } from '../cards/wallet.ts';
import { readCard, type CardEntry, type ReadCard, type SavedCard } from '../cards/index.ts';

export type StartResult =
  | { readonly kind: 'started'; readonly paymentId: string }
  /** Missing or wrong entries, by the paths of the page's inputs. */
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  /** The session has ended, or another attempt may still bring money. */
  | { readonly kind: 'busy' };

/** The card entries of the payer's browser. They go into the vault and nowhere else. */
export interface CardInput {
  /** The entries, by path. */
  readonly entered: ReadonlyMap<string, string>;
  /** The cards that the session's tokens stand for. */
  readonly saved: readonly SavedCard[];
}

const NO_CARD: CardInput = { entered: new Map(), saved: [] };

/** The payer's input to an attempt, from their browser. */
export interface PayerInput {
  readonly methodKey: string;
  /** By path, as the page names its inputs. */
  readonly answers: Readonly<Record<string, string>>;
  readonly card?: CardInput;
  /** The token of a digital wallet: JSON as text. */
  readonly walletToken?: string | undefined;
  readonly ip: string | undefined;
  /** `true`: the payer knows that another payment of the session waits for them. */
  readonly beside?: boolean;
  /** The browser's description of itself, for providers that ask (3-D Secure). */
  readonly browser?: PayerBrowser;
  /** The address of the browser that the card was entered in, where a merchant's server sends the rest. */
  readonly enteredFrom?: string;
}

/**
 * Begins an attempt: resolves the method's values, checks card and limits, stores the intent, and only then executes the flow. Of two
 * clicks or two tabs one begins.
 */
export async function startPayment(
  context: OperationDeps,
  opened: OpenSession,
  payer: PayerInput,
): Promise<StartResult> {
  const prepared = prepare(context, opened, payer);
  if (!prepared.ok) return { kind: 'invalid', issues: prepared.issues };
  const { session, route, value, paid } = prepared;
  if (paid?.ok === true) {
    const input = runInput(value, payer, paid.attempt);
    const started = await startWithWallet(context, session, route, payer, { input, wallet: paid.attempt });
    return started === 'token-used' ? TOKEN_USED : executed(context, started, session);
  }
  const attempt = attemptOf(prepared, payer);
  return executed(context, await storeAttempt(context, session, route, payer, attempt), session);
}

type Prepared = Extract<ReturnType<typeof prepare>, { ok: true }>;

function attemptOf({ value, entry, saved }: Prepared, payer: PayerInput): Attempt {
  const codeless = entry !== undefined && entry.cvv === undefined;
  return { input: runInput(value, codeless ? { ...payer, withoutCode: true } : payer), entry, saved };
}

/** An attempt by card that is right and not yet stored. */
export type PreparedAttempt =
  | { readonly ok: true; readonly session: OpenSession; readonly route: Route; readonly attempt: Attempt }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Reads and checks an attempt as `startPayment` does; its caller stores and executes it. */
export function prepareAttempt(context: OperationDeps, opened: OpenSession, payer: PayerInput): PreparedAttempt {
  const prepared = prepare(context, opened, payer);
  if (!prepared.ok) return prepared;
  const { session, route } = prepared;
  return { ok: true, session, route, attempt: attemptOf(prepared, payer) };
}

/** The problems for which an attempt would be refused. Nothing is stored, and nothing is sent. */
export function checkEntries(context: OperationDeps, opened: OpenSession, payer: PayerInput): readonly Issue[] {
  const prepared = prepare(context, opened, payer);
  return prepared.ok ? [] : prepared.issues;
}

/** Reads and checks all that the payer entered. */
function prepare(context: OperationDeps, opened: OpenSession, payer: PayerInput) {
  const refused = (issues: readonly Issue[]) => ({ ok: false, issues }) as const;
  const { session: said, issues: ofAmount } = withEnteredAmount(opened, payer.answers);
  const session = withConsent(said, payer.answers);
  const route = session.routes.find((each) => each.key === payer.methodKey);
  if (route === undefined) return refused([issue('methods', TEXTS.choice)]);
  const { entered, saved } = payer.card ?? NO_CARD;
  const asked = cardRequirements(context, session, route, saved, entered.get('card.saved'));
  const read = asked && readCard(asked, entered, (saved) => openSaved(context, saved));
  const entry = read?.ok === true ? read.entry : undefined;
  const wallet = walletOf(session, route);
  const paid = wallet && readWallet(context, session, route, wallet, payer.walletToken);
  const { value, issues: ofMethod } = resolveFor(context, session, route, payer, entry?.card.holder);
  const issues = [...ofAmount, ...issuesOf(read), ...issuesOf(paid), ...ofMethod];
  if (value === undefined || issues.length > 0) return refused(issues);
  return { ok: true, session, route, value, paid, entry, saved: asked?.saved } as const;
}

const TOKEN_USED: StartResult = { kind: 'invalid', issues: [issue(WALLET_TOKEN, WALLET_TEXTS.refused)] };

const issuesOf = (read: ReadCard | ReadWallet | undefined): readonly Issue[] => (read?.ok === false ? read.issues : []);

/** The prepared input of an attempt. */
export interface Attempt {
  readonly input: unknown;
  readonly entry: CardEntry | undefined;
  readonly saved: SavedCard | undefined;
  /** `later`: nothing is sent before the merchant confirms it (see `confirmPayment`). */
  readonly confirmed?: 'later';
  /** Of the payment, where its caller has to know it before it is stored. */
  readonly id?: string;
  /** The entry of the card in the session, which begins no other payment. */
  readonly entryId?: string;
}

async function executed(
  context: OperationDeps,
  started: StartedPayment | undefined,
  session: OpenSession,
): Promise<StartResult> {
  if (started === undefined) return { kind: 'busy' };
  await executeStarted(context, started, session);
  return { kind: 'started', paymentId: started.payment.id };
}

/** The first payment has the session's id: a status lookup by order has shown it already (see `unpaidBody`). */
export const nextPaymentId = ({ newId }: Pick<OperationDeps, 'newId'>, { stored }: OpenSession): string =>
  stored.attempts === 0 ? stored.id : newId();

/** Stores an attempt; the caller executes it. @returns undefined if the session has ended or another attempt may bring money */
export async function storeAttempt(
  context: OperationDeps,
  session: OpenSession,
  route: Route,
  { ip, beside }: Pick<PayerInput, 'ip' | 'beside'>,
  { input, entry, saved, confirmed, id = nextPaymentId(context, session), entryId }: Attempt,
): Promise<StartedPayment | undefined> {
  const runId = context.newId();
  const card = entry && (await paidWith(context, session, entry, saved));
  const attempt = newAttempt(context, session, route, { id, runId, input, ip: ip ?? null, confirmed, beside });
  const { cvv, cryptogram } = entry ?? {};
  const secrets = { ...(cvv !== undefined && { cvv }), ...(cryptogram !== undefined && { cryptogram }) };
  return heldWhile(context.securityCodes, runId, secrets, () =>
    context.stores.payments.insert({ ...attempt, ...(card && { card }), entryId }),
  );
}
