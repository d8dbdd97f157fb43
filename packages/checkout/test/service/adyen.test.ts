import { adyenConnector } from '@railyard/connector-card';
import { prove } from '@railyard/simulator';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cardBody, payByCard } from '../support/card-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { REAL_PROVIDERS } from '../support/real-provider-configs.ts';
import { realService, type RealService } from '../support/real-providers.ts';
import { createPage } from '../support/service.ts';

let adyen: RealService;
let merchant: ReturnType<typeof merchantActs>;
const rule = { connector: 'card-adyen', scenario: 'settled', notifications: 'once' } as const;

beforeAll(async () => {
  adyen = await realService('adyen');
  merchant = merchantActs(adyen.url);
});
beforeEach(() => adyen.simulator.setRule(rule));
afterAll(() => adyen.stop());

async function settledSale() {
  const body = cardBody();
  const { number } = body.order;
  expect((await payByCard(await createPage(adyen.url, body))).status).toBe(303);
  const { fields } = await adyen.reported(number, 'sale success settled');
  return { number, id: fields.id ?? '' };
}

test('a sale is taken back', async () => {
  const { number, id } = await settledSale();
  await merchant.void(id);
  await adyen.reported(number, 'void success void');
  expect(adyen.simulator.ledger().at(-1)).toMatchObject({ effect: 'cancel' });
});

test.each(['SECOND_CHARGEBACK', 'PREARBITRATION_LOST'])(
  'a dispute that the merchant had won and that %s ends takes the money again, and is called back',
  async (again) => {
    const { number, id } = await settledSale();
    const { id: originalReference = '', reference = '' } = adyen.simulator.payments().at(-1) ?? {};
    const settings = adyenConnector.settings.parse(REAL_PROVIDERS.adyen.settings('http://127.0.0.1:1'));
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
    await vi.waitUntil(() => disputed().length === 2, { timeout: 60_000 });
  },
);
