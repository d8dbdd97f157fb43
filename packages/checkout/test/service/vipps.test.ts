import type { HttpResult } from '@railyard/runtime';
import { describe, expect, test, vi } from 'vitest';
import { errorOf } from '../support/merchant-acts.ts';
import { look, press } from '../support/plain-payer.ts';
import { confirmedAt, realService, wordsOf } from '../support/real-providers.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { LATE, visitedProvider } from '../support/visited-provider.ts';

const vipps = visitedProvider('vipps', 'NOK', {
  facts: ['packages/connector-wallet/test/official/vipps.json'],
  except: ['/accesstoken/get'],
});
const { clock, transport, sent, reported, told, done, held } = vipps;
const approve = async (page: string) => fetch(await confirmedAt(page));

describe('a payment at Vipps', () => {
  test('of a payer who is back is captured once, also where the reply to the capture is late', async () => {
    vipps.notifiesOfNothing();
    const { number, page, payment } = await sent();
    const captures = vipps.losesReplies('/capture', 1);
    await approve(page);
    vipps.later(300_000);
    await reported(number, 'sale success settled');
    expect(captures()).toBeGreaterThanOrEqual(1);
    expect(done(payment)).toEqual(['capture 10.00 settled']);
  });

  test('of a payer who approves and closes the page is captured by the webhook', async () => {
    const { number, payment } = await sent();
    vipps.simulator().settle(payment.id);
    await reported(number, 'sale success settled');
    expect(done(payment)).toEqual(['capture 10.00 settled']);
    await vipps.simulator().idle();
    expect(vipps.simulator().deliveries().at(-1)).toMatchObject({ url: vipps.service().notifyUrl, result: 200 });
    expect(told(number).filter((words) => words === 'sale success settled')).toHaveLength(1);
  });

  test('of a payer who comes back too early waits for them, and is captured once they have approved it', async () => {
    const { number, page, payment } = await sent();
    await fetch(`${page}/back`);
    expect((await look(page)).heading).toBe('Continue on the next page');
    vipps.simulator().settle(payment.id);
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
    const norway = await realService('vipps', { clock, monotonic: clock, transport });
    norway.simulator.setRule({ connector: 'vipps', scenario: 'settled', notifications: 'none' });
    const body = sessionBody({ methods: ['wallet-vipps'], auth: true }, { currency: 'NOK' });
    const page = await createPage(norway.url, body);
    await pressPay(page, { method: 'wallet-vipps' });
    norway.simulator.settle(norway.simulator.payments().at(-1)?.id ?? '');
    vipps.answers((what, own) => (what.includes('/payments/') ? Promise.resolve(LATE) : own()));
    await fetch(`${page}/back`);
    const said = () => wordsOf(norway, body.order.number);
    const passes = (isSaid: (words: string) => boolean) => {
      const look = () => {
        vipps.later(60_000);
        return said().some(isSaid);
      };
      return expect.poll(look, { interval: 100 }).toBe(true);
    };
    await passes((words) => words.startsWith('sale'));
    vipps.answersByItself();
    await passes((words) => words === 'sale success pending');
    expect(said()).not.toContain('sale fail decline');
    await norway.stop();
  });

  test('is declined once the merchant has let go of it in the portal, where neither capture nor cancellation was taken', async () => {
    vipps.notifiesOfNothing();
    const { number, page, payment, stateOf } = await sent();
    vipps.simulator().settle(payment.id);
    vipps.answers(async (asked, own) => {
      if (asked.endsWith('/capture')) return REFUSED;
      if (asked.endsWith('/cancel')) await own();
      return asked.endsWith('/cancel') ? REFUSED : own();
    });
    await fetch(`${page}/back`);
    await reported(number, 'sale undefined prepare');
    vipps.answersByItself();
    vipps.later(24 * 3_600_000);
    await reported(number, 'sale fail decline');
    expect(stateOf()).toBe('released');
  });
});

test('a payer whom Vipps turned away at first pays another way, and nothing is left open', async () => {
  const body = sessionBody({ methods: ['wallet-vipps'] }, { currency: 'NOK' });
  const page = await createPage(vipps.service().url, body);
  vipps.answers((asked, own) => (asked.endsWith('/payments') ? Promise.resolve(BUSY) : own()));
  await pressPay(page, { method: 'wallet-vipps' });
  expect((await look(page)).heading).toBe('Try again');
  expect((await press(page, 'change')).heading).toBe('Pay with Vipps MobilePay');
  vipps.answersByItself();
  await pressPay(page, { method: 'wallet-vipps' });
  vipps.simulator().settle(vipps.simulator().payments().at(-1)?.id ?? '');
  await reported(body.order.number, 'sale success settled');
  expect(told(body.order.number)).toContain('sale fail decline');
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
    vipps.answers(async (asked, own) => {
      if (asked.endsWith('/cancel')) await answered;
      return own();
    });
    expect((await press(page, 'change')).status).toBeLessThan(400);
    expect(stateOf()).toBe('challenged');
    answer();
    await reported(number, 'sale fail decline');
    expect(stateOf()).toBe('withdrawn');
  });

  test('a moment after they approved has what was held free again', async () => {
    vipps.notifiesOfNothing();
    const { number, page, payment, stateOf } = await sent();
    vipps.simulator().settle(payment.id);
    await press(page, 'change');
    expect(stateOf()).toBe('released');
    await reported(number, 'sale fail decline');
    expect(done(payment)).toEqual(['void 10.00 settled']);
  });

  test('goes on at Vipps where it cannot be taken back now, and is charged once', async () => {
    const { number, page, payment } = await sent();
    vipps.answers((asked, own) => (asked.endsWith('/cancel') ? Promise.resolve(LATE) : own()));
    const seen = await press(page, 'change');
    expect(seen.heading).not.toBe('Pay with Vipps MobilePay');
    vipps.answersByItself();
    await approve(page);
    vipps.later(300_000);
    await vi.waitFor(async () => {
      const words = told(number);
      expect(words.includes('sale success settled') || words.includes('sale fail decline')).toBe(true);
    }, 20_000);
    const isPaid = told(number).includes('sale success settled');
    expect(done(payment)).toEqual([isPaid ? 'capture 10.00 settled' : 'void 10.00 settled']);
  });

  test('and goes back to the shop leaves nothing that can be approved', async () => {
    const { page, stateOf } = await sent();
    await press(page, 'cancel');
    expect(stateOf()).toBe('withdrawn');
  });
});

describe('a payment that Vipps holds', () => {
  test('is captured whole alone, as Vipps would keep the rest of a part held, and given back in parts', async () => {
    const { number, id, payment } = await held();
    expect(errorOf(await vipps.merchant().capture(id, '6.00'))).toMatch(/^0 Request data is invalid/);
    expect(done(payment)).toEqual([]);
    await vipps.merchant().capture(id, '10.00');
    await reported(number, 'capture success settled');
    await vipps.merchant().refund(id, '2.00');
    await reported(number, 'refund success settled');
    expect(done(payment)).toEqual(['capture 10.00 settled', 'refund 2.00 settled']);
  });
});

test('each request of these tests is one that the official description of Vipps takes', () => {
  const { requests, problems } = vipps.compared();
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(10);
});
