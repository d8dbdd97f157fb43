import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { nextPollMs } from '../../src/payments/change/plan.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { inReais, realService, type RealService, shown } from '../support/real-providers.ts';
import { createPage, pressPay } from '../support/service.ts';

/** How far the clock is ahead. A hint is followed by a lookup a moment later, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let bank: RealService;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  bank = await realService('pix-bcb', { clock });
  merchant = merchantActs(bank.url);
});
beforeEach(() => bank.simulator.setRule({ connector: 'pix-bcb', scenario: 'manual', notifications: 'once' }));
afterAll(() => bank.stop());

/** A payer who has the code on the page. */
async function begun() {
  const body = inReais();
  const page = await createPage(bank.url, body);
  expect((await pressPay(page, { method: 'pix-charge' })).status).toBe(303);
  const held = bank.simulator.payments().at(-1);
  if (held === undefined) throw new Error('The bank has no charge.');
  return { number: body.order.number, page, held };
}

describe('a charge of the API Pix', () => {
  test('lives longer when the payer asks, under the same txid', async () => {
    const { number, page, held } = await begun();
    ahead += 601_000;
    expect(await shown(page)).toContain('<title>The time is up');
    expect((await fetch(`${page}/renew`, { method: 'POST', redirect: 'manual' })).status).toBe(303);
    const renewed = await shown(page);
    expect(renewed).toContain('br.gov.bcb.pix');
    expect(renewed).toContain('<title>Scan to pay');
    expect(bank.simulator.payments().filter(({ reference }) => reference === held.reference)).toHaveLength(1);
    bank.simulator.settle(held.id);
    await bank.reported(number, 'sale success settled');
  });
});

/** Without a notification a return under way is first looked up after this. */
const FIRST_LOOKUP_MS = nextPollMs(0, false) ?? 0;

describe('a return', () => {
  test('that is under way is looked up at an unsigned notification, long before its planned lookup', async () => {
    bank.simulator.setRule({ connector: 'pix-bcb', scenario: 'pending-modification' });
    const { number, held } = await begun();
    const { fields: sale } = await bank.reported(number, 'sale success settled');
    await merchant.refund(sale.id ?? '', '4.00');
    const pending = await waitFor(() => bank.simulator.modifications().find(({ payment }) => payment === held.id));
    const before = clock();
    const about = {
      endToEndId: 'E'.repeat(32),
      txid: held.reference,
      valor: '10.00',
      horario: '2026-11-28T10:00:00.000Z',
    };
    const heard = bank.lines.length;
    expect((await fetch(bank.notifyUrl, { method: 'POST', body: JSON.stringify({ pix: [about] }) })).status).toBe(200);
    // By itself, or with its payment, whose lookup lists it and then counts for both: whichever of the two comes first.
    const lookedUp = () =>
      bank.lines.slice(heard).some((line) => /"endpoint":"get-(?:devolucao|cob)"/.test(line) && line.includes(number));
    await vi.waitUntil(lookedUp, { timeout: FIRST_LOOKUP_MS / 2 });
    expect(clock() - before).toBeLessThan(FIRST_LOOKUP_MS);
    bank.simulator.settleModification(pending.id);
    await bank.reported(number, 'refund success settled');
    expect(clock() - before).toBeLessThan(FIRST_LOOKUP_MS);
  });
});

/** The bank has a refund once its request has arrived. */
async function waitFor<T>(found: () => T | undefined): Promise<T> {
  return vi.waitFor(() => {
    const value = found();
    if (value === undefined) throw new Error('Not yet.');
    return value;
  });
}
