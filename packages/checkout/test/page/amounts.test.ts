import { expect, test } from 'vitest';
import { browserTests } from './support/browser.ts';
import { pageModel, states } from './support/models.ts';

const open = browserTests();

/** The largest amounts that payers meet, and the smallest units of crypto currencies. */
const AMOUNTS: readonly (readonly [currency: string, text: string])[] = [
  ...'AED ARS AUD BDT BGN BOB BRL CAD CHF CNY COP CRC CZK DKK DOP EGP EUR GBP GEL GHS GTQ HKD HUF IDR ILS INR KES KZT MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN RON SAR SEK SGD THB TRY TZS UAH UYU USD ZAR'
    .split(' ')
    .map((currency): [string, string] => [currency, '1234567890.00']),
  ...'CLP JPY KRW PYG UGX VND'.split(' ').map((currency): [string, string] => [currency, '9999999999']),
  ...'BHD KWD OMR TND'.split(' ').map((currency): [string, string] => [currency, '1234567.890']),
  ['BTC', '0.00000001'],
  ['BTC', '1234567.12345678'],
  ['USDT', '1234567890.12345678'],
  ['ETH', '0.003125000000000001'],
];

test('an amount of any of sixty currencies is one line at 320 pixels, inside the page', async (ctx) => {
  expect(new Set(AMOUNTS.map(([currency]) => currency)).size).toBeGreaterThanOrEqual(60);
  const { page, server } = await open(ctx, { width: 320 });
  const broken: string[] = [];
  for (const [currency, text] of AMOUNTS) {
    await page.goto(server.url(server.serve(pageModel(states['ask-nothing'], { amount: { currency, text } }))));
    const seen = await page.locator('.amount bdi').evaluate((amount) => {
      const range = document.createRange();
      range.selectNodeContents(amount);
      const boxes = [...range.getClientRects()];
      return {
        lines: new Set(boxes.map(({ top }) => Math.round(top))).size,
        right: Math.max(...boxes.map(({ right }) => right)),
        size: Number(getComputedStyle(amount).fontSize.replace('px', '')),
        wide: document.documentElement.scrollWidth,
      };
    });
    const isWhole = seen.lines === 1 && seen.right <= 320 - 16 && seen.wide <= 320 && seen.size >= 14;
    if (!isWhole) broken.push(`${currency} ${text}: ${JSON.stringify(seen)}`);
  }
  expect(broken).toEqual([]);
});
