import type { Outcome } from '@railyard/core';
import type { Resolved } from '@railyard/core/registry';
import type { Route } from '../../merchants/directory.ts';
import type { RunDeps } from './deps.ts';
import { usableRoutes, type OpenSession } from '../../sessions/session.ts';
import { asAttempted, withConsent } from '../../sessions/payer-input.ts';
import type { NewPayment, Payment, RunLease, StoredCard } from '../../storage/index.ts';
import { openRunInput, runInput, type KnownWithSession } from '../payment.ts';
import { choicesAt, takenBy, takesCard } from '../../cards/paid-with.ts';
import { newAttempt, resolveFor } from './attempt.ts';
import { flowAt, isRoutable, walletOf, type WalletFlow } from '../../cards/wallet.ts';

type Answers = Readonly<Record<string, string>>;

/**
 * The payment that is begun at the next account when this one's run ends with a soft decline (docs/decisions/cascading.md), with the security code
 * handed on to it; `undefined` where the payer sees the decline. Whether the session is still open is seen when it is begun.
 */
export async function planFailover(
  context: RunDeps,
  { payment, session: stored }: KnownWithSession,
  lease: RunLease,
  outcome: Outcome,
): Promise<NewPayment | undefined> {
  if (outcome.status !== 'declined' || outcome.kind !== 'soft' || !isFirstAnswer(payment, lease)) return undefined;
  const session = asAttempted(stored, payment);
  // A charge or payout that a merchant's server asked for is reported under the id that it was answered with.
  if (!session.merchant.config.cascading || session.stored.payerPresence !== 'page') return undefined;
  const next = await nextAccount(context, session, payment, lease.runId);
  if (next === undefined) return undefined;
  const [id, runId] = [context.newId(), context.newId()];
  // It is never asked again for one try, and nowhere else than in this memory.
  if (needsCode(payment) && !context.securityCodes.handOver(lease.runId, runId)) return undefined;
  const { route, input, answers } = next;
  return {
    ...newAttempt(context, withConsent(session, answers), route, { id, runId, input, ip: payment.payerIp }),
    follows: payment,
    // A payment that waits beside it waited beside the declined one as well.
    beside: true,
  };
}

/**
 * Whether the run went through in one go and nothing was known of the payment before: no outcome was unknown, no payer was led to a
 * bank or asked anything, no process died, and the merchant was sent nothing.
 */
const isFirstAnswer = ({ version }: Payment, { epoch }: RunLease): boolean => version === 1 && epoch === 1;

/**
 * The page asks for it whenever a payer pays with a card; a wallet proves a device's number itself, and leaves the proof of
 * other numbers to the acquirer.
 */
const needsCode = ({ cardId, operation, panType }: Payment): boolean =>
  cardId !== null && operation !== 'credit' && panType !== 'fpan';

/** The next account that takes the request, the card's network, and what the payer has entered; none is asked twice in one try. */
async function nextAccount(
  context: RunDeps,
  session: OpenSession,
  payment: Payment,
  runId: string,
): Promise<{ readonly route: Route; readonly input: unknown; readonly answers: Answers } | undefined> {
  const { payments, runs, cards } = context.stores;
  const run = await runs.find(runId);
  const { answers, browser, wallet, authentication } = run === undefined ? {} : openRunInput(context, run);
  if (answers === undefined) return undefined;
  const kept = payment.cardId === null ? undefined : await cards.find(payment.cardId);
  const holder = kept && context.vault.openHolder(kept);
  const tried = new Set((await payments.ofTry(payment)).map(({ midId }) => midId));
  for (;;) {
    const route = usableRoutes(context, session.merchant, session.request, tried).find(
      ({ key, method }) => key === payment.methodAlias && method.key === payment.method,
    );
    if (route === undefined) return undefined;
    const resolved = fits(context, session, route, { kept, flow: wallet?.flow })
      ? resolvedFor(context, session, route, answers, holder)
      : undefined;
    if (resolved !== undefined) {
      const brought = { answers, ...(browser && { browser }), ...(authentication && { authentication }) };
      const input = runInput(resolved, brought, wallet);
      return { route, input, answers };
    }
    tried.add(route.mid.id);
  }
}

/** Whether the account is paid as the first one was: with a card of a network that it takes, or without one. */
function fits(
  context: RunDeps,
  session: OpenSession,
  route: Route,
  { kept, flow }: { readonly kept: StoredCard | undefined; readonly flow: WalletFlow | undefined },
): boolean {
  const wallet = walletOf(session, route);
  // Another account gets the card of an opened token; a token that was passed on is spent.
  if (flow !== undefined)
    return (
      wallet !== undefined &&
      isRoutable(flow) &&
      isRoutable(flowAt(route, wallet)) &&
      takenBy(route).includes(kept?.brand ?? '')
    );
  const takes = takesCard(context, session, route);
  if (kept === undefined || !takes) return kept === undefined && !takes;
  // The provider was told a network, or none: neither changes at another account.
  const choices = choicesAt(session, route, context.vault.openNumber(kept) ?? '');
  return kept.brandChosenBy === null
    ? choices === undefined && takenBy(route).includes(kept.brand)
    : choices?.includes(kept.brand) === true;
}

function resolvedFor(
  context: RunDeps,
  session: OpenSession,
  route: Route,
  answers: Answers,
  holder: string | undefined,
): Resolved | undefined {
  const { value, issues } = resolveFor(context, session, route, { answers }, holder);
  return issues.length === 0 ? value : undefined;
}
