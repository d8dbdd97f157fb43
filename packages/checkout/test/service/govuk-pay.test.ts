import { kyTransport, type HttpResult, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { look, press } from '../support/plain-payer.ts';
import { realService, type RealService, shown, wordsOf } from '../support/real-providers.ts';
import { officialRequests } from '../support/official-requests.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { expectSold } from '../support/sold-by-command.ts';

/** How far the clock is ahead. */
let ahead = 0;
const http = kyTransport();
/** Answers a request in place of GOV.UK Pay, which has it or not. Nothing: its own reply counts. */
let between: (asked: string, own: () => Promise<HttpResult>) => Promise<HttpResult> = (_asked, own) => own();
const LATE: HttpResult = { kind: 'lost', why: 'No complete reply in time.' };
const described = officialRequests('packages/connector-card/test/official/govuk-pay.json');
const transport: Transport = {
  send(request) {
    described.note(request);
    return between(`${request.method} ${new URL(request.url).pathname}`, () => http.send(request));
  },
};
let council: RealService;
let merchant: ReturnType<typeof merchantActs>;
const rule = { connector: 'govuk-pay', scenario: 'settled', notifications: 'once' } as const;
const unnotified = { ...rule, notifications: 'none' } as const;

beforeAll(async () => {
  council = await realService('govuk-pay', { clock: () => Date.now() + ahead, transport });
  merchant = merchantActs(council.url);
});
beforeEach(() => {
  between = (_asked, own) => own();
  council.simulator.setRule(rule);
});
afterAll(async () => {
  await council.stop();
  await http.close();
});

const bodyOf = (change: object = {}) => sessionBody({ methods: ['card-hosted'], ...change }, { currency: 'GBP' });

/** A payer whom the page has sent to GOV.UK Pay. */
async function sent(change?: object) {
  const body = bodyOf(change);
  const page = await createPage(council.url, body);
  expect((await pressPay(page, { method: 'card-hosted' })).status).toBe(303);
  const payment = council.simulator.payments().at(-1);
  if (payment === undefined) throw new Error('GOV.UK Pay has no payment.');
  const { id } = payment;
  const stateOf = () => council.simulator.payments().find((each) => each.id === id)?.state;
  return { number: body.order.number, page, payment, stateOf };
}
/** The payer goes on to the page of GOV.UK Pay, confirms there, and comes back. */
async function confirm(page: string) {
  const way = (await look(page)).links.get('Continue') ?? '';
  const id = /name="id" value="([^"]+)"/.exec(await shown(way))?.[1] ?? '';
  const body = new URLSearchParams({ id, page: 'payment' });
  const pressed = await (await fetch(new URL('/pay', way), { method: 'POST', body })).text();
  const back = /<a href="([^"]+)"/.exec(pressed)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await fetch(back)).status).toBe(200);
}
const reported = async (number: string, words: string) => (await council.reported(number, words)).fields;

/** Captures, voids and refunds of a payment at GOV.UK Pay. */
const done = ({ id }: { readonly id: string }) =>
  council.simulator
    .modifications()
    .filter(({ payment }) => payment === id)
    .map(({ effect, amount, state }) => `${effect} ${amount} ${state}`);

async function confirmed(words: string, change?: object) {
  const begun = await sent(change);
  council.simulator.settle(begun.payment.id);
  const { id = '' } = await reported(begun.number, words);
  return { ...begun, id };
}
const paid = () => confirmed('sale success settled');
const held = () => confirmed('sale success pending', { auth: true });

