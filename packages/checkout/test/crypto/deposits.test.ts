import { signSession } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackHashOf } from '../support/callback-hash.ts';
import { arrive, SAMPLES } from '../support/crypto-provider.ts';
import { addressShown, cryptoBody, type CryptoService, cryptoService, toldOf } from '../support/crypto-service.ts';
import { statusOf } from '../support/killed-payment.ts';
import { createPage, merchant, post, pressPay } from '../support/service.ts';

let service: CryptoService;
let late = 0;

beforeAll(async () => {
  service = await cryptoService({ clock: () => Date.now() + late });
});
afterAll(() => service.stop());

const tell = (...args: Parameters<CryptoService['provider']['tell']>) => service.provider.tell(...args);
const told = (number: string) => toldOf(service, number);
const toldSoOften = (number: string, times: number) => expect.poll(() => told(number)).toHaveLength(times);
/** The page, with ordinary spaces between currencies and digits. */
const textOf = async (page: string) => (await (await fetch(page)).text()).replaceAll('\u00a0', ' ');
const kept = (why: string) => service.lines.filter((line) => line.includes('quarantined') && line.includes(why)).length;

describe('an open amount', () => {
  test('is signed without an amount, and reported with the address first', async () => {
    const { init, to, page } = await addressShown(service);
    expect(init).toMatchObject({
      type: 'init',
      status: 'success',
      order_status: 'pending',
      order_amount: '',
      crypto_network: 'Bitcoin',
      crypto_address: SAMPLES.bitcoin,
    });
    expect(init.hash).toBe(callbackHashOf(init, merchant.password));
    expect(to.sent).toMatchObject({ asset: 'BTC', price: { currency: 'BTC' } });
    expect(to.sent.price).not.toHaveProperty('amount');
    expect(await textOf(page)).toContain(SAMPLES.bitcoin);
  });

  test('grows with every deposit: each is reported once, with the sum so far', async () => {
    const { to, number, init } = await addressShown(service);
    const first = arrive(to, '0.10000001', { status: 'seen', confirmations: 0 });
    expect(await tell(to)).toBe(204);
    Object.assign(first, { status: 'confirmed', confirmations: 2 });
    const again = [first, arrive(to, '0.00000002', { txid: first.txid, output: 3 })];
    for (const deposits of [[first], [first], again, again, [first]]) expect(await tell(to, deposits)).toBe(204);
    await toldSoOften(number, 2);
    expect(told(number)).toEqual(['sale success settled 0.10000001', 'sale success settled 0.10000003']);
    expect(await statusOf(service.url, String(init.id))).toMatchObject({
      status: 'settled',
      order: { amount: '0.10000003', currency: 'BTC' },
    });
  });

  test('keeps all decimals of a coin', async () => {
    const { to, number } = await addressShown(service, { currency: 'ETH' });
    arrive(to, '1.000000000000000001');
    arrive(to, '12345678.9');
    await tell(to);
    await toldSoOften(number, 2);
    expect(told(number).at(-1)).toBe('sale success settled 12345679.900000000000000001');
  });

  test('takes no other coin: it is set aside for a person', async () => {
    const { to, number, init } = await addressShown(service, {
      currency: 'USDT',
      parameters: { network_type: 'tron' },
    });
    expect(init.crypto_address).toBe(SAMPLES.tron);
    arrive(to, '5.000000', { asset: 'USDC', value: { amount: '5.000000', currency: 'USDT' } });
    const before = kept('USDC');
    expect(await tell(to)).toBe(204);
    await expect.poll(() => kept('USDC')).toBe(before + 1);
    arrive(to, '7.000000');
    await tell(to);
    await toldSoOften(number, 1);
    expect(told(number)).toEqual(['sale success settled 7.000000']);
  });
});

