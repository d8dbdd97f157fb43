import {
  callbackWords,
  isOpenModification,
  LEGAL_MOVES,
  PAYMENT_STATES,
  type PaymentStateName,
} from '@railyard/core/payment';
import { stateOf } from '../../src/payments/payment.ts';
import type { Payment } from '../../src/storage/index.ts';
import type { Act, Charge } from './provider-behaviour.ts';
import type { Known } from './model-operations.ts';
import type { World } from './model-world.ts';

const NO_MONEY: readonly PaymentStateName[] = ['created', 'pending', 'declined', 'expired'];
const WITH_MONEY = PAYMENT_STATES.filter((state) => !NO_MONEY.includes(state));

/** Everything that must hold once all is at rest, in words; nothing where it does. */
export async function problemsOf(world: World, { beside }: Pick<Known, 'beside'>): Promise<string[]> {
  const { db, context, provider } = world;
  const ids = await db.selectFrom('payments').select('id').execute();
  const problems: string[] = [];
  const found: Payment[] = [];
  for (const { id } of ids) {
    const payment = await context.stores.payments.find(id);
    if (payment !== undefined) found.push(payment);
  }
  for (const payment of found) {
    const say = (what: string) => problems.push(`payment ${payment.id} (${payment.method}, ${payment.state}): ${what}`);
    await historyProblems(world, payment, say);
    await callbackProblems(world, payment, say);
    declineProblems(world, payment, say);
    await modificationProblems(world, payment, say);
    const charges = provider.charges.filter(({ reference }) => reference === payment.merchantReference);
    if (charges.length > 1) say(`charged ${charges.length} times`);
    moneyProblems(world, payment, charges[0], say);
  }
  const ledger = provider.withMoney();
  for (const session of await db.selectFrom('sessions').select('id').execute()) {
    // The provider's ledger counts, also for a payment that was told as declined.
    const paid = found.filter(
      (each) =>
        each.sessionId === session.id && (WITH_MONEY.includes(each.state) || ledger.includes(each.merchantReference)),
    );
    // What came twice by two ways goes back, unless that cannot be known, which an operator is then called about.
    const keeps = paid.filter((each) => ledger.includes(each.merchantReference));
    const isRaised = keeps.some(({ id }) => world.reports.isRaised(id));
    if (beside.has(session.id) ? keeps.length > 1 && !isRaised : paid.length > 1)
      problems.push(`session ${session.id}: paid ${paid.length} times`);
  }
  for (const { reference } of provider.charges)
    if (!found.some((payment) => payment.merchantReference === reference)) problems.push(`charge ${reference}: lost`);
  problems.push(...provider.overlaps.map((name) => `${name} was sent again while its answer was awaited`));
  return [...problems, ...world.reports.failures];
}

type Say = (what: string) => void;

/** The history has every version once, and only moves that the table of states knows. */
async function historyProblems({ context }: World, payment: Payment, say: Say): Promise<void> {
  const events = await context.stores.payments.eventsOf(payment.id);
  events.forEach(({ version, fromState, toState }, index) => {
    if (version !== index + 1) say(`version ${version} stands at place ${index + 1}`);
    if (fromState !== (events[index - 1]?.toState ?? null)) say(`version ${version} begins at ${fromState}`);
    const from = fromState ?? 'none';
    if (from !== toState && !LEGAL_MOVES.some((move) => move.from === from && move.to === toState))
      say(`moved from ${from} to ${toState}`);
  });
  if (events.at(-1)?.toState !== payment.state) say(`its history ends at ${events.at(-1)?.toState}`);
  if (events.length !== payment.version) say(`it has version ${payment.version} and ${events.length} events`);
  const runs = await context.stores.runs.ofPayment(payment.id);
  for (const run of runs) if (run.state !== 'finished') say(`its run ${run.purpose} is ${run.state}`);
}

/** Every change was told, in order, once and again only with the same words; the last one says how the payment stands. */
async function callbackProblems({ context, heard }: World, payment: Payment, say: Say): Promise<void> {
  const callbacks = await context.stores.callbacks.ofPayment(payment.id);
  const order = callbacks.map(({ id }) => id);
  const deliveries = heard.filter(({ fields }) => fields.id === payment.id).map(({ id }) => order.indexOf(id));
  deliveries.forEach((at, index) => {
    const before = deliveries[index - 1] ?? -1;
    if (at !== before && at !== before + 1) say(`callback ${at} was delivered after callback ${before}`);
  });
  if (deliveries.length > 0 && deliveries.at(-1) !== order.length - 1) say('its last callback was not delivered');
  for (const { id, state } of callbacks) if (state !== 'delivered') say(`callback ${id} is ${state}`);
  const { status, order_status } = callbackWords(payment.operation, stateOf(payment));
  const isToldTo = heard.some(({ fields }) => fields.id === payment.id && fields.order_status === order_status);
  // Of an order that is paid, an attempt that brought nothing is not told.
  const session = await context.stores.sessions.find(payment.sessionId ?? '');
  const isMoot =
    (payment.state === 'declined' || payment.state === 'expired') &&
    (session?.paidPaymentId ?? payment.id) !== payment.id;
  if (payment.state !== 'created' && !isToldTo && !isMoot) say(`nobody was told ${status} ${order_status}`);
}

/**
 * A payment is told as failed only where its money cannot be at the provider: not there, not on its way, and no code open that the payer
 * may still pay. That lookups did not show it does not count: a decline that is wrong for a minute has the payer pay again.
 */
