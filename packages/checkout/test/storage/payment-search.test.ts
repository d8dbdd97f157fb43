import { beforeEach, expect, test } from 'vitest';
import { storesOf, type NewPayment } from '../../src/storage/index.ts';
import type { PaymentFilter } from '../../src/storage/story.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { newCard, newPayment, newSession } from '../support/rows.ts';

const database = useDatabase();
const time = testClock('2026-11-01T00:00:00Z');
const stores = () => storesOf(database.db, time.clock);

/** A payment that begins an hour after the one before. @returns its id */
async function begun(over: Partial<NewPayment> = {}, merchantKey?: string): Promise<string> {
  time.advance(3_600_000);
  const session = newSession(merchantKey === undefined ? {} : { merchantKey });
  await stores().sessions.create(session);
  const started = await stores().payments.insert(newPayment(session.id, over));
  if (started === undefined) throw new Error('The payment did not start.');
  return started.payment.id;
}

const idsBy = async (filter: PaymentFilter, limit = 100) =>
  (await stores().stories.list(filter, limit)).found.map(({ paymentId }) => paymentId);

let [card, other, last] = ['', '', ''];
beforeEach(async () => {
  card = await begun({
    method: 'card',
    methodAlias: 'cards',
    midId: 'mid-card',
    card: { kept: newCard({ lastFour: '4242' }) },
  });
  other = await begun({ amount: { open: false, text: '7', minor: 700n, currency: 'EUR' } }, 'another-merchant');
  last = await begun();
});

test.each<[string, () => PaymentFilter, () => string[]]>([
  ['nothing, newest first', () => ({}), () => [last, other, card]],
  ['the merchant', () => ({ merchantKey: 'another-merchant' }), () => [other]],
  ['the method', () => ({ method: 'card' }), () => [card]],
  ['the merchant’s own key of the method', () => ({ method: 'cards' }), () => [card]],
  ['the account', () => ({ midId: 'mid-card' }), () => [card]],
  ['the amount, however it is written', () => ({ amount: { minor: 700n, currency: 'EUR' } }), () => [other]],
  ['the amount in another currency', () => ({ amount: { minor: 700n, currency: 'USD' } }), () => []],
  ['the last four digits', () => ({ lastFour: '4242' }), () => [card]],
  ['other last four digits', () => ({ lastFour: '4243' }), () => []],
  ['the state', () => ({ state: 'created' }), () => [last, other, card]],
  ['another state', () => ({ state: 'settled' }), () => []],
  ['an unknown outcome', () => ({ state: 'unknown' }), () => []],
  ['a possible stored card', () => ({ mayUseStoredCard: true }), () => [card]],
  ['several properties', () => ({ method: 'pix', merchantKey: 'another-merchant' }), () => [other]],
])('a search by %s finds its payments alone', async (_by, filter, ids) => {
  expect(await idsBy(filter())).toEqual(ids());
});

test('a search by dates includes its beginning and not its end', async () => {
  const [first, second] = (await stores().stories.list({}, 3)).found.toReversed().map(({ createdAt }) => createdAt);
  if (first === undefined || second === undefined) throw new Error('There are too few payments.');
  expect(await idsBy({ from: first, to: second })).toEqual([card]);
  expect(await idsBy({ from: second })).toEqual([last, other]);
});

test('pages follow each other without a gap, and the last one has no next', async () => {
  const one = await stores().stories.list({}, 2);
  expect([one.found.map(({ paymentId }) => paymentId), one.next]).toEqual([[last, other], other]);
  const two = await stores().stories.list({ after: other }, 2);
  expect([two.found.map(({ paymentId }) => paymentId), two.next]).toEqual([[card], undefined]);
});

test('a page looks at a bounded number of payments, and the next one goes on', async () => {
  const page = await stores().stories.list({ lastFour: '4242' }, 100, 2);
  expect([page.found, page.next]).toEqual([[], other]);
  expect((await stores().stories.list({ lastFour: '4242', after: other }, 100, 2)).found).toHaveLength(1);
});
