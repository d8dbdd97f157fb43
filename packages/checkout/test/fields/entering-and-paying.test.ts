import { describe, expect, test } from 'vitest';
import { CO_BRANDED, CO_BRANDS } from '../support/co-brands.ts';
import { useDatabase } from '../support/database.ts';
import { fieldsProcesses } from '../support/fields-processes.ts';
import { PAYMENT, TYPED } from '../support/hosted-fields.ts';

const database = useDatabase();
/** The bank asks its payer, and then declines. */
const CHALLENGED = { ...TYPED, expiry: '06 / 38' };
const ANOTHER = { ...TYPED, number: '5555 5555 5555 4444', cvv: '999' };

test('a card that is entered while a payment begins is refused, so that no repeat of the request charges it', async () => {
  const { one, provider, stores, session } = await fieldsProcesses(database.db);
  const token = await one.token();
  await one.enter(token, CHALLENGED);
  const { sessions } = stores;
  const keepEntry = sessions.keepEntry.bind(sessions);
  sessions.keepEntry = async (...entry) => {
    expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'redirect' });
    return keepEntry(...entry);
  };
  expect((await one.enter(token, ANOTHER)).status).toBe(409);
  sessions.keepEntry = keepEntry;
  expect((await session(token))?.entryId).toBeNull();
  const [payment] = provider.asked;
  await one.app.request(new URL(payment?.return_url ?? '').pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ cres: `cres-${payment?.id}` }).toString(),
  });
  expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'decline' });
  expect(provider.asked).toHaveLength(1);
});

test('a payer who turns back from the bank enters another card, which gives the payment up, and pays with the same token', async () => {
  const { one, provider, stores, session } = await fieldsProcesses(database.db);
  const token = await one.token();
  await one.enter(token, CHALLENGED);
  expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'redirect' });
  const { id = '' } = (await session(token)) ?? {};
  const states = async () =>
    (await stores.payments.ofSession(id)).map(({ state, declineCode }) => [state, declineCode]);
  // A card that is wrong gives nothing up.
  expect((await one.enter(token, { ...ANOTHER, cvv: '1' })).status).toBe(422);
  expect(await states()).toEqual([['pending', null]]);
  expect((await one.enter(token, ANOTHER)).status).toBe(200);
  expect(await states()).toEqual([['declined', 'stopped_by_payer']]);
  expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'success' });
  expect(provider.asked.map(({ card }) => card.number)).toEqual(['4111111111111111', '5555555555554444']);
});