function declineProblems({ reports }: World, { id, merchantReference: reference }: Payment, say: Say): void {
  for (const { payment, withMoney } of reports.declined)
    if (payment === id && withMoney.includes(reference)) say('told as declined while the provider had its money');
}

/** A modification is open in the end only where it never arrived, so that nothing shows it; an operator is called about it. */
async function modificationProblems({ context, provider, reports }: World, payment: Payment, say: Say): Promise<void> {
  const modifications = await context.stores.modifications.ofPayment(payment.id);
  const open = modifications.filter(({ state }) => isOpenModification(state));
  for (const { id, kind } of open) {
    if (provider.acts.some((act) => act.id === id)) say(`the modification ${kind} is open, and the provider has it`);
    if (!reports.isRaised(payment.id)) say(`the modification ${kind} is open, and no operator knows`);
  }
  const refunds = open.filter(({ kind }) => kind === 'refund');
  const reserved = refunds.reduce((sum, { amount }) => sum + amount.minor, 0n);
  if (payment.reservedMinor !== reserved) say(`${payment.reservedMinor} are reserved for refunds of ${reserved}`);
  const modifying = open.find(({ kind }) => kind !== 'refund')?.kind ?? null;
  if (payment.modifying !== modifying) say(`${payment.modifying} is under way, and open is ${modifying}`);
}

/** Our books say what the provider's say. */
function moneyProblems(world: World, payment: Payment, charge: Charge | undefined, say: Say): void {
  const { provider } = world;
  if (charge === undefined || charge.state === 'refused') {
    if (charge === undefined && isLeftUnknown(world, payment)) return;
    if (payment.state !== 'declined' && payment.state !== 'expired')
      say(`the provider has ${charge?.state ?? 'nothing'}`);
    return;
  }
  if (charge.amount !== charge.asked && !isAccepted(payment)) return partProblems(world, payment, charge, say);
  if (!WITH_MONEY.includes(payment.state)) return say('the provider has the money');
  const acts = provider.acts.filter(({ payment: tx, state }) => tx === charge.tx && state === 'done');
  const sum = (kind: Act['kind']) =>
    acts.filter((each) => each.kind === kind).reduce((total, { amount }) => total + minor(amount), 0n);
  const came = charge.held ? sum('capture') : minor(charge.amount);
  if (sum('refund') > came) say(`${sum('refund')} was refunded of ${came}`);
  const times = (kind: Act['kind']) => acts.filter((each) => each.kind === kind).length;
  for (const kind of ['capture', 'void', 'release'] as const)
    if (times(kind) > 1) say(`it has ${times(kind)} times the act ${kind}`);
  // A hold that was let go of is not captured; what was captured can be taken back.
  if (times('release') > 0 && times('capture') > 0) say('it was captured and released');
  if (payment.refundedMinor !== sum('refund'))
    say(`${payment.refundedMinor} refunded, at the provider ${sum('refund')}`);
  const told = refundsTold(world, payment);
  if (told !== sum('refund')) say(`refunds of ${told} were told, at the provider ${sum('refund')}`);
  if ((payment.received?.minor ?? 0n) !== came) say(`${payment.received?.minor} received, at the provider ${came}`);
  const expected = stateFor(charge, acts, sum('refund') === came && came > 0n);
  const byBank: readonly PaymentStateName[] = ['charged_back', 'reversed'];
  if (payment.state !== expected && !byBank.includes(payment.state)) say(`expected was ${expected}`);
}

/** What the merchant was told that went back, by all callbacks of which each is one however often it was delivered. */
function refundsTold({ heard }: World, payment: Payment): bigint {
  const refunds = heard.filter(
    ({ fields }) => fields.id === payment.id && fields.type === 'refund' && fields.status === 'success',
  );
  const once = new Map(refunds.map(({ id, fields }) => [id, minor(fields.refund_amount ?? null)]));
  return [...once.values()].reduce((sum, amount) => sum + amount, 0n);
}

/** What never arrived cannot be found: the payment stays as it is, and an operator is called. */
const isLeftUnknown = ({ reports }: World, { id, state, unknown }: Payment): boolean =>
  state === 'pending' && unknown && reports.isRaised(id);

/** Whether a part that was approved is the merchant's, who captured it: then it is like any other money. */
const isAccepted = ({ state }: Payment): boolean => WITH_MONEY.includes(state) && state !== 'partially_approved';

/** What was approved in part is given back, unless that cannot be known, which an operator is then called about. */
function partProblems({ provider, reports }: World, payment: Payment, { reference }: Charge, say: Say): void {
  const isBack = !provider.withMoney().includes(reference);
  if (isBack && payment.state !== 'declined') say('a part was approved and given back');
  if (!isBack && !reports.isRaised(payment.id)) say('a part was approved, is not given back, and no operator knows');
}

function stateFor({ held }: Charge, acts: readonly Act[], isRefunded: boolean): PaymentStateName {
  const did = (kind: Act['kind']) => acts.some((each) => each.kind === kind);
  if (did('release')) return 'reversed';
  if (did('void')) return 'voided';
  if (isRefunded) return 'refunded';
  return held && !did('capture') ? 'authorized' : 'settled';
}

/** Amounts of the model have two decimals. */
const minor = (text: string | null): bigint => BigInt((text ?? '0.00').replace('.', ''));
