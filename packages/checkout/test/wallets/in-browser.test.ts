import type { BrowserContext } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { AcquirerService } from '../support/acquirer-service.ts';
import { serviceBrowser } from '../support/service-browser.ts';
import { appleToken, googleToken, walletPage, walletService } from '../support/wallet-service.ts';

const open = serviceBrowser<AcquirerService>(() => walletService());

const APPLE = 'https://applepay.cdn-apple.com/jsapi/v1/apple-pay-sdk.js';
const GOOGLE = 'https://pay.google.com/gp/p/js/pay.js';

/** A double of a vendor's script: what it is asked is kept on the window. */
const doubles = {
  apple: (token: string, has = true) => `
    window.ApplePaySession = class {
      static STATUS_SUCCESS = 0;
      static canMakePayments() { return ${has}; }
      constructor(version, request) { window.asked = { version, request }; }
      begin() { this.onvalidatemerchant({ validationURL: 'https://apple-pay-gateway.apple.com/paymentservices/startSession' }); }
      abort() { window.aborted = true; }
      completePayment(status) { window.completed = status; }
      completeMerchantValidation(session) {
        window.validated = session;
        this.onpaymentauthorized({ payment: ${token} });
      }
    };`,
  google: (token: string, has = true) => `
    window.google = { payments: { api: { PaymentsClient: class {
      constructor(options) { window.options = options; }
      async isReadyToPay(request) { window.ready = request; return { result: ${has} }; }
      async loadPaymentData(request) {
        window.asked = request;
        if (window.cancels) throw new Error('CANCELED');
        return ${token};
      }
    } } } };`,
};

const play = (context: BrowserContext, address: string, body: string) =>
  context.route(address, (route) => route.fulfill({ contentType: 'text/javascript', body }));

describe('the button of a wallet', () => {
  test('of Apple Pay asks for the order’s amount, has the merchant confirmed, and pays', async (ctx) => {
    const { page, context, service, complaints, addresses } = await open(ctx);
    await play(context, APPLE, doubles.apple(appleToken()));
    service.state.answer = ({ url }) => (url.includes('apple') ? { status: 200, body: { nonce: 'n1' } } : undefined);
    await page.goto((await walletPage(service, 'apple-pay')).page);
    await page.getByRole('button', { name: /Apple Pay/ }).click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    const sale = service.asked.findLast(({ url }) => url.endsWith('/sales'));
    expect(sale?.body).toContain('"type":"applepay"');
    expect(complaints).toEqual([]);
    expect(addresses.filter((each) => !each.startsWith('http://127.0.0.1'))).toEqual([APPLE]);
  });

  test('of Google Pay pays with what its sheet gives; a sheet that is closed changes nothing', async (ctx) => {
    const { page, context, service, complaints } = await open(ctx);
    await play(context, GOOGLE, doubles.google(googleToken()));
    await page.goto((await walletPage(service, 'google-pay')).page);
    const button = page.getByRole('button', { name: /Google Pay/ });
    await page.evaluate(() => Reflect.set(window, 'cancels', true));
    await button.click();
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'asked')))
      .toMatchObject({
        apiVersion: 2,
        transactionInfo: { totalPrice: '10.00', currencyCode: 'USD', totalPriceStatus: 'FINAL' },
        allowedPaymentMethods: [
          {
            parameters: { allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
            tokenizationSpecification: { parameters: { gateway: 'railyard', gatewayMerchantId: 'shop-1' } },
          },
        ],
      });
    await page.evaluate(() => Reflect.set(window, 'cancels', false));
    await button.click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test.for(['the device has none', 'its script does not come', 'there are no scripts'])(
    'is not there where %s, and the page says so',
    async (why, ctx) => {
      const { page, context, service } = await open(ctx, why !== 'there are no scripts');
      if (why === 'its script does not come') await context.route(GOOGLE, (route) => route.abort());
      else await play(context, GOOGLE, doubles.google('{}', false));
      await page.goto((await walletPage(service, 'google-pay')).page);
      await page.getByText('Google Pay is not available on this device').waitFor();
      expect(await page.getByRole('button', { name: /Google Pay/ }).count()).toBe(0);
    },
  );

  test('can be pressed again after a token that was refused', async (ctx) => {
    const { page, context, service } = await open(ctx);
    await play(context, APPLE, doubles.apple(appleToken({ amount: 1 })));
    service.state.answer = ({ url }) => (url.includes('apple') ? { status: 200, body: { nonce: 'n1' } } : undefined);
    await page.goto((await walletPage(service, 'apple-pay')).page);
    await page.getByRole('button', { name: /Apple Pay/ }).click();
    await page.getByRole('alert').getByText('The wallet could not be used').waitFor();
    await page.getByRole('button', { name: /Apple Pay/ }).waitFor();
  });
});
