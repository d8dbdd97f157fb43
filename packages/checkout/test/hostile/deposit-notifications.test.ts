import { createSign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notifiedText } from '../../../connector-wallet/src/signed-text.ts';
import { partner, provider } from '../../../connector-wallet/test/support/keys.ts';
import { familyService } from '../support/family-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { signedDepositAccount } from '../support/wallet-payer-accounts.ts';

const key = 'cash-wallet-deposit';

/** How far the clock is ahead. */
let ahead = 0;
let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService([signedDepositAccount], () => Date.now() + ahead);
}, 60_000);
afterAll(() => service.stop());

/** A deposit of 10.00 EUR that waits for its payer. */
async function begun() {
  const body = sessionBody(
    {
      methods: [key],
      customer: { name: 'Ana Horvat', birth_date: '1990-04-23' },
      parameters: { [key]: { payer_id: 'user-7781' } },
    },
    { currency: 'EUR' },
  );
  const page = await createPage(service.url, body);
  expect((await pressPay(page, { method: key })).status).toBe(303);
  const { id = '', reference = '' } = service.simulator.payments().at(-1) ?? {};
  return { page, number: body.order.number, id, reference };
}
type Begun = Awaited<ReturnType<typeof begun>>;

/** The notification that a deposit is paid, with the number of its amount as it is written, signed by whoever is given. */
async function notify({ id, reference }: Begun, amount: string, CurrencyId: number, signer = provider.privateKey) {
  const body = {
    TransactionId: id,
    Amount: Number(amount),
    CurrencyId,
    Parameters: [{ Key: 'PublicTransactionId', Value: reference }],
    Status: 'paid',
  };
  const Signature = createSign('RSA-SHA256').update(notifiedText(body), 'utf8').sign(signer, 'base64');
  const text = JSON.stringify({ ...body, Signature }).replace(/"Amount":[^,]+/, `"Amount":${amount}`);
  const reply = await fetch(`${service.url}/notify/signed-deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  return reply.status;
}

const settlements = (number: string) =>
  service.shop.received.filter(
    ({ fields }) => fields['order_number'] === number && fields['order_status'] === 'settled',
  );
const setAside = (from: number) => service.lines.slice(from).filter((line) => line.includes('"quarantined"'));

const EUR = 978;
const AUD = 36;
test.each([
  ['less than was asked for', '9.99', EUR],
  ['more than was asked for', '10.01', EUR],
  ['a hundredth of what was asked for', '0.10', EUR],
  ['a hundred times what was asked for', '1000', EUR],
  ['the same number in another currency', '10.00', AUD],
  ['the number in a currency without decimals', '1000', 392],
])(
  'a deposit that a signed notification reports as paid with %s is set aside, and settles when it is paid',
  async (_what, amount, currency) => {
    const [from, deposit] = [service.lines.length, await begun()];
    expect(await notify(deposit, amount, currency)).toBe(200);
    expect(setAside(from)).toHaveLength(1);
    const shown = await (await fetch(deposit.page)).text();
    expect(shown).toContain('We are checking');
    expect(shown).not.toContain('Payment complete');
    expect(settlements(deposit.number)).toEqual([]);
    // Told once more, it changes nothing.
    expect(await notify(deposit, amount, currency)).toBe(200);
    expect(setAside(from)).toHaveLength(1);
    service.simulator.settle(deposit.id);
    // The provider numbers no events: its right notification has the id of the wrong one, and a lookup finds what was paid.
    ahead += 300_000;
    const { fields } = await service.shop.until(
      (each) => each.fields['order_number'] === deposit.number && each.fields['order_status'] === 'settled',
    );
    expect(fields).toMatchObject({ status: 'success', order_amount: '10.00', order_currency: 'EUR' });
    expect(settlements(deposit.number)).toHaveLength(1);
  },
);

test('a deposit is not settled by a right notification that the partner’s own key signed, and is by the provider’s', async () => {
  const deposit = await begun();
  expect(await notify(deposit, '10.00', EUR, partner.privateKey)).toBeGreaterThanOrEqual(400);
  expect(await (await fetch(deposit.page)).text()).not.toContain('Payment complete');
  expect(await notify(deposit, '10.00', EUR)).toBe(200);
  await service.shop.until(
    ({ fields }) => fields['order_number'] === deposit.number && fields['order_status'] === 'settled',
  );
});

test('a currency that ISO 4217 has not is not understood, and changes nothing', async () => {
  const deposit = await begun();
  expect(await notify(deposit, '10.00', 1)).toBeLessThan(500);
  expect(settlements(deposit.number)).toEqual([]);
  expect(await notify(deposit, '10.00', EUR)).toBe(200);
  await service.shop.until(
    ({ fields }) => fields['order_number'] === deposit.number && fields['order_status'] === 'settled',
  );
});