describe('requests like those of recorded clients, under their own key', () => {
  const usdt = { crypto_type: 'USDT', network_type: 'tron', bech32: false };

  test.each([
    ['1.00', usdt, SAMPLES.tron],
    [undefined, usdt, SAMPLES.tron],
    ['1.00', { crypto_type: 'BTC' }, SAMPLES.bitcoin],
    [undefined, { crypto_type: 'BTC' }, SAMPLES.bitcoin],
  ])('of %s dollars with %j show %s', async (amount, parameters, address) => {
    const asked = { method: 'awcc', currency: 'USD', parameters, more: { accountId: 'CA1001390C' } };
    const { init, to } = await addressShown(service, { ...asked, ...(amount !== undefined && { amount }) });
    expect(init).toMatchObject({ type: 'init', crypto_address: address, order_amount: amount ?? '' });
    expect(to.sent).toMatchObject({ account: 'CA1001390C', price: { currency: 'USD', ...(amount && { amount }) } });
  });
});

describe('a deposit that the network takes back', () => {
  test('after it counted is set aside for a person; one that never counted is none', async () => {
    const { to, number, init } = await addressShown(service);
    const before = kept('counted');
    const replaced = arrive(to, '0.10000000', { status: 'seen', confirmations: 0 });
    await tell(to);
    Object.assign(replaced, { status: 'rejected' });
    expect(await tell(to)).toBe(204);
    expect(await statusOf(service.url, String(init.id))).toMatchObject({ status: 'pending' });
    const mined = arrive(to, '0.10000000');
    await tell(to);
    await toldSoOften(number, 1);
    Object.assign(mined, { status: 'rejected', confirmations: 0 });
    for (const _time of ['once', 'again']) expect(await tell(to)).toBe(204);
    await expect.poll(() => kept('counted')).toBe(before + 1);
    expect(told(number)).toEqual(['sale success settled 0.10000000']);
    expect(await statusOf(service.url, String(init.id))).toMatchObject({ status: 'settled' });
  });
});

describe('a fixed amount', () => {
  test('is pending while a part has arrived, and settled when the rest has', async () => {
    const { to, number, page, init } = await addressShown(service, { currency: 'BCH', amount: '0.50000000' });
    arrive(to, '0.20000000');
    await tell(to);
    await toldSoOften(number, 1);
    expect(await textOf(page)).toContain('Received so far: BCH 0.20000000 of BCH 0.50000000.');
    expect(await statusOf(service.url, String(init.id))).toMatchObject({ status: 'pending' });
    arrive(to, '0.30000000');
    await tell(to);
    await toldSoOften(number, 2);
    expect(told(number)).toEqual(['sale waiting pending 0.50000000', 'sale success settled 0.50000000']);
  });

  test('that is paid with more is settled, and the payer reads so', async () => {
    const { to, number, page } = await addressShown(service, { amount: '0.50000000' });
    arrive(to, '0.70000000');
    await tell(to);
    await toldSoOften(number, 1);
    expect(told(number)).toEqual(['sale success settled 0.50000000']);
    expect(await textOf(page)).toContain('We received BTC 0.70000000, more than the amount due.');
  });

  test('in fiat is paid in coins, worth what the provider says', async () => {
    service.provider.state.amount = '0.00160800';
    const asked = { method: 'crypto-wallet', currency: 'USD', amount: '100.00', parameters: { crypto_type: 'BTC' } };
    const { to, number, page } = await addressShown(service, asked);
    service.provider.state.amount = undefined;
    expect(await textOf(page)).toContain('0.00160800 BTC');
    arrive(to, '0.00160000', { value: { amount: '99.50', currency: 'USD' } });
    await tell(to);
    arrive(to, '0.00000800', { value: { amount: '0.50', currency: 'USD' } });
    await tell(to);
    await toldSoOften(number, 2);
    expect(told(number)).toEqual(['sale waiting pending 100.00', 'sale success settled 100.00']);
  });

  test('is not touched by a deposit that is worth nothing, and neither is an open one', async () => {
    const worth = (amount: string, currency: string) => ({ value: { amount, currency } });
    const asked = { method: 'crypto-wallet', currency: 'USD', parameters: { crypto_type: 'BTC' } };
    const open = await addressShown(service, asked);
    const fixed = await addressShown(service, { ...asked, amount: '100.00' });
    const before = kept('worth nothing');
    for (const { to } of [open, fixed]) {
      arrive(to, '0.00000001', worth('0.00', 'USD'));
      arrive(to, '0.10000000', worth('6000.00', 'EUR'));
      expect(await tell(to)).toBe(204);
    }
    await expect.poll(() => kept('worth nothing')).toBe(before + 2);
    for (const { init, number } of [open, fixed]) {
      expect(await statusOf(service.url, String(init.id))).toMatchObject({ status: 'pending' });
      expect(told(number)).toEqual([]);
    }
  });

  test('is settled by what arrives after the session has expired', async () => {
    const { to, number, page } = await addressShown(service, { amount: '0.50000000' });
    arrive(to, '0.20000000');
    await tell(to);
    await toldSoOften(number, 1);
    late += 61 * 60_000;
    const over = await textOf(page);
    expect(over).toContain('We received BTC 0.20000000, less than the amount due.');
    expect(over).toContain('Money that you have already sent still counts');
    arrive(to, '0.30000000');
    await tell(to, to.deposits, { now: Date.now() + late });
    await toldSoOften(number, 2);
    expect(told(number).at(-1)).toBe('sale success settled 0.50000000');
    expect(await textOf(page)).toContain('Payment complete');
  });
});

