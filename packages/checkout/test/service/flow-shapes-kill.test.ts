import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dyingService, type Point } from '../support/dying-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { realProvider } from '../support/real-provider-configs.ts';
import { confirmedAt, inCedis, inEuro, inPesos, inReais, sentToPaypal, simulated } from '../support/real-providers.ts';
import { createPage, pressPay } from '../support/service.ts';

type Name = 'btcpay' | 'conekta' | 'paypal' | 'paystack' | 'pix-bcb';
let service: Awaited<ReturnType<typeof dyingService>>;
const dyingWith = (name: Name) =>
  beforeEach(async () => {
    const { connector } = realProvider(name);
    service = await dyingService(name, connector.id, (url) => simulated(name, url));
  });
afterEach(() => service.close());

/** On a server the run of a dead process is taken over after its lease, which is a minute. */
const PATIENCE = { timeout: 120_000 };

async function opened(body: { readonly order: { readonly number: string } }, method: string) {
  const page = await createPage(service.url(), body);
  return { number: body.order.number, page, pay: () => pressPay(page, { method }) };
}

/** The payer pays the one payment that there is, as soon as there is one. @returns its id at the service */
async function settleTheOne(number: string): Promise<string> {
  const { id } = await vi.waitUntil(() => service.simulator.payments()[0], PATIENCE);
  service.simulator.settle(id);
  const { fields } = await service.until(number, 'sale success settled');
  expect(service.simulator.payments()).toHaveLength(1);
  return fields.id ?? '';
}
const modified = () => service.simulator.modifications().map(({ amount }) => amount);
const failures = (number: string) =>
  service.shop.received.filter(({ fields }) => fields.order_number === number && fields.status === 'fail');
const effects = (effect: string) => service.simulator.ledger().filter((entry) => entry.effect === effect);

