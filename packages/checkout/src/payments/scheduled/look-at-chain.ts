import type { Day, SessionRequest } from '@railyard/core/protocol';
import { skippedDayBody } from '../../callbacks/content/skipped-day.ts';
import { merchantDay, msUntil } from '../../schedules/merchant-day.ts';
import { sealedAt } from '../../secrets/index.ts';
import { newSession } from '../../sessions/charge-session.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import {
  asStored,
  type Chain,
  type ChainFacts,
  type DueDay,
  type NewCallback,
  type Payment,
} from '../../storage/index.ts';
import { chargeStoredBy } from '../operations/charge-mandate.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { whyNotChargeable } from '../operations/mandate-chargeable.ts';
import { mandateTokens } from '../state/mandate.ts';
import { sessionOf } from '../transitions/apply.ts';
import { nextStep, type Step } from './next-step.ts';
import { scheduledCommand, scheduledRequest } from './scheduled-request.ts';

/** Takes chains of schedules that are to be looked at now. */
export function takeChains(context: OperationDeps, limit: number, busy: readonly string[]): Promise<Chain[]> {
  return context.stores.chains.claimDue(limit, busy);
}

/** After so many steps others come first. */
const MOST_STEPS = 20;

/** Without a day that is due a chain is looked at again after this at the latest: clocks differ. */
const SOONEST_MS = 1000;

/** A chain in hand. */
interface Looked extends ChainFacts {
  readonly first: Payment;
  /** The session of the first payment. */
  readonly session: OpenSession;
  readonly today: Day;
}

/**
 * Does what is due for a chain, one step after the other: charges, tries softly declined charges again, writes down which days are not charged,
 * and plans when it is looked at next. A step on which another process or a merchant was faster is decided again.
 *
 * @returns true where there is more to do at once
 */
export async function lookAtChain(context: OperationDeps, { id }: Pick<Chain, 'id'>): Promise<boolean> {
  const { chains, payments } = context.stores;
  const first = await payments.find(id);
  if (first === undefined) throw new Error(`The chain ${id} has no payment.`);
  const session = await sessionOf(context, first);
  const { merchant } = session;
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const facts = await chains.find(id);
    if (facts === undefined) return false;
    const today = await merchantDay(context, facts.chain, merchant);
    const step = nextStep(facts, today, merchant.config.catchUp);
    if (step.kind !== 'wait') await take(context, { ...facts, first, session, today }, step);
    else if (await chains.pollIn(facts.chain, await msOf(context, session, step.until))) return false;
  }
  const facts = await chains.find(id);
  return facts !== undefined && (await chains.pollIn(facts.chain, 0));
}

const msOf = async (context: OperationDeps, session: OpenSession, until: Day | undefined): Promise<number | null> =>
  until === undefined ? null : Math.max(SOONEST_MS, await msUntil(context, session.stored, session.merchant, until));

function take(context: OperationDeps, looked: Looked, step: Exclude<Step, { kind: 'wait' }>): Promise<unknown> {
  switch (step.kind) {
    case 'charge':
      return charge(context, looked, step.day);
    case 'retry':
      return tryAgain(context, looked, step.declined);
    case 'skip':
      return skip(context, looked, step.day, step.state);
  }
}

async function charge(context: OperationDeps, looked: Looked, day: Day): Promise<unknown> {
  const { first, session, chain } = looked;
  const request = scheduledRequest(session, first, day);
  if (whyNotChargeable(context, session.merchant, first, request) !== undefined)
    return skip(context, looked, day, 'refused');
  const id = context.newId();
  const { fresh, opened } = openedFor(context, looked, id, request);
  return chargeStoredBy(context, opened, { id, first }, (payment) =>
    context.stores.chains.beginCharge(dueOf(looked, chain, day), fresh, payment),
  );
}

async function tryAgain(context: OperationDeps, looked: Looked, declined: ChainFacts['declined'][number]) {
  const { first, chain } = looked;
  const { day, chargeId, lastTried } = declined;
  const [last] = await context.stores.payments.ofSession(chargeId);
  if (last === undefined) throw new Error(`The charge ${chargeId} is gone.`);
  const session = await sessionOf(context, last);
  if (whyNotChargeable(context, session.merchant, first, session.request) !== undefined)
    return skip(context, looked, day, 'refused');
  const retry = { id: context.newId(), first, retries: last };
  return chargeStoredBy(context, session, retry, (payment) =>
    context.stores.chains.beginRetry(dueOf(looked, chain, day), lastTried, payment),
  );
}

const dueOf = ({ schedule, today }: Looked, { id }: Chain, day: Day): DueDay => ({
  mandateId: id,
  day,
  scheduleVersion: schedule.version,
  today,
});

/** The session of a charge, to be stored and as it is then; signed as the first payment's. */
function openedFor(context: OperationDeps, { session }: Looked, id: string, request: SessionRequest) {
  const { stored, merchant } = session;
  const { hashDialect, hashDigest } = stored;
  const command = scheduledCommand(session);
  const charged = { id, scope: stored, request, command, payerPresence: 'none' } as const;
  const fresh = { ...newSession(context, charged), hashDialect, hashDigest };
  const now = context.now();
  const times = { createdAt: new Date(now), expiresAt: new Date(now + request.session_expiry * 60_000) };
  const opened: OpenSession = {
    stored: asStored(fresh, times),
    request,
    merchant,
    routes: [],
    ...(command && { command }),
  };
  return { fresh, opened };
}

const REASONS = {
  paused: 'Not charged: the schedule was paused on this day.',
  missed: 'Not charged: the day had passed before it could be charged.',
  refused: 'Not charged: the account does not take this charge any more.',
} as const;

/** Writes down that a day is not charged, with the callback that says so. */
async function skip(context: OperationDeps, looked: Looked, day: Day, state: keyof typeof REASONS): Promise<boolean> {
  const callbacks = await skippedCallbacks(context, looked, day, state);
  const due = dueOf(looked, looked.chain, day);
  const isWritten = await context.stores.chains.skip({ ...due, state, callbacks });
  if (isWritten && callbacks.length > 0) context.wake('callbacks');
  return isWritten;
}

async function skippedCallbacks(
  context: OperationDeps,
  looked: Looked,
  day: Day,
  state: keyof typeof REASONS,
): Promise<readonly NewCallback[]> {
  const { first, session } = looked;
  const own = session.command?.callbackUrl;
  const url = own ?? session.merchant.config.callbackUrl;
  if (url === undefined) return [];
  const id = `msg_${context.newId()}`;
  const card = first.cardId === null ? undefined : await context.stores.cards.find(first.cardId);
  const written = skippedDayBody({
    first,
    card,
    mandate: await mandateTokens(context, first),
    session: openedFor(context, looked, first.id, scheduledRequest(session, first, day)).opened,
    reason: REASONS[state],
    isSchedulePaused: state === 'refused',
    at: context.now(),
  });
  const body = context.sealer.seal(written.body, sealedAt.callbackBody(id));
  return [{ id, url, ...(own !== undefined && { ownUrl: true }), ...written, body }];
}
