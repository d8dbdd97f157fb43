import { adyenConnector } from '@railyard/connector-card';
import { prove } from '@railyard/simulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { adyenSettings } from '../support/adyen-config.ts';
import { adyenService, confirmedAt, REDIRECTED } from '../support/adyen-service.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { createPage } from '../support/service.ts';

let adyen: Awaited<ReturnType<typeof adyenService>>;
let merchant: ReturnType<typeof merchantActs>;
const rule = { connector: 'card-adyen', scenario: 'settled', notifications: 'once' } as const;

beforeAll(async () => {
  adyen = await adyenService();
  merchant = merchantActs(adyen.url);
});
beforeEach(() => adyen.simulator.setRule(rule));
afterAll(() => adyen.stop());

async function paid(change: Readonly<Record<string, unknown>> = {}, card: Readonly<Record<string, string>> = CARD) {
  const body = cardBody(change);
  const page = await createPage(adyen.url, body);
  const answer = await payByCard(page, card);
  expect(answer.status).toBe(303);
  return { number: body.order.number, page, location: new URL(answer.location ?? '', page).href };
}

const until = async (number: string, words: string) =>
  (
    await adyen.shop.until(
      ({ fields }) =>
        fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
    )
  ).fields;

describe('a card payment at Adyen', () => {
  test('is a sale that its reply settles; the webhook about it changes nothing more', async () => {
    const { number } = await paid();
    const { id = '' } = await until(number, 'sale success settled');
    expect(await merchant.status(id)).toBe('settled');
    await adyen.simulator.idle();
    expect(adyen.simulator.deliveries().at(-1)).toMatchObject({ url: adyen.notifyUrl, result: 200 });
    const settled = adyen.shop.received.filter(
      ({ fields }) => fields.order_number === number && fields.order_status === 'settled',
    );
    expect(settled).toHaveLength(1);
  });

  test('that waits is settled by its webhook alone, and by none that Adyen did not sign', async () => {
    adyen.simulator.setRule({ ...rule, scenario: 'manual' });
    const { number } = await paid();
    const held = await vi.waitUntil(() => adyen.simulator.payments().find(({ state }) => state === 'pending'));
    const item = {
      pspReference: held.id,
      merchantReference: held.reference,
      merchantAccountCode: 'ExampleShopECOM',
      amount: { currency: 'USD', value: 1000 },
      eventCode: 'AUTHORISATION',
      success: 'true',
      additionalData: { hmacSignature: 'Zm9yZ2Vk' },
    };
    const body = JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] });
    expect((await fetch(adyen.notifyUrl, { method: 'POST', body })).status).toBe(401);
    adyen.simulator.settle(held.id);
    await until(number, 'sale success settled');
  });

  test('that is refused is declined', async () => {
    adyen.simulator.setRule({ ...rule, scenario: 'declined' });
    const { number } = await paid();
    const fields = await until(number, 'sale fail decline');
    expect(fields.reason).toContain('not enough money');
  });

  test('goes by way of the payer’s bank, and is settled when they are back', async () => {
    const { number, location } = await paid({}, REDIRECTED);
    const back = await confirmedAt(location);
    expect(new URL(back).searchParams.get('redirectResult')).toMatch(/^[0-9A-F]{16}$/);
    await fetch(back);
    await until(number, 'sale success settled');
  });
});

describe('a hold', () => {
  test('is captured when the webhook says so, and given back in parts', async () => {
    const { number } = await paid({ auth: true });
    const { id = '' } = await until(number, 'sale success pending');
    expect(adyen.simulator.payments().at(-1)?.reference).toMatch(/^hold-/);
    await merchant.capture(id, '10.00');
    await until(number, 'capture success settled');
    await merchant.refund(id, '4.00');
    await until(number, 'refund success settled');
    expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
    await merchant.refund(id, '6.00');
    await until(number, 'refund success refund');
  });

  test('is let go of', async () => {
    const { number } = await paid({ auth: true });
    const { id = '' } = await until(number, 'sale success pending');
    await merchant.refund(id, '10.00');
    await until(number, 'reversal success reversal');
    expect(adyen.simulator.ledger().at(-1)).toMatchObject({ effect: 'void' });
  });
});

test('a sale is taken back', async () => {
  const { number } = await paid();
  const { id = '' } = await until(number, 'sale success settled');
  await merchant.void(id);
  await until(number, 'void success void');
  expect(adyen.simulator.ledger().at(-1)).toMatchObject({ effect: 'cancel' });
});

test('a refund that fails late is reported as failed', async () => {
  adyen.simulator.setRule({ ...rule, scenario: 'pending-modification' });
  const { number } = await paid();
  const { id = '' } = await until(number, 'sale success settled');
  await merchant.refund(id, '4.00');
  const pending = await vi.waitUntil(() => adyen.simulator.modifications().find(({ state }) => state === 'pending'));
  adyen.simulator.declineModification(pending.id);
  await until(number, 'refund fail decline');
});

test.each(['SECOND_CHARGEBACK', 'PREARBITRATION_LOST'])(
  'a dispute that the merchant had won and that %s ends takes the money again, and is called back',
  async (again) => {
    const { number } = await paid();
    const { id = '' } = await until(number, 'sale success settled');
    const { id: originalReference = '', reference = '' } = adyen.simulator.payments().at(-1) ?? {};
    const settings = adyenConnector.settings.parse(adyenSettings('http://127.0.0.1:1'));
    const account = { connector: adyenConnector, settings, name: 'adyen' };
    const notify = async (eventCode: string) => {
      const item = {
        pspReference: `${originalReference.slice(1)}D`,
        originalReference,
        merchantReference: reference,
        merchantAccountCode: 'ExampleShopECOM',
        amount: { currency: 'USD', value: 1000 },
        eventCode,
        success: 'true',
      };
      const value = { live: 'false', notificationItems: [{ NotificationRequestItem: item }] };
      const sent = prove(account, { url: adyen.notifyUrl, headers: {}, value }, { forged: false, now: Date.now() });
      expect((await fetch(adyen.notifyUrl, { method: 'POST', ...sent })).status).toBe(200);
      return merchant.status(id);
    };
    expect(await notify('CHARGEBACK')).toBe('chargeback');
    expect(await notify('CHARGEBACK_REVERSED')).toBe('settled');
    expect(await notify(again)).toBe('chargeback');
    const disputed = () =>
      adyen.shop.received.filter(
        ({ fields }) => fields.order_number === number && fields.order_status === 'chargeback',
      );
    await vi.waitUntil(() => disputed().length === 2);
  },
);
