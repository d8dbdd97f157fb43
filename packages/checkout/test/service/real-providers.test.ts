import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { parseConfig } from '../../src/deployment/config.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { saleFields } from '../support/card-commands.ts';
import { sendCommand } from '../support/commands.ts';
import { cardBody, payByCard } from '../support/card-service.ts';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { REAL_PROVIDERS, realConfig, type RealName, realProvider } from '../support/real-provider-configs.ts';
import {
  confirmedAt,
  inCedis,
  inEuro,
  inPesos,
  inPounds,
  inReais,
  inShillings,
  realService,
  type RealService,
  REDIRECTED,
  shown,
  wordsOf,
} from '../support/real-providers.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';
import { expectSold } from '../support/sold-by-command.ts';

type Held = Pick<ReturnType<RealService['simulator']['payments']>[number], 'id' | 'reference'>;
interface Forged {
  readonly method?: 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** 401 where the provider signs; where it does not, the notification is taken and the provider is asked. */
  readonly status: 200 | 204 | 401;
}
interface Row {
  readonly name: RealName;
  /** A session that its payer needs no more than a click for, and what is changed of it. */
  readonly session: (
    change?: Readonly<Record<string, unknown>>,
    order?: Readonly<Record<string, string>>,
  ) => ReturnType<typeof sessionBody>;
  /** The key of its method is paid nowhere else. */
  readonly ownKey?: true;
  readonly currency: string;
  /** What the page shows while the payer has to act. */
  readonly page?: readonly string[];
  /** The answer to its notification, and the address below the service where it comes. None: it notifies of nothing. */
  readonly notified?: { readonly result: 200 | 204; readonly at: (held: Held) => string };
  /** A notification that says that a payment was made, and that the provider did not send. */
  readonly forged?: (held: Held) => Forged;
  /** Whether the payer acts on a page of the provider and comes back. */
  readonly visits?: true;
  /** Whether a payment is settled by lookups where no notification comes. */
  readonly isLookedUp: boolean;
  /** What the callback of a payment that was not made says beside its words. */
  readonly reason?: string;
  /** A payment may be held first. */
  readonly holds?: true;
  readonly refunds: 'in parts' | 'whole' | 'refused';
  /** Refunds that the provider takes and does not make after all are told. */
  readonly failsLate?: { readonly reason?: string };
  /** Refunds that the merchant makes at the provider itself are found. */
  readonly givesBack?: true;
  /** Disputes are told: by a proven notification, or within the payment that a hint has looked up. */
  readonly disputes?: true;
}

/** Sessions of a method without parameters. */
const sessionsFor =
  (name: RealName, currency: string): Row['session'] =>
  (change, order) =>
    sessionBody({ methods: realProvider(name).methods, ...change }, { currency, ...order });

const FORGED_PAYPAL = ['auth-algo', 'cert-url', 'transmission-id', 'transmission-sig', 'transmission-time'];

