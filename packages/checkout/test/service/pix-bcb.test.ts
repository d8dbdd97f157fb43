import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { nextPollMs } from '../../src/payments/change/plan.ts';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { pixBcbService } from '../support/pix-bcb-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

/** How far the clock is ahead. A hint is followed by a lookup a moment later, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let bank: Awaited<ReturnType<typeof pixBcbService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  bank = await pixBcbService({ clock });
  merchant = merchantActs(bank.url);
});
beforeEach(() => bank.simulator.setRule({ connector: 'pix-bcb', scenario: 'manual', notifications: 'once' }));
afterAll(() => bank.stop());

const CHARGE = { devedor_documento: '52998224725', devedor_nome: 'Maria Silva' };

/** A payer who has the code on the page. */
async function begun() {
  const body = sessionBody({ methods: ['pix-charge'], parameters: { 'pix-charge': CHARGE } });
  const page = await createPage(bank.url, body);
  expect((await pressPay(page, { method: 'pix-charge' })).status).toBe(303);
  const held = bank.simulator.payments().at(-1);
  if (held === undefined) throw new Error('The bank has no charge.');
  return { number: body.order.number, page, held };
}

const until = (number: string, words: string) =>
  bank.shop.until(
    ({ fields }) =>
      fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
  );
const shown = async (page: string) => (await fetch(page)).text();

/** A payment whose Pix has arrived. @returns its id */
async function paid() {
  const { number, held } = await begun();
  bank.simulator.settle(held.id);
  const { fields } = await until(number, 'sale success settled');
  return { number, id: fields.id ?? '', held };
}

describe('a charge of the API Pix', () => {
  test('is shown as a code, and settles by an unsigned notification below its address, once the bank was asked', async () => {
    const { number, page, held } = await begun();
    expect(held).toMatchObject({ amount: '10.00', reference: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await shown(page)).toContain('br.gov.bcb.pix');
    bank.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    expect(await merchant.status(fields.id ?? '')).toBe('settled');
    await bank.simulator.idle();
    expect(bank.simulator.deliveries().at(-1)).toMatchObject({ url: bank.notifyUrl, result: 200 });
  });

  test('settles by lookups alone where no notification comes', async () => {
    bank.simulator.setRule({ connector: 'pix-bcb', notifications: 'none' });
    const { number, held } = await begun();
    bank.simulator.settle(held.id);
    ahead += 300_000;
    await until(number, 'sale success settled');
  });

  test('is not settled by a notification that the bank did not send', async () => {
    const { number, page, held } = await begun();
    const forged = {
      endToEndId: 'E'.repeat(32),
      txid: held.reference,
      valor: '10.00',
      horario: new Date(clock()).toISOString(),
    };
    const answer = await fetch(bank.notifyUrl, { method: 'POST', body: JSON.stringify({ pix: [forged] }) });
    expect(answer.status).toBe(200);
    expect(await shown(page)).toContain('br.gov.bcb.pix');
    bank.simulator.settle(held.id);
    await until(number, 'sale success settled');
    expect(
      bank.shop.received.filter(({ fields }) => fields.order_number === number && fields.order_status === 'settled'),
    ).toHaveLength(1);
  });

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
    await until(number, 'sale success settled');
  });
});

/** The amounts of the refunds that the merchant was told of. */
const refundsTold = (number: string) =>
  bank.shop.received
    .filter(({ fields }) => fields.order_number === number && fields.type === 'refund' && fields.status === 'success')
    .map(({ fields }) => fields.refund_amount);

/** Without a notification a return under way is first looked up after this. */
const FIRST_LOOKUP_MS = nextPollMs(0, false) ?? 0;

describe('a return', () => {
  test('of a part and of the rest is reported, and no more is given back than was paid', async () => {
    const { number, id } = await paid();
    await merchant.refund(id, '4.00');
    await until(number, 'refund success settled');
    expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
    await merchant.refund(id, '6.00');
    await until(number, 'refund success refund');
    expect(bank.simulator.modifications().map(({ amount, state }) => [amount, state])).toEqual([
      ['4.00', 'settled'],
      ['6.00', 'settled'],
    ]);
  });

  test('that the bank does not make after all is reported as failed', async () => {
    bank.simulator.setRule({ connector: 'pix-bcb', scenario: 'pending-modification' });
    const { number } = await begun();
    const { fields: sale } = await until(number, 'sale success settled');
    const id = sale.id ?? '';
    await merchant.refund(id, '4.00');
    const pending = await waitFor(() => bank.simulator.modifications().find(({ state }) => state === 'pending'));
    bank.simulator.declineModification(pending.id);
    ahead += 7_200_000;
    const { fields } = await until(number, 'refund fail decline');
    expect(fields.reason).toContain('did not make the return');
  });

  test('that is under way is looked up at an unsigned notification, long before its planned lookup', async () => {
    bank.simulator.setRule({ connector: 'pix-bcb', scenario: 'pending-modification' });
    const { number, held } = await begun();
    const { fields: sale } = await until(number, 'sale success settled');
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
    await until(number, 'refund success settled');
    expect(clock() - before).toBeLessThan(FIRST_LOOKUP_MS);
  });

  test('that the merchant makes at the bank itself is reported once, beside one of ours', async () => {
    const { number, id, held } = await paid();
    bank.simulator.giveBack(held.id, '4.00');
    await until(number, 'refund success settled');
    await merchant.refund(id, '3.00');
    await vi.waitUntil(() => refundsTold(number).length === 2);
    // The lookup that finds this one lists the two before it again.
    bank.simulator.giveBack(held.id);
    await until(number, 'refund success refund');
    expect(refundsTold(number)).toEqual(['4.00', '3.00', '3.00']);
    expect(await merchant.status(id)).toBe('refund');
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