describe('a payment on the page of GOV.UK Pay', () => {
  test('of a payer who confirms and comes back is settled by a lookup', async () => {
    council.simulator.setRule(unnotified);
    const { number, page } = await sent();
    await confirm(page);
    ahead += 300_000;
    await reported(number, 'sale success settled');
  });

  test('whose disputes cannot be searched is settled by a lookup, and a refund made there is told', async () => {
    council.simulator.setRule(unnotified);
    const down: HttpResult = { kind: 'reply', status: 503, headers: {}, body: '<h1>Service Unavailable</h1>' };
    between = async (asked, own) => (asked.endsWith('/v1/disputes') ? down : own());
    const { number, page, payment } = await sent();
    await confirm(page);
    council.simulator.giveBack(payment.id, '4.00');
    ahead += 300_000;
    await reported(number, 'sale success settled');
    await reported(number, 'refund success settled');
  });

  test('whose creation was answered late is made again, and paid once', async () => {
    council.simulator.setRule(unnotified);
    let created = 0;
    between = async (asked, own) => {
      const reply = await own();
      if (!(asked.startsWith('POST') && asked.endsWith('/v1/payments'))) return reply;
      created += 1;
      return created === 1 ? LATE : reply;
    };
    const { number, page } = await sent();
    ahead += 300_000;
    await vi.waitUntil(async () => (await look(page)).links.has('Continue'), { timeout: 60_000 });
    expect(created).toBe(2);
    await confirm(page);
    ahead += 300_000;
    await reported(number, 'sale success settled');
    const ours = council.simulator.ledger().filter(({ effect }) => effect === 'settled');
    expect(ours.filter(({ reference }) => reference === council.simulator.payments().at(-1)?.reference)).toHaveLength(
      1,
    );
  });
});

describe('a payer who is at GOV.UK Pay', () => {
  test('and pays another way can pay there no more: the payment was cancelled', async () => {
    const { number, page, stateOf } = await sent();
    expect((await press(page, 'change')).status).toBeLessThan(400);
    expect(stateOf()).toBe('withdrawn');
    await reported(number, 'sale fail decline');
  });

  test('and confirmed a moment before the cancellation has paid', async () => {
    council.simulator.setRule(unnotified);
    const { number, page, payment, stateOf } = await sent();
    council.simulator.settle(payment.id);
    await press(page, 'change');
    ahead += 300_000;
    await reported(number, 'sale success settled');
    expect(stateOf()).toBe('settled');
    expect((await look(page)).status).toBeLessThan(500);
    expect(wordsOf(council, number)).not.toContain('sale fail decline');
  });
});

describe('a payment that GOV.UK Pay holds', () => {
  test('is captured once, also where the reply to the capture is late', async () => {
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

  test('is let go of', async () => {
    const { number, id, payment } = await held();
    await merchant.refund(id, '10.00');
    await reported(number, 'reversal success reversal');
    expect(done(payment)).toEqual(['void 10.00 settled']);
  });

  test('and lets go of after five days is held no longer: the webhook has it looked up', async () => {
    const { number, payment } = await held();
    council.simulator.expireHold(payment.id);
    await reported(number, 'reversal success reversal');
  });
});

test('a refund whose reply is lost is found among those of its payment, and made once', async () => {
  const { number, id, payment } = await paid();
  between = async (asked, own) => {
    const reply = await own();
    return asked.startsWith('POST') && asked.endsWith('/refunds') ? LATE : reply;
  };
  await merchant.refund(id, '4.00');
  ahead += 7_200_000;
  await reported(number, 'refund success settled');
  expect(done(payment)).toEqual(['refund 4.00 settled']);
});

test('every key that the catalogue sends here is paid', () => {
  expect(keysPaidIn('service/govuk-pay.test.ts')).toEqual(['card-hosted']);
});

test('it is sold by command', async () => {
  await expectSold(council, bodyOf());
});

test('a session is refused in a currency that GOV.UK Pay does not take, and in another operation', async () => {
  await expectRefusals(council.url, 'card-hosted', (change, order) =>
    sessionBody({ methods: ['card-hosted'], ...change }, { currency: 'GBP', ...order }),
  );
});

test('each request of these tests is one that the official description of GOV.UK Pay takes', () => {
  const { requests, problems } = described.compared();
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(20);
});