describe('a form that is sent twice', () => {
  test('enters its card once', async () => {
    const { one, provider, session } = await fieldsProcesses(database.db);
    const token = await one.token();
    const first = await one.enter(token, TYPED);
    const { entryId } = (await session(token)) ?? {};
    expect(await one.enter(token, TYPED)).toEqual(first);
    expect((await session(token))?.entryId).toBe(entryId);
    expect((await one.enter(token, { ...TYPED, cvv: '321' })).status).toBe(200);
    expect((await session(token))?.entryId).not.toBe(entryId);
    expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'success' });
    expect(provider.asked).toMatchObject([{ card: { cvv: '321' } }]);
  });

  test('gives nothing up when its second arrives after the payer was sent to the bank', async () => {
    const { one, provider, stores, session } = await fieldsProcesses(database.db);
    const token = await one.token();
    const first = await one.enter(token, CHALLENGED);
    const { json: sent } = await one.pay(token, PAYMENT);
    expect(sent).toMatchObject({ result: 'redirect' });
    expect(await one.enter(token, CHALLENGED)).toEqual(first);
    const { id = '', entryId } = (await session(token)) ?? {};
    expect(entryId).toBeNull();
    expect(await stores.payments.ofSession(id)).toMatchObject([{ state: 'pending' }]);
    expect((await one.pay(token, PAYMENT)).json).toEqual(sent);
    expect(provider.asked).toHaveLength(1);
  });

  test('is answered with its card when its second arrives after the payment is paid, and no other card is', async () => {
    const { one, provider, session } = await fieldsProcesses(database.db);
    const token = await one.token();
    const first = await one.enter(token, TYPED);
    const { json: paid } = await one.pay(token, PAYMENT);
    expect(paid).toMatchObject({ result: 'success' });
    expect(await one.enter(token, TYPED)).toEqual(first);
    expect((await session(token))?.entryId).toBeNull();
    expect((await one.pay(token, PAYMENT)).json).toEqual(paid);
    const refused = [ANOTHER, { ...TYPED, cvv: '1' }, { cvv: TYPED.cvv }];
    for (const each of refused) expect((await one.enter(token, each)).status).toBe(409);
    one.context.now = () => Date.now() + 31_000;
    expect((await one.enter(token, TYPED)).status).toBe(409);
    expect(provider.asked).toHaveLength(1);
  });

  test('is answered with its card when a payment begins while its second is stored', async () => {
    const { one, stores, session } = await fieldsProcesses(database.db);
    const token = await one.token();
    const first = await one.enter(token, CHALLENGED);
    const { sessions } = stores;
    const keepEntry = sessions.keepEntry.bind(sessions);
    // Its code is gone here, so that the second is not seen to be the same before.
    one.codes.forget((await session(token))?.entryId ?? '');
    sessions.keepEntry = async (...entry) => {
      sessions.keepEntry = keepEntry;
      expect((await one.enter(token, CHALLENGED)).status).toBe(200);
      expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'redirect' });
      return keepEntry(...entry);
    };
    expect(await one.enter(token, CHALLENGED)).toEqual(first);
    expect((await session(token))?.entryId).toBeNull();
  });

  test.each([
    ['with another date', { expiry: '05 / 38' }, 0],
    ['half a minute later', {}, 31_000],
  ])('%s gives the payment at the bank up', async (_name, change, afterMs) => {
    const { one, stores, session } = await fieldsProcesses(database.db);
    const token = await one.token();
    await one.enter(token, CHALLENGED);
    expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'redirect' });
    one.context.now = () => Date.now() + afterMs;
    expect((await one.enter(token, { ...CHALLENGED, ...change })).status).toBe(200);
    const { id = '' } = (await session(token)) ?? {};
    expect(await stores.payments.ofSession(id)).toMatchObject([{ declineCode: 'stopped_by_payer' }]);
  });
});

test('a payer who turns back from the bank at once and chooses the other network of the card pays by that one', async () => {
  const { one, provider } = await fieldsProcesses(database.db, CO_BRANDS);
  const token = await one.token();
  const card = { ...CHALLENGED, number: CO_BRANDED };
  await one.enter(token, { ...card, brand: 'cartes_bancaires' });
  expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'redirect' });
  expect((await one.enter(token, { ...card, brand: 'visa' })).json).toMatchObject({ card: { brand: 'visa' } });
  expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'redirect' });
  expect(provider.asked.map(({ card: { brand } }) => brand)).toEqual(['cartes_bancaires', 'visa']);
});

test('a payer at the bank whose token is over gives nothing up by entering a card', async () => {
  const { one, stores, session } = await fieldsProcesses(database.db);
  const token = await one.token();
  await one.enter(token, CHALLENGED);
  await one.pay(token, PAYMENT);
  const { id = '', expiresAt } = (await session(token)) ?? {};
  one.context.now = () => (expiresAt?.getTime() ?? 0) + 1;
  expect((await one.enter(token, ANOTHER)).status).toBe(409);
  expect(await stores.payments.ofSession(id)).toMatchObject([{ state: 'pending' }]);
});

test('a payer whose payment may still bring money enters no other card', async () => {
  const { one, provider, session } = await fieldsProcesses(database.db);
  const token = await one.token();
  await one.enter(token, TYPED);
  let entered: Awaited<ReturnType<typeof one.enter>> | undefined;
  provider.state.beforeReply = async () => {
    entered = await one.enter(token, ANOTHER);
    return true;
  };
  expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'success' });
  expect(entered?.status).toBe(409);
  expect((await session(token))?.entryId).toBeNull();
});