describe('what must not happen', () => {
  const now = () => ({ now: Date.now() + late });

  test('an address of another family is never shown', async () => {
    service.provider.state.next = SAMPLES.eth;
    const { page, init } = await addressShown(service);
    service.provider.state.next = undefined;
    expect(init).toMatchObject({ type: 'sale', status: 'fail', order_status: 'decline' });
    expect(init).not.toHaveProperty('crypto_address');
    const text = await textOf(page);
    expect(text).toContain('The payment provider’s answer could not be used. Try again.');
    expect(text).not.toContain(SAMPLES.eth);
  });

  test('a deposit in a forged notification is refused', async () => {
    const { to, number } = await addressShown(service);
    arrive(to, '9.00000000');
    expect(await tell(to, to.deposits, { ...now(), secret: 'somebody-else-s-secret' })).toBe(401);
    expect(told(number)).toEqual([]);
  });

  test('a network that the request names wrongly is not asked of the payer', async () => {
    const asked = service.provider.ledger.length;
    const more = { crypto: { network: 'TRC20' } };
    const body = cryptoBody({ currency: 'USDT', parameters: { network_type: 'eth' }, more });
    await pressPay(await createPage(service.url, body), { method: 'crypto-receive' });
    const { fields } = await service.shop.until((each) => each.fields.order_number === body.order.number);
    expect(fields).toMatchObject({ status: 'fail', order_status: 'decline' });
    expect(service.provider.ledger).toHaveLength(asked);
  });

  test('a hash with an amount does not sign a request without one', async () => {
    const body = cryptoBody();
    const hash = signSession({ ...body.order, amount: '1.00000000' }, merchant.password);
    const { status, json } = await post(`${service.url}/api/v1/session`, { ...body, hash });
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('hash: Hash is not valid.')]);
  });

  test.each([
    ['live', merchant.key, 400],
    ['test', merchant.testKey, 200],
  ])('a withdrawal to a test network by the %s key', async (_which, merchant_key, expected) => {
    const parameters = { withdrawCurrency: 'BTC', address: 'mkzePZfMeoYsoGcavSJFT7UKSjsU2BEgzt' };
    const more = { merchant_key, operation: 'credit', payee: { name: 'Ada Lovelace' } };
    const body = cryptoBody({ method: 'trading-withdrawal', currency: 'USD', amount: '25.00', parameters, more });
    const { status, json } = await post(`${service.url}/api/v1/session`, body);
    expect([status, JSON.stringify(json)]).toEqual([
      expected,
      expect.stringContaining(expected === 200 ? 'redirect_url' : 'parameters.trading-withdrawal.address: '),
    ]);
  });
});
