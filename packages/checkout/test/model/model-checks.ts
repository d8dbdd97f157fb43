import { callbackWords, LEGAL_MOVES, PAYMENT_STATES, type PaymentStateName } from '@railyard/core';
import { stateOf } from '../../src/payments/payment-state.ts';
import type { Payment } from '../../src/storage/index.ts';
import type { Act, Charge } from './model-provider.ts';
import type { World } from './model-world.ts';

const NO_MONEY: readonly PaymentStateName[] = ['created', 'pending', 'declined', 'expired'];
const WITH_MONEY = PAYMENT_STATES.filter((state) => !NO_MONEY.includes(state));

/** Everything that must hold once all is at rest, in words; nothing where it does. */
export async function problemsOf(world: World): Promise<string[]> {
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
    const charges = provider.charges.filter(({ reference }) => reference === payment.reference);
    if (charges.length > 1) say(`charged ${charges.length} times`);
    moneyProblems(world, payment, charges[0], say);
  }
  for (const session of await db.selectFrom('sessions').select('id').execute()) {
    const paid = found.filter(({ sessionId, state }) => sessionId === session.id && WITH_MONEY.includes(state));
    if (paid.length > 1) problems.push(`session ${session.id}: paid ${paid.length} times`);
  }
  for (const { reference } of provider.charges)
    if (!found.some((payment) => payment.reference === reference)) problems.push(`charge ${reference}: lost`);
  return [...problems, ...world.failures];
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
  for (const run of runs) if (run.state !== 'finished') say(`its run ${run.action} is ${run.state}`);
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
  if (payment.state !== 'created' && !isToldTo) say(`nobody was told ${status} ${order_status}`);
}

/** Our books say what the provider's say. */
function moneyProblems({ provider }: World, payment: Payment, charge: Charge | undefined, say: Say): void {
  if (charge === undefined || charge.state === 'refused') {
    if (payment.state !== 'declined' && payment.state !== 'expired')
      say(`the provider has ${charge?.state ?? 'nothing'}`);
    return;
  }
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
  if ((payment.received?.minor ?? 0n) !== came) say(`${payment.received?.minor} received, at the provider ${came}`);
  if (payment.reservedMinor !== 0n || payment.acting !== null) say('an action is still open');
  const expected = stateFor(charge, acts, sum('refund') === came && came > 0n);
  const byBank: readonly PaymentStateName[] = ['charged_back', 'reversed'];
  if (payment.state !== expected && !byBank.includes(payment.state)) say(`expected was ${expected}`);
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
