import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { type AcquirerService, told } from '../support/acquirer-service.ts';
import { cardBody } from '../support/card-service.ts';
import { expectRefusals } from '../support/refusals.ts';
import { appleToken, googleToken, payByWallet, walletPage, walletService } from '../support/wallet-service.ts';

/** The token that the page gets of each wallet. */
const TOKENS: Readonly<Record<string, () => string>> = { 'apple-pay': appleToken, 'google-pay': googleToken };

let service: AcquirerService;
beforeAll(async () => {
  service = await walletService();
});
afterAll(() => service.stop());

test('has a row for every key that the catalogue sends here', () => {
  expect(Object.keys(TOKENS)).toEqual(keysPaidIn('wallets/wallet-keys.test.ts'));
});

describe.each(Object.entries(TOKENS))('%s', (method, token) => {
  test('is paid from the session to the last callback', async () => {
    const { page, number } = await walletPage(service, method);
    expect(await payByWallet(page, method, token())).toMatchObject({ status: 303 });
    const fields = await told(service, number, { order_status: 'settled' });
    expect(fields).toMatchObject({ type: 'sale', status: 'success', order_amount: '10.00', order_currency: 'USD' });
  });

  test('is refused for coins and in another operation, and taken in another country', async () => {
    await expectRefusals(service.url, method, (change, order) => cardBody({ methods: [method], ...change }, order));
  });
});
