import type { HttpResult } from '@railyard/runtime';
import { describe, expect, test, vi } from 'vitest';
import { look, press } from '../support/plain-payer.ts';
import { shown } from '../support/real-providers.ts';
import { LATE, visitedProvider } from '../support/visited-provider.ts';

const council = visitedProvider('govuk-pay', 'GBP', {
  facts: ['packages/connector-card/test/official/govuk-pay.json'],
});
const { sent, reported, told, held } = council;

/** The payer goes on to the page of GOV.UK Pay, confirms there, and comes back. */
async function confirm(page: string) {
  const way = (await look(page)).links.get('Continue') ?? '';
  const id = /name="id" value="([^"]+)"/.exec(await shown(way))?.[1] ?? '';
  const body = new URLSearchParams({ id, page: 'payment' });
  const pressed = await (await fetch(new URL('/pay', way), { method: 'POST', body })).text();
  const back = /<a href="([^"]+)"/.exec(pressed)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await fetch(back)).status).toBe(200);
}

describe('a payment on the page of GOV.UK Pay', () => {
  test('of a payer who confirms and comes back is settled by a lookup', async () => {
    council.notifiesOfNothing();
    const { number, page } = await sent();
    await confirm(page);
    council.later(300_000);
    await reported(number, 'sale success settled');
  });

  test('whose disputes cannot be searched is settled by a lookup, with a refund made there; a dispute is told once the search works', async () => {
    council.notifiesOfNothing();
    const down: HttpResult = { kind: 'reply', status: 503, headers: {}, body: '<h1>Service Unavailable</h1>' };
    let searches = 0;
    council.answers(async (asked, own) => {
      if (!asked.endsWith('/v1/disputes')) return own();
      searches += 1;
      // The first search fails, and of the second the reply is lost.
      return searches === 1 ? down : LATE;
    });
    const { number, page, payment } = await sent();
    await confirm(page);
    council.simulator().giveBack(payment.id, '4.00');
    council.later(300_000);
    await reported(number, 'sale success settled');
    await reported(number, 'refund success settled');
    council.simulator().dispute(payment.id);
    const before = searches;
    council.later(300_000);
    await vi.waitUntil(() => searches > before, { timeout: 60_000 });
    council.answersByItself();
    council.later(3_600_000);
    await reported(number, 'chargeback success chargeback');
  });

  test('whose creation was answered late is made again, and paid once', async () => {
    council.notifiesOfNothing();
    const created = council.losesReplies('/v1/payments', 1);
    const { number, page } = await sent();
    council.later(300_000);
    await vi.waitUntil(async () => (await look(page)).links.has('Continue'), { timeout: 60_000 });
    expect(created()).toBe(2);
    await confirm(page);
    council.later(300_000);
    await reported(number, 'sale success settled');
    const ours = council
      .simulator()
      .ledger()
      .filter(({ effect }) => effect === 'settled');
    expect(ours.filter(({ reference }) => reference === council.simulator().payments().at(-1)?.reference)).toHaveLength(
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
    council.notifiesOfNothing();
    const { number, page, payment, stateOf } = await sent();
    council.simulator().settle(payment.id);
    await press(page, 'change');
    council.later(300_000);
    await reported(number, 'sale success settled');
    expect(stateOf()).toBe('settled');
    expect((await look(page)).status).toBeLessThan(500);
    expect(told(number)).not.toContain('sale fail decline');
  });
});

test('a payment that GOV.UK Pay lets go of after five days is held no longer: the webhook has it looked up', async () => {
  const { number, payment } = await held();
  council.simulator().expireHold(payment.id);
  await reported(number, 'reversal success reversal');
});

test('each request of these tests is one that the official description of GOV.UK Pay takes', () => {
  const { requests, problems } = council.compared();
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(10);
});