const ROWS: readonly Row[] = [
  {
    name: 'adyen',
    session: cardBody,
    currency: 'USD',
    notified: { result: 200, at: () => '/notify/adyen' },
    forged: ({ id, reference }) => ({
      status: 401,
      body: {
        live: 'false',
        notificationItems: [
          {
            NotificationRequestItem: {
              pspReference: id,
              merchantReference: reference,
              merchantAccountCode: 'ExampleShopECOM',
              amount: { currency: 'USD', value: 1000 },
              eventCode: 'AUTHORISATION',
              success: 'true',
              additionalData: { hmacSignature: 'Zm9yZ2Vk' },
            },
          },
        ],
      },
    }),
    isLookedUp: false,
    holds: true,
    refunds: 'in parts',
    failsLate: {},
    givesBack: true,
    disputes: true,
  },
  {
    name: 'stripe',
    session: cardBody,
    currency: 'USD',
    notified: { result: 200, at: () => '/notify/stripe' },
    forged: ({ id }) => ({
      status: 401,
      headers: { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
      body: { type: 'payment_intent.succeeded', data: { object: { object: 'payment_intent', id } } },
    }),
    isLookedUp: false,
    holds: true,
    refunds: 'in parts',
    failsLate: {},
    givesBack: true,
    disputes: true,
  },
  {
    name: 'gsma',
    session: inShillings,
    ownKey: true,
    currency: 'KES',
    page: ['+254 •••••-5678'],
    notified: { result: 204, at: ({ reference }) => `/notify/gsma/${reference}` },
    forged: () => ({
      status: 204,
      method: 'PUT',
      body: {
        transactionReference: 'REF-1',
        transactionStatus: 'completed',
        type: 'merchantpay',
        amount: '10',
        currency: 'KES',
        creditParty: [],
        debitParty: [],
      },
    }),
    isLookedUp: true,
    refunds: 'whole',
  },
  {
    name: 'paystack',
    session: (change, order) => inCedis('mtn', change, order),
    ownKey: true,
    currency: 'GHS',
    page: ['+233 •••••-4987'],
    notified: { result: 200, at: () => '/notify/ghana' },
    forged: ({ reference }) => ({
      status: 401,
      headers: { 'content-type': 'application/json', 'x-paystack-signature': 'f'.repeat(128) },
      body: {
        event: 'charge.success',
        data: { id: 1, reference, status: 'success', amount: 1000, currency: 'GHS' },
      },
    }),
    isLookedUp: true,
    refunds: 'in parts',
    givesBack: true,
  },
  {
    name: 'btcpay',
    session: inEuro,
    ownKey: true,
    currency: 'EUR',
    page: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '0.0001'],
    notified: { result: 200, at: () => '/notify/store' },
    isLookedUp: true,
    refunds: 'whole',
  },
  {
    name: 'pix-bcb',
    session: inReais,
    ownKey: true,
    currency: 'BRL',
    page: ['br.gov.bcb.pix'],
    notified: { result: 200, at: () => '/notify/bcb/pix' },
    forged: ({ reference }) => ({
      status: 200,
      body: {
        pix: [{ endToEndId: 'E'.repeat(32), txid: reference, valor: '10.00', horario: new Date().toISOString() }],
      },
    }),
    isLookedUp: true,
    refunds: 'in parts',
    failsLate: { reason: 'did not make the return' },
    givesBack: true,
    disputes: true,
  },
  {
    name: 'conekta',
    session: (change, order) => inPesos('cash-voucher', change, order),
    currency: 'MXN',
    page: ['93000262276908'],
    notified: { result: 200, at: () => '/notify/mexico' },
    forged: ({ id, reference }) => {
      const charge = { order_id: id, status: 'paid', amount: 1000, currency: 'MXN', reference_id: reference };
      const object = { payment_status: 'paid', charges: { data: [charge] } };
      return { status: 200, body: { type: 'order.paid', data: { object } } };
    },
    isLookedUp: true,
    reason: 'not paid in time',
    refunds: 'in parts',
    failsLate: {},
    givesBack: true,
  },
  {
    name: 'paypal',
    session: sessionsFor('paypal', 'USD'),
    ownKey: true,
    currency: 'USD',
    notified: { result: 200, at: () => '/notify/paypal' },
    forged: ({ id, reference }) => ({
      status: 401,
      headers: Object.fromEntries(FORGED_PAYPAL.map((header) => [`paypal-${header}`, 'forged'])),
      body: {
        id: 'WH-2',
        event_type: 'CHECKOUT.ORDER.APPROVED',
        resource_type: 'checkout-order',
        resource: {
          id,
          status: 'APPROVED',
          purchase_units: [{ amount: { currency_code: 'USD', value: '10.00' }, custom_id: reference }],
        },
      },
    }),
    isLookedUp: true,
    holds: true,
    refunds: 'in parts',
    failsLate: {},
    givesBack: true,
    disputes: true,
  },
  {
    name: 'vipps',
    session: sessionsFor('vipps', 'NOK'),
    ownKey: true,
    currency: 'NOK',
    page: ['data-leave'],
    notified: { result: 200, at: () => '/notify/vipps' },
    forged: ({ reference }) => ({
      status: 401,
      headers: {
        'x-ms-date': new Date().toUTCString(),
        authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${'A'.repeat(43)}=`,
      },
      body: {
        msn: '123456',
        reference,
        pspReference: '1234567891',
        name: 'CAPTURED',
        amount: { currency: 'NOK', value: 1000 },
        timestamp: '2026-11-21T12:00:00.260Z',
        success: true,
      },
    }),
    isLookedUp: true,
    holds: true,
    refunds: 'in parts',
    givesBack: true,
  },
  {
    name: 'govuk-pay',
    session: sessionsFor('govuk-pay', 'GBP'),
    ownKey: true,
    currency: 'GBP',
    notified: { result: 200, at: () => '/notify/council' },
    forged: ({ id, reference }) => ({
      status: 401,
      headers: { 'pay-signature': 'a'.repeat(64) },
      body: {
        id: 'forged',
        resource: { payment_id: id, reference, amount: 1000, state: { status: 'success', finished: true } },
      },
    }),
    isLookedUp: true,
    holds: true,
    refunds: 'in parts',
    failsLate: {},
    givesBack: true,
  },
  {
    name: 'ob-uk',
    session: inPounds,
    currency: 'GBP',
    page: ['data-leave'],
    visits: true,
    isLookedUp: false,
    refunds: 'refused',
  },
];

test('every key that the catalogue sends here is paid', () => {
  const owned = ROWS.filter(({ ownKey }) => ownKey).flatMap(({ name }) => realProvider(name).methods);
  expect(keysPaidIn('service/real-providers.test.ts')).toEqual(owned.toSorted());
});

test('each account at a provider that exists has one row', () => {
  expect(ROWS.map(({ name }) => name).toSorted()).toEqual(Object.keys(REAL_PROVIDERS).toSorted());
});

/** As long as `expect.poll` has. */
const PATIENCE = { timeout: 60_000 };

/** How far the clock is ahead. A hint is followed by a lookup a moment later, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;

describe.each(ROWS)('$name', (row) => {
  const { name, session, currency, notified, forged } = row;
  const { connector, methods } = realProvider(name);
  const method = methods[0] ?? '';
  const rule = { connector: connector.id, scenario: 'manual', notifications: 'once' } as const;
  let service: RealService;
  let merchant: ReturnType<typeof merchantActs>;

  beforeAll(async () => {
    ahead = 0;
    service = await realService(name, { clock });
    merchant = merchantActs(service.url);
  });
  beforeEach(() => service.simulator.setRule(rule));
  afterAll(() => service.stop());

  /** A payer who has pressed the page's button; the provider has the payment. */
  async function begun(change?: Readonly<Record<string, unknown>>) {
    const body = session(change);
    const page = await createPage(service.url, body);
    const before = service.simulator.payments().length;
    const { status } = await (method === 'card' ? payByCard(page) : pressPay(page, { method }));
    expect(status).toBe(303);
    const held = await vi.waitUntil(() => service.simulator.payments()[before], PATIENCE);
    return { number: body.order.number, page, held };
  }
  type Begun = Awaited<ReturnType<typeof begun>>;

  async function settle({ page, held }: Begun): Promise<void> {
    if (row.visits) await fetch(await confirmedAt(page, { at: service.simulator.url }));
    else service.simulator.settle(held.id);
  }
  async function decline({ page, held }: Begun): Promise<void> {
    if (row.visits) await fetch(await confirmedAt(page, { at: service.simulator.url, press: '/decline' }));
    else service.simulator.decline(held.id);
  }

  /** A payment that was made. @returns its id */
  async function paid() {
    const payment = await begun();
    await settle(payment);
    const { fields } = await service.reported(payment.number, 'sale success settled');
    return { ...payment, id: fields.id ?? '' };
  }
  /** A sale may have a capture of its own. */
  const refunds = ({ held }: Begun) =>
    service.simulator
      .modifications()
      .filter(({ payment, effect }) => payment === held.id && effect === 'refund')
      .map(({ amount, state }) => [amount, state]);
  const settledOnce = ({ number }: Begun) =>
    expect(wordsOf(service, number).filter((words) => words === 'sale success settled')).toHaveLength(1);

  test('a payment is made from the session to the last callback, and the shop is told once', async () => {
    const payment = await begun();
    expect(payment.held).toMatchObject({ amount: '10.00', currency });
    const text = await shown(payment.page);
    for (const each of row.page ?? []) expect(text).toContain(each);
    await settle(payment);
    const { fields, signed } = await service.reported(payment.number, 'sale success settled');
    expect(signed).toBe(true);
    expect(fields).toMatchObject({ order_amount: '10.00', order_currency: currency });
    expect(await merchant.status(fields.id ?? '')).toBe('settled');
    await service.simulator.idle();
    settledOnce(payment);
    const last = service.simulator.deliveries().at(-1);
    if (notified === undefined) expect(last).toBeUndefined();
    else expect(last).toMatchObject({ url: service.url + notified.at(payment.held), result: notified.result });
  });

  test('a payment that is not made is declined', async () => {
    const payment = await begun();
    await decline(payment);
    ahead += 300_000;
    const { fields } = await service.reported(payment.number, 'sale fail decline');
    expect(fields.reason).toContain(row.reason ?? '');
    expect(wordsOf(service, payment.number)).not.toContain('sale success settled');
  });

  if (row.isLookedUp)
    test('a payment is settled by lookups alone where no notification comes', async () => {
      service.simulator.setRule({ ...rule, notifications: 'none' });
      const payment = await begun();
      await settle(payment);
      ahead += 300_000;
      await service.reported(payment.number, 'sale success settled');
    });

  if (forged && notified)
    test('a payment is not settled by a notification that the provider did not send', async () => {
      const payment = await begun();
      const { method: verb = 'POST', headers = {}, body, status } = forged(payment.held);
      const sent = { method: verb, headers, body: JSON.stringify(body) };
      expect((await fetch(service.url + notified.at(payment.held), sent)).status).toBe(status);
      const text = await shown(payment.page);
      for (const each of row.page ?? []) expect(text).toContain(each);
      expect(wordsOf(service, payment.number)).not.toContain('sale success settled');
      await settle(payment);
      await service.reported(payment.number, 'sale success settled');
      settledOnce(payment);
    });

  if (row.holds)
    test('a hold is let go of', async () => {
      const payment = await begun({ auth: true });
      await settle(payment);
      const { fields } = await service.reported(payment.number, 'sale success pending');
      await merchant.refund(fields.id ?? '', '10.00');
      await service.reported(payment.number, 'reversal success reversal');
      const acts = service.simulator.modifications().filter((each) => each.payment === payment.held.id);
      expect(acts.map(({ effect, amount, state }) => [effect, amount, state])).toEqual([['void', '10.00', 'settled']]);
    });

  if (row.ownKey) {
    test('a payment is sold by command', async () => {
      await expectSold(service, session());
    });

    test('a session is refused in a currency that the provider does not take, and in another operation', () =>
      expectRefusals(service.url, method, session));
  }

  if (row.refunds === 'in parts')
    test('a payment is refunded in parts, and never more than was paid', async () => {
      const payment = await paid();
      await merchant.refund(payment.id, '4.00');
      ahead += 7_200_000;
      await service.reported(payment.number, 'refund success settled');
      expect(errorOf(await merchant.refund(payment.id, '6.01'))).toMatch(/^208006 /);
      await merchant.refund(payment.id, '6.00');
      ahead += 7_200_000;
      await service.reported(payment.number, 'refund success refund');
      expect(refunds(payment)).toEqual([
        ['4.00', 'settled'],
        ['6.00', 'settled'],
      ]);
    });

  if (row.refunds === 'whole')
    test('a payment is refunded whole', async () => {
      const payment = await paid();
      await merchant.refund(payment.id, '10.00');
      ahead += 7_200_000;
      await service.reported(payment.number, 'refund success refund');
      expect(refunds(payment)).toEqual([['10.00', 'settled']]);
    });

  if (row.refunds === 'refused')
    test('a refund is refused before the provider is asked', async () => {
      const { id } = await paid();
      const before = service.simulator.ledger().length;
      const refused = await merchant.refund(id, '4.00');
      expect(errorOf(refused)).toBe('204005 Payment action not supported.');
      expect(refused.json).toMatchObject({ hint: expect.stringContaining('None of your other methods has one.') });
      expect(service.simulator.ledger()).toHaveLength(before);
    });

  if (row.failsLate)
    test('a refund that the provider does not make after all is reported as failed', async () => {
      service.simulator.setRule({ ...rule, scenario: 'pending-modification' });
      const payment = await begun();
      // Where the payer has to act, the scenario waits for them.
      if (payment.held.state === 'challenged') await settle(payment);
      const { fields: sale } = await service.reported(payment.number, 'sale success settled');
      await merchant.refund(sale.id ?? '', '4.00');
      const pending = await vi.waitUntil(
        () => service.simulator.modifications().find(({ state }) => state === 'pending'),
        PATIENCE,
      );
      service.simulator.declineModification(pending.id);
      ahead += 7_200_000;
      const { fields } = await service.reported(payment.number, 'refund fail decline');
      expect(fields.reason).toContain(row.failsLate?.reason ?? '');
      expect(refunds(payment)).toEqual([['4.00', 'declined']]);
    });

  if (row.givesBack)
    test('a refund that the merchant makes at the provider is reported once, beside ours', async () => {
      const { number, id, held } = await paid();
      const refunded = () =>
        service.shop.received
          .filter(
            ({ fields }) => fields.order_number === number && `${fields.type} ${fields.status}` === 'refund success',
          )
          .map(({ fields }) => fields.refund_amount);
      service.simulator.giveBack(held.id, '4.00');
      await service.reported(number, 'refund success settled');
      await merchant.refund(id, '3.00');
      await vi.waitUntil(() => refunded().length === 2, PATIENCE);
      // The lookup that finds this one lists the two before it again.
      service.simulator.giveBack(held.id);
      await service.reported(number, 'refund success refund');
      expect(refunded()).toEqual(['4.00', '3.00', '3.00']);
      expect(await merchant.status(id)).toBe('refund');
    });

  if (row.disputes)
    test('a dispute is reported once, also where the provider tells of it again', async () => {
      const { number, id, held } = await paid();
      service.simulator.dispute(held.id);
      await service.reported(number, 'chargeback success chargeback');
      service.simulator.notify(held.id);
      await service.simulator.idle();
      ahead += 300_000;
      await vi.waitUntil(async () => (await merchant.status(id)) === 'chargeback', { timeout: 60_000 });
      expect(wordsOf(service, number).filter((words) => words.startsWith('chargeback'))).toHaveLength(1);
    });
});

test.each([
  ['paystack', 'KES', '0712345678', '254712345678', 'mpesa'],
  ['paystack', 'GHS', '0553241149', '0553241149', 'mtn'],
  ['gsma', 'KES', '712345678', '+254712345678'],
  ['gsma', 'KES', '+254 (0) 712 345 678', '+254712345678'],
] as const)('%s, for an order in %s, is sent the number %s as %s', async (name, currency, typed, sent, network?) => {
  const [method = ''] = realProvider(name).methods;
  const service = await realService(name);
  const customer = { name: 'Ama Mensah', email: 'ama@example.com' };
  const page = await createPage(service.url, sessionBody({ methods: [method], customer }, { currency }));
  const own = `parameters.${method}`;
  const entries = { [`${own}.mobile_number`]: typed, ...(network !== undefined && { [`${own}.network`]: network }) };
  expect((await pressPay(page, { method, ...entries })).status).toBe(303);
  await service.stop();
  expect(JSON.stringify(service.simulator.payments().at(-1)?.request)).toContain(`"${sent}"`);
});

/** Texts for the statement that the description of the provider takes, and those that it refuses. */
const STATEMENTS = {
  adyen: { taken: ['SHOP BOOKS', '12/7'], refused: ['SHOP & CO', 'Bücher'] },
  stripe: { taken: ['SHOP BOOKS', 'SHOP & CO'], refused: ['12/7', 'SHOP * BOOKS', "ADA'S", 'Bücher'] },
} as const;

describe.each(['adyen', 'stripe'] as const)('a card at %s', (name) => {
  const rule = { connector: `card-${name}`, scenario: 'settled', notifications: 'once' } as const;
  let service: RealService;
  let merchant: ReturnType<typeof merchantActs>;

  beforeAll(async () => {
    service = await realService(name);
    merchant = merchantActs(service.url);
  });
  beforeEach(() => service.simulator.setRule(rule));
  afterAll(() => service.stop());

  async function paid(change: object = {}, given?: Readonly<Record<string, string>>) {
    const body = cardBody({ ...change });
    const page = await createPage(service.url, body);
    const { status, location } = await payByCard(page, given);
    expect(status).toBe(303);
    return { number: body.order.number, location: new URL(location ?? '', page).href };
  }
  async function held() {
    const { number } = await paid({ auth: true });
    const { fields } = await service.reported(number, 'sale success pending');
    return { number, id: fields.id ?? '' };
  }

  test('is settled by the reply, and the webhook about it changes nothing more', async () => {
    const { number } = await paid();
    await service.reported(number, 'sale success settled');
    await service.simulator.idle();
    expect(service.simulator.deliveries().at(-1)).toMatchObject({ url: service.notifyUrl, result: 200 });
    expect(wordsOf(service, number).filter((words) => words === 'sale success settled')).toHaveLength(1);
  });

  test('is declined with the reason of the issuer', async () => {
    service.simulator.setRule({ ...rule, scenario: 'declined' });
    const { number } = await paid();
    const { fields } = await service.reported(number, 'sale fail decline');
    expect(fields.reason).toContain('not enough money');
  });

  test('goes by way of the payer’s bank, and is settled when the payer is back', async () => {
    const { number, location } = await paid({}, REDIRECTED[name]);
    await fetch(await confirmedAt(location));
    await service.reported(number, 'sale success settled');
  });

  test('with a text for the statement that the provider refuses gets no session, and no account', async () => {
    const config = realConfig(name, 'http://127.0.0.1:1', 'http://127.0.0.1:1', 8080);
    const path = 'card.descriptor: This value should have ';
    const problems = (descriptor: string) => {
      const mids = config.mids.map((mid) => ({ ...mid, defaults: { card: { sets: ['descriptor'], descriptor } } }));
      try {
        createDirectory(parseConfig({ ...config, mids }));
        return '';
      } catch (error) {
        return String(error);
      }
    };
    const session = async (descriptor: string) => {
      const { status, json } = await post(
        `${service.url}/api/v1/session`,
        cardBody({ parameters: { card: { descriptor } } }),
      );
      return [status, JSON.stringify(json)];
    };
    const { taken, refused } = STATEMENTS[name];
    for (const text of taken) expect([problems(text), (await session(text))[0]]).toEqual(['', 200]);
    for (const text of refused) {
      expect(problems(text)).toContain(`mids.0.defaults.${path}`);
      expect(await session(text)).toEqual([400, expect.stringContaining(`parameters.${path}`)]);
    }
  });

  test('sold by command goes to the bank as 3DS, also by an address without a form', async () => {
    const { 'card.number': card_number } = REDIRECTED[name];
    const fields = saleFields({
      card_number: card_number.replaceAll(' ', ''),
      card_exp_month: '03',
      card_exp_year: '2030',
    });
    const { json } = await sendCommand(service.url, fields);
    expect(json).toMatchObject({ result: 'REDIRECT', status: '3DS', redirect_method: 'GET' });
  });

  test('is held, captured, and refunded in parts', async () => {
    const { number, id } = await held();
    await merchant.capture(id, '10.00');
    await service.reported(number, 'capture success settled');
    await merchant.refund(id, '4.00');
    await service.reported(number, 'refund success settled');
    expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
    await merchant.refund(id, '6.00');
    await service.reported(number, 'refund success refund');
  });
});
