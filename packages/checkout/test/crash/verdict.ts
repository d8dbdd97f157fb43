import { Webhook } from 'standardwebhooks';
import type { Db } from '../../src/storage/index.ts';
import { callbackSecret, type Received, testCallbackSecret } from '../support/receiver.ts';
import type { Expected } from './flow.ts';
import { heardOf, isOf } from './heard.ts';
import { type Effect, ledgerOf, type Outside } from './outside.ts';

type Left = Awaited<ReturnType<typeof readLeft>>;

/** What the service left in its database. */
export async function readLeft(db: Db) {
  return {
    payments: await db.selectFrom('payments').selectAll().execute(),
    events: await db.selectFrom('paymentEvents').selectAll().orderBy('version').execute(),
    runs: await db.selectFrom('flowRuns').selectAll().execute(),
    callbacks: await db.selectFrom('callbacks').selectAll().orderBy('seq').execute(),
    sessions: await db.selectFrom('sessions').selectAll().execute(),
  };
}

/** What is wrong with a payment and what came of it: nothing, if the provider's ledger, the database and what the merchant was told agree. */
export function wrongWith(
  expects: readonly Expected[],
  left: Left,
  outside: Outside,
  mayBeLeft: boolean,
): readonly string[] {
  const [first] = expects;
  if (first === undefined || !mayBeLeft || !isLeftUnknown(first, left, outside))
    return expects.flatMap((each) => wrongWithOrder(each, left, outside));
  const more = left.payments.filter(({ orderNumber }) => expects.some(({ order }) => order === orderNumber));
  return [
    ...(more.length === 1 ? [] : [`${more.length} payments where one is left unknown`]),
    ...more.flatMap((payment) => wrongTold(payment, left, outside.shop.received)),
  ];
}

const isOpen = ({ state }: Left['payments'][number]) => state === 'created' || state === 'pending';

/** Whether the charge was written down and never left: the provider has nothing, and nobody was told otherwise. */
function isLeftUnknown({ order }: Expected, left: Left, outside: Outside): boolean {
  const payment = left.payments.findLast(({ orderNumber }) => orderNumber === order);
  if (payment === undefined || !isOpen(payment) || !payment.unknown) return false;
  if (ledgerOf(outside).some(({ reference }) => reference === payment.merchantReference)) return false;
  const last = outside.shop.received.map(({ fields }) => heardOf(fields)).findLast((heard) => isOf(heard, payment));
  return last?.isUndefined === true;
}

function wrongWithOrder({ order, effects, state: end }: Expected, left: Left, outside: Outside): string[] {
  const payments = left.payments.filter(({ orderNumber }) => orderNumber === order);
  const ended = payments.filter(({ state }) => state === end);
  const ids = new Set(payments.map(({ id }) => id));
  const references = new Set(payments.map(({ merchantReference: reference }) => reference));
  const ledger = ledgerOf(outside).filter(({ reference }) => references.has(reference));
  const happened = effects.map((effect) => {
    const entries = ledger.filter((each) => each.effect === effect);
    return { effect, times: entries.reduce((sum, each) => sum + each.times, 0) };
  });
  const finals = left.events.filter(
    ({ paymentId, fromState, toState }) => ids.has(paymentId) && toState === end && fromState !== end,
  );
  // A payer whose form was lost with the service sends it again: after a decline that is another payment, with effects of its own.
  const times = end === 'declined' ? Math.max(1, ended.length) : 1;
  // Deposits add up: one that counts twice would leave more than was asked for.
  const sums = (end === 'declined' ? [] : ended).filter(
    ({ receivedMinor, amountMinor }) => String(receivedMinor) !== String(amountMinor),
  );
  const open = payments.filter(isOpen);
  const runs = left.runs.filter(({ paymentId, state }) => ids.has(paymentId) && state !== 'finished');
  const completed = left.sessions.filter((each) => each.orderNumber === order && each.state === 'completed');
  return [
    ...(ended.length === times ? [] : [`${ended.length} payments ${end}`]),
    ...sums.map(({ receivedMinor, amountMinor }) => `received ${receivedMinor} of ${String(amountMinor)}`),
    ...(open.length === 0 ? [] : [`${open.length} payments open`]),
    ...happened.filter((each) => each.times !== times).map((each) => `${each.effect} ${each.times} times`),
    ...(finals.length === times ? [] : [`${end} ${finals.length} times`]),
    ...(runs.length === 0 ? [] : [`${runs.length} runs not finished`]),
    ...(completed.length === (end === 'declined' ? 0 : 1) ? [] : [`${completed.length} sessions completed`]),
    ...payments.flatMap((payment) => wronglyDeclined(payment, left, ledger)),
    ...payments.flatMap((payment) => wrongTold(payment, left, outside.shop.received)),
  ];
}

/** A payment whose money the provider took was never told as declined, unless the money had gone back. */
function wronglyDeclined(
  { id, merchantReference: reference, state }: Left['payments'][number],
  { events }: Left,
  ledger: ReturnType<typeof ledgerOf>,
): string[] {
  const has = (effect: Effect) =>
    ledger.some((each) => each.reference === reference && each.effect === effect && each.times > 0);
  const failed = events.filter(({ paymentId, toState }) => paymentId === id && isFailed(toState));
  if (failed.length === 0 || !(has('money') || has('hold'))) return [];
  return isFailed(state) && has('refund') ? [] : ['declined, and the provider has its money'];
}

const isFailed = (state: string) => state === 'declined' || state === 'expired';

/** What is wrong with what the merchant was told of a payment. */
function wrongTold(payment: Left['payments'][number], left: Left, received: readonly Received[]): string[] {
  const written = left.callbacks.filter((each) => each.paymentId === payment.id);
  const came = received.filter(({ fields }) => isOf(heardOf(fields), payment));
  const places = came.map(({ headers }) => written.findIndex(({ id }) => id === headers['webhook-id']));
  const wrong = [];
  if (places.includes(-1)) wrong.push('a callback under an id that is not written down');
  if (new Set(places).size < written.length) wrong.push('a callback that never came');
  if (places.some((place, index) => place < (places[index - 1] ?? 0))) wrong.push('callbacks out of order');
  if (written.some(({ state }) => state !== 'delivered')) wrong.push('a callback that counts as not delivered');
  // The same bytes under an id each time: what they are is sealed in the database.
  if (new Set(came.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size > new Set(places).size)
    wrong.push('a callback of other bytes');
  if (!came.every(isSigned)) wrong.push('a callback whose signatures do not fit');
  const { state } = payment;
  const last = came.at(-1);
  const said = last && heardOf(last.fields).state;
  if ((state === 'settled' || state === 'refunded' || state === 'declined') && said !== state)
    wrong.push(`${state}, and told "${String(said)}"`);
  return wrong;
}

/** Both signatures, at the time that the callback says: the service's clock runs ahead. */
function isSigned({ headers, body, fields }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const secret = fields['test'] === 'true' ? testCallbackSecret : callbackSecret;
  const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body);
  return headers['webhook-signature'] === signature && heardOf(fields).isHashRight;
}

/** Money under a reference that the database does not have. */
export function lostMoney(left: Left, outside: Outside): string[] {
  const known = new Set(left.payments.map(({ merchantReference: reference }) => reference));
  return ledgerOf(outside)
    .filter(({ reference, times }) => times > 0 && !known.has(reference))
    .map(({ reference }) => `The provider has ${reference}, the database has not`);
}