describe('one call, which the provider takes twice: a service that is killed', () => {
  dyingWith('pix-bcb');

  test.each<Point>([
    [/^PUT \/cob\//, 'arrives'],
    [/^PUT \/cob\//, 'has-acted'],
  ])('in a payment, when %s %s, makes one charge and settles it', async (...point) => {
    const { number, pay } = await opened(inReais(), 'pix-charge');
    await service.dyingAt(point, pay);
    await settleTheOne(number);
  });

  test.each<Point>([
    [/^PATCH \/cob\//, 'arrives'],
    [/^PATCH \/cob\//, 'has-acted'],
  ])('in a withdrawal, when %s %s, takes the code back once', async (...point) => {
    const { number, page, pay } = await opened(inReais(), 'pix-charge');
    await pay();
    await service.dyingAt(point, () => fetch(`${page}/cancel`, { method: 'POST', redirect: 'manual' }));
    await service.until(number, 'sale fail decline');
    expect(effects('withdrawn')).toHaveLength(1);
  });

  test.each<Point>([
    [/^PUT \/pix\/.*\/devolucao\//, 'arrives'],
    [/^PUT \/pix\/.*\/devolucao\//, 'has-acted'],
  ])('in a refund, when %s %s, gives the money back once', async (...point) => {
    const { number, pay } = await opened(inReais(), 'pix-charge');
    await pay();
    const id = await settleTheOne(number);
    await service.dyingAt(point, () => merchantActs(service.url()).refund(id, '10.00'));
    await service.until(number, 'refund success refund');
    expect(modified()).toEqual(['10.00']);
  });
});

describe('one call, which must not be sent twice: a service that is killed', () => {
  dyingWith('conekta');
  const cash = () => opened(inPesos('cash-voucher'), 'cash-voucher');
  const ORDER = /^POST \/orders$/;
  const REFUND = /^POST \/orders\/.*\/refunds$/;

  test('in a payment, when the order has been made, finds it and settles it', async () => {
    const { number, pay } = await cash();
    await service.dyingAt([ORDER, 'has-acted'], pay);
    await settleTheOne(number);
  });

  test('in a payment, when the order arrives, does not make it again, and declines nothing', async () => {
    const { number, page, pay } = await cash();
    await service.dyingAt([ORDER, 'arrives'], pay);
    expect((await fetch(page)).status).toBe(200);
    expect(service.simulator.payments()).toEqual([]);
    expect(failures(number)).toEqual([]);
  });

  test('in a refund, when it has been made, finds it and gives the money back once', async () => {
    const { number, pay } = await cash();
    await pay();
    const id = await settleTheOne(number);
    await service.dyingAt([REFUND, 'has-acted'], () => merchantActs(service.url()).refund(id, '10.00'));
    await service.until(number, 'refund success refund');
    expect(modified()).toEqual(['10.00']);
  });

  test('in a refund, when it arrives, does not make it again', async () => {
    const { number, pay } = await cash();
    await pay();
    const id = await settleTheOne(number);
    await service.dyingAt([REFUND, 'arrives'], () => merchantActs(service.url()).refund(id, '10.00'));
    expect(await merchantActs(service.url()).status(id)).toBe('settled');
    expect(modified()).toEqual([]);
  });
});

describe('two calls: a service that is killed', () => {
  dyingWith('btcpay');
  const ADDRESS = /^GET \/api\/v1\/invoices\/.*\/payment-methods$/;

  test.each<Point>([
    [/^POST \/api\/v1\/stores\/.*\/invoices$/, 'has-acted'],
    [ADDRESS, 'arrives'],
    [ADDRESS, 'has-acted'],
  ])('when %s %s, finds the invoice and settles it', async (...point) => {
    const { number, pay } = await opened(inEuro(), 'bitcoin-btcpay');
    await service.dyingAt(point, pay);
    await settleTheOne(number);
    expect(failures(number)).toEqual([]);
  });
});

describe('a code that the payer enters between two calls: a service that is killed', () => {
  dyingWith('paystack');

  test.each<Point>([
    [/^POST \/charge\/submit_otp$/, 'arrives'],
    [/^POST \/charge\/submit_otp$/, 'has-acted'],
  ])('when %s %s, charges once', async (...point) => {
    const { number, page, pay } = await opened(inCedis('vod'), 'mobile-money-paystack');
    await pay();
    const code = new URLSearchParams({ step: 'code', code: '123456' });
    await service.dyingAt(point, () => fetch(`${page}/answer`, { method: 'POST', body: code, redirect: 'manual' }));
    await service.until(number, 'sale success settled');
    expect(service.simulator.payments()).toMatchObject([{ state: 'settled' }]);
  });
});

describe('a visit: a service that is killed', () => {
  dyingWith('paypal');
  // Only the service itself finishes what it began.
  beforeEach(() => service.simulator.setRule({ connector: 'paypal', scenario: 'settled', notifications: 'none' }));
  const CAPTURE = /^POST \/v2\/checkout\/orders\/\w+\/capture$/;
  const CAPTURE_OF_HOLD = /^POST \/v2\/payments\/authorizations\/\w+\/capture$/;
  const VOID = /^POST \/v2\/payments\/authorizations\/\w+\/void$/;
  const sent = (change?: object) => sentToPaypal(service.url(), service.simulator, change);

  async function held() {
    const { number, page } = await sent({ auth: true });
    await fetch(await confirmedAt(page));
    const { fields } = await service.until(number, 'sale success pending');
    return { number, id: fields.id ?? '' };
  }

  test.each<Point>([
    [CAPTURE, 'arrives'],
    [CAPTURE, 'has-acted'],
  ])('after it, when %s %s, captures the order once', async (...point) => {
    const { number, page } = await sent();
    const back = await confirmedAt(page);
    await service.dyingAt(point, () => fetch(back));
    await service.until(number, 'sale success settled');
    expect(effects('settled')).toHaveLength(1);
  });

  test.each<Point>([
    [CAPTURE_OF_HOLD, 'arrives'],
    [CAPTURE_OF_HOLD, 'has-acted'],
  ])('in a capture of its hold, when %s %s, captures once', async (...point) => {
    const { number, id } = await held();
    await service.dyingAt(point, () => merchantActs(service.url()).capture(id, '6.00'));
    await service.until(number, 'capture success settled');
    expect(modified()).toEqual(['6.00']);
  });

  test.each<Point>([
    [VOID, 'arrives'],
    [VOID, 'has-acted'],
  ])('when it lets go of its hold, and %s %s, lets go of it once', async (...point) => {
    const { number, id } = await held();
    await service.dyingAt(point, () => merchantActs(service.url()).refund(id, '10.00'));
    await service.until(number, 'reversal success reversal');
    expect(effects('void')).toHaveLength(1);
  });
});

describe('a credential that is fetched first: a service that is killed', () => {
  dyingWith('pix-bcb');

  test.each<Point>([
    [/^POST \/token$/, 'arrives'],
    [/^POST \/token$/, 'has-acted'],
  ])('when %s %s, fetches it again and makes one charge', async (...point) => {
    const { number, pay } = await opened(inReais(), 'pix-charge');
    await service.dyingAt(point, pay);
    await settleTheOne(number);
  });
});
