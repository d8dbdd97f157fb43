import { kyTransport, type HttpResult, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { look, press } from '../support/plain-payer.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { confirmedAt, realService, type RealService, wordsOf } from '../support/real-providers.ts';
import { officialRequests } from '../support/official-requests.ts';
import { expectRefusals } from '../support/refusals.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';

/** How far the clock is ahead. */
let ahead = 0;
const http = kyTransport();
/** Answers a request in place of Vipps, which has it or not. Nothing: Vipps's own reply counts. */
let between: (asked: string, own: () => Promise<HttpResult>) => Promise<HttpResult> = (_asked, own) => own();
const LATE: HttpResult = { kind: 'lost', why: 'No complete reply in time.' };
const described = officialRequests('packages/connector-wallet/test/official/vipps.json', ['/accesstoken/get']);
const transport: Transport = {
  send(request) {
    described.note(request);
    return between(`${request.method} ${new URL(request.url).pathname}`, () => http.send(request));
  },
};
let vipps: RealService;
let merchant: ReturnType<typeof merchantActs>;
const rule = { connector: 'vipps', scenario: 'settled', notifications: 'once' } as const;

beforeAll(async () => {
  vipps = await realService('vipps', { clock: () => Date.now() + ahead, transport });
  merchant = merchantActs(vipps.url);
});
beforeEach(() => {
  between = (_asked, own) => own();
  vipps.simulator.setRule(rule);
});
afterAll(async () => {
  await vipps.stop();
  await http.close();
});

/** A payer whom the page has sent to Vipps. */
async function sent(change: object = {}) {
  const body = sessionBody({ methods: ['wallet-vipps'], ...change }, { currency: 'NOK' });
  const page = await createPage(vipps.url, body);
  expect((await pressPay(page, { method: 'wallet-vipps' })).status).toBe(303);
  const payment = vipps.simulator.payments().at(-1);
  if (payment === undefined) throw new Error('Vipps has no payment.');
  const { id } = payment;
  const stateOf = () => vipps.simulator.payments().find((each) => each.id === id)?.state;
  return { number: body.order.number, page, payment, stateOf, approve: async () => fetch(await confirmedAt(page)) };
}
const reported = async (number: string, words: string) => (await vipps.reported(number, words)).fields;

/** Captures, voids and refunds of a payment at Vipps. */
const done = ({ id }: { readonly id: string }) => {
  const acts = vipps.simulator.modifications().filter(({ payment }) => payment === id);
  return acts.map(({ effect, amount, state }) => `${effect} ${amount} ${state}`);
};

async function approved(words: string, change?: object) {
  const { number, payment, approve } = await sent(change);
  await approve();
  const { id = '' } = await reported(number, words);
  return { number, id, payment };
}
const paid = () => approved('sale success settled');
const held = () => approved('sale success pending', { auth: true });

describe('a payment at Vipps', () => {
  test('of a payer who is back is captured once, also where the reply to the capture is late', async () => {
    vipps.simulator.setRule({ ...rule, notifications: 'none' });
    const { number, payment, approve } = await sent();
    let captures = 0;
    between = async (asked, own) => {
      const reply = await own();
      if (!asked.endsWith('/capture')) return reply;
      captures += 1;
      return captures === 1 ? LATE : reply;
    };
    await approve();
    ahead += 300_000;
    await reported(number, 'sale success settled');
    expect(done(payment)).toEqual(['capture 10.00 settled']);
  });

  test('of a payer who approves and closes the page is captured by the webhook', async () => {
    const { number, payment } = await sent();
    vipps.simulator.settle(payment.id);
    await reported(number, 'sale success settled');
    expect(done(payment)).toEqual(['capture 10.00 settled']);
    await vipps.simulator.idle();
    expect(vipps.simulator.deliveries().at(-1)).toMatchObject({ url: vipps.notifyUrl, result: 200 });
    expect(wordsOf(vipps, number).filter((words) => words === 'sale success settled')).toHaveLength(1);
  });

  test('of a payer who comes back too early waits for them, and is captured once they have approved it', async () => {
    const { number, page, payment } = await sent();
    await fetch(`${page}/back`);
    expect((await look(page)).heading).toBe('Continue on the next page');
    vipps.simulator.settle(payment.id);
    await reported(number, 'sale success settled');
  });

  test('of a payer who refuses is declined, and Vipps captures nothing', async () => {
    const { number, page, payment } = await sent();
    await fetch(await confirmedAt(page, { press: '/decline' }));
    await reported(number, 'sale fail decline');
    expect(done(payment)).toEqual([]);
  });
});

const BUSY: HttpResult = { kind: 'reply', status: 429, headers: { 'retry-after': '60' }, body: '{}' };
const refusal = { type: 'about:blank', title: 'Bad Request', status: 400, traceId: '00-1', extraDetails: [] };
const REFUSED: HttpResult = {
  kind: 'reply',
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(refusal),
};

describe('a payment that the payer has approved', () => {
  test('is held and no decline where Vipps does not answer for a while', async () => {
    const now = () => Date.now() + ahead;
    const norway = await realService('vipps', { clock: now, monotonic: now, transport });
    norway.simulator.setRule({ ...rule, notifications: 'none' });
    const body = sessionBody({ methods: ['wallet-vipps'], auth: true }, { currency: 'NOK' });
    const page = await createPage(norway.url, body);
    await pressPay(page, { method: 'wallet-vipps' });
    norway.simulator.settle(norway.simulator.payments().at(-1)?.id ?? '');
    between = (what, own) => (what.includes('/payments/') ? Promise.resolve(LATE) : own());
    await fetch(`${page}/back`);
    const said = () => wordsOf(norway, body.order.number);
    const passes = (isSaid: (words: string) => boolean) => {
      const look = () => {
        ahead += 60_000;
        return said().some(isSaid);
      };
      return expect.poll(look, { interval: 100 }).toBe(true);
    };
    await passes((words) => words.startsWith('sale'));
    between = (_what, own) => own();
    await passes((words) => words === 'sale success pending');
    expect(said()).not.toContain('sale fail decline');
    await norway.stop();
  });

  test('is declined once the merchant has let go of it in the portal, where neither capture nor cancellation was taken', async () => {
    vipps.simulator.setRule({ ...rule, notifications: 'none' });
    const { number, page, payment, stateOf } = await sent();
    vipps.simulator.settle(payment.id);
    between = async (what, own) => {
      if (what.endsWith('/capture')) return REFUSED;
      if (what.endsWith('/cancel')) await own();
      return what.endsWith('/cancel') ? REFUSED : own();
    };
    await fetch(`${page}/back`);
    await reported(number, 'sale undefined prepare');
    between = (_what, own) => own();
    ahead += 24 * 3_600_000;
    await reported(number, 'sale fail decline');
    expect(stateOf()).toBe('released');
  });
});

test('a payer whom Vipps turned away at first pays another way, and nothing is left open', async () => {
  const body = sessionBody({ methods: ['wallet-vipps'] }, { currency: 'NOK' });
  const page = await createPage(vipps.url, body);
  between = (what, own) => (what.endsWith('/payments') ? Promise.resolve(BUSY) : own());
  await pressPay(page, { method: 'wallet-vipps' });
  expect((await look(page)).heading).toBe('Try again');
  expect((await press(page, 'change')).heading).toBe('Pay with Vipps MobilePay');
  between = (_what, own) => own();
  await pressPay(page, { method: 'wallet-vipps' });
  vipps.simulator.settle(vipps.simulator.payments().at(-1)?.id ?? '');
  await reported(body.order.number, 'sale success settled');
  expect(wordsOf(vipps, body.order.number)).toContain('sale fail decline');
});

describe('a payer who is at Vipps and turns back', () => {
  test('can approve nothing any more: the payment was taken back there', async () => {
    const { number, page, stateOf } = await sent();
    expect((await press(page, 'change')).heading).toBe('Pay with Vipps MobilePay');
    expect(stateOf()).toBe('withdrawn');
    await reported(number, 'sale fail decline');
  });

  test('does not wait at the page for a cancellation that takes long', async () => {
    const { number, page, stateOf } = await sent();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    between = async (asked, own) => {
      if (asked.endsWith('/cancel')) await answered;
      return own();
    };
    expect((await press(page, 'change')).status).toBeLessThan(400);
    expect(stateOf()).toBe('challenged');
    answer();
    await reported(number, 'sale fail decline');
    expect(stateOf()).toBe('withdrawn');
  });

  test('a moment after they approved has what was held free again', async () => {
    vipps.simulator.setRule({ ...rule, notifications: 'none' });
    const { number, page, payment, stateOf } = await sent();
    vipps.simulator.settle(payment.id);
    await press(page, 'change');
    expect(stateOf()).toBe('released');
    await reported(number, 'sale fail decline');
    expect(done(payment)).toEqual(['void 10.00 settled']);
  });

  test('goes on at Vipps where it cannot be taken back now, and is charged once', async () => {
    const { number, page, payment, approve } = await sent();
    between = (asked, own) => (asked.endsWith('/cancel') ? Promise.resolve(LATE) : own());
    const seen = await press(page, 'change');
    expect(seen.heading).not.toBe('Pay with Vipps MobilePay');
    between = (_asked, own) => own();
    await approve();
    ahead += 300_000;
    await vi.waitFor(async () => {
      const words = wordsOf(vipps, number);
      expect(words.includes('sale success settled') || words.includes('sale fail decline')).toBe(true);
    }, 20_000);
    const isPaid = wordsOf(vipps, number).includes('sale success settled');
    expect(done(payment)).toEqual([isPaid ? 'capture 10.00 settled' : 'void 10.00 settled']);
  });

  test('and goes back to the shop leaves nothing that can be approved', async () => {
    const { page, stateOf } = await sent();
    await press(page, 'cancel');
    expect(stateOf()).toBe('withdrawn');
  });
});

describe('a payment that Vipps holds', () => {
  test('is captured in part, and given back', async () => {
    const { number, id, payment } = await held();
    await merchant.capture(id, '6.00');
    await reported(number, 'capture success settled');
    await merchant.refund(id, '2.00');
    await reported(number, 'refund success settled');
    expect(done(payment)).toEqual(['capture 6.00 settled', 'refund 2.00 settled']);
  });

  test('is let go of', async () => {
    const { number, id, payment } = await held();
    await merchant.refund(id, '10.00');
    await reported(number, 'reversal success reversal');
    expect(done(payment)).toEqual(['void 10.00 settled']);
  });

  test('has a capture whose reply is lost found in the log, and made once', async () => {
    const { number, id, payment } = await held();
    let captures = 0;
    between = async (asked, own) => {
      const reply = await own();
      if (!asked.endsWith('/capture')) return reply;
      captures += 1;
      return LATE;
    };
    await merchant.capture(id, '10.00');
    ahead += 300_000;
    await reported(number, 'capture success settled');
    expect(captures).toBe(1);
    expect(done(payment)).toEqual(['capture 10.00 settled']);
  });
});

test('a refund whose reply is lost is found in the log, and made once', async () => {
  const { number, id, payment } = await paid();
  between = async (asked, own) => {
    const reply = await own();
    return asked.endsWith('/refund') ? LATE : reply;
  };
  await merchant.refund(id, '4.00');
  ahead += 7_200_000;
  await reported(number, 'refund success settled');
  expect(done(payment)).toEqual(['capture 10.00 settled', 'refund 4.00 settled']);
});

test('every key that the catalogue sends here is paid', () => {
  expect(keysPaidIn('service/vipps.test.ts')).toEqual(['wallet-vipps']);
});

test('it is sold by command', async () => {
  await expectSold(vipps, sessionBody({ methods: ['wallet-vipps'] }, { currency: 'NOK' }));
});

test('a session is refused in a currency that Vipps does not take, and in another operation', async () => {
  await expectRefusals(vipps.url, 'wallet-vipps', (change, order) =>
    sessionBody({ methods: ['wallet-vipps'], ...change }, { currency: 'NOK', ...order }),
  );
});

test('each request of these tests is one that the official description of Vipps takes', () => {
  const { requests, problems } = described.compared();
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(20);
});
