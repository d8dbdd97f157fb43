import { describe, expect, test } from 'vitest';
import { catalogues } from '../../src/page/texts/index.ts';
import { BROWSERS } from '../page/support/typing.ts';
import {
  fieldsBrowser,
  frameOf,
  inputIn,
  KEYS,
  listOf,
  LONG,
  statusOf,
  typeCard,
  untilFocused,
  untilSays,
} from '../support/fields-browser.ts';

const LAYOUTS = ['form', 'fields'] as const;

describe.each(BROWSERS)('hosted fields in $name', (browser) => {
  const open = fieldsBrowser(browser);

  test.for(LAYOUTS)(
    'pay a card in the layout %s, and the shop’s page sees neither number nor code',
    async (layout, ctx) => {
      const { page, goToShop, charged, complaints, shop } = await open(ctx);
      const token = await goToShop({ layout });
      await page.type('#name', 'Ada Example');
      await typeCard(page, layout, { ...KEYS, cvv: '987' });
      await page.click('button');
      await untilSays(page, 'paid');
      expect(charged(token)).toMatchObject([
        {
          card: { number: '4111111111111111', expiry: '01/2038', cvv: '987', holder: 'Ada Example' },
          client: {
            screenWidth: await page.evaluate(() => screen.width),
            userAgent: await page.evaluate(() => navigator.userAgent),
          },
        },
      ]);
      expect(await listOf(page, 'results')).toEqual([
        { result: 'success', message: '', card: { brand: 'visa', last_four: '1111' } },
      ]);
      const told = JSON.stringify([await listOf(page, 'messages'), await listOf(page, 'events'), shop.got]);
      expect(told).not.toMatch(/4111\D?1111\D?1111/);
      expect(told).not.toContain('987');
      expect(complaints).toEqual([]);
    },
  );

  test.for(LAYOUTS)('pay by the keyboard alone in the layout %s', async (layout, ctx) => {
    const { page, goToShop, charged } = await open(ctx);
    const token = await goToShop({ layout });
    await page.focus('#name');
    await page.keyboard.type('Ada Example');
    for (const input of ['number', 'expiry', 'cvv'] as const) {
      await page.keyboard.press('Tab');
      await untilFocused(page, layout, input);
      await page.keyboard.type(KEYS[input]);
    }
    await page.keyboard.press('Enter');
    await untilSays(page, 'paid');
    expect(charged(token)).toMatchObject([{ card: { number: '4111111111111111', cvv: '123' } }]);
  });

  test.for(LAYOUTS)(
    'go to the bank by a redirect and come back to return_url in the layout %s',
    async (layout, ctx) => {
      const { page, goToShop, shop, charged } = await open(ctx);
      const token = await goToShop({ layout });
      await page.type('#name', 'Ada Example');
      await typeCard(page, layout, { ...KEYS, expiry: '0538' });
      await page.click('button');
      await page.waitForFunction(() => document.title === 'Bank', LONG);
      await page.click('button');
      await page.waitForFunction(() => document.title === 'Back at the shop', LONG);
      expect(page.url()).toMatch(/\/return\?a=1&payment_id=.+&trans_id=.+&order_id=.+&hash=/);
      expect(shop.got.some((line) => line.startsWith('GET /return?a=1&payment_id='))).toBe(true);
      expect(charged(token)).toMatchObject([{ status: 'PAID' }]);
    },
  );

  test.for([
    ['paid', '0538', 'by a form'],
    ['paid', '1238', 'by its address'],
    ['declined: ', '0638', 'and are refused'],
  ] as const)('show the bank’s page in a frame, and say %s (%s, %s)', async ([says, expiry], ctx) => {
    const { page, goToShop, complaints } = await open(ctx);
    await goToShop({ layout: 'form', framed: true });
    await page.type('#name', 'Ada Example');
    await typeCard(page, 'form', { ...KEYS, expiry });
    await page.click('button');
    const bank = await page.waitForFrame((frame) => frame.url().includes('/acs'), LONG);
    await (await bank.waitForSelector('button', LONG))?.click();
    await untilSays(page, says);
    expect(await page.$('#bank iframe')).toBeNull();
    expect(complaints).toEqual([]);
  });

  test('say that a card is declined, and pay with another', async (ctx) => {
    const { page, goToShop, charged } = await open(ctx);
    const token = await goToShop({ layout: 'form' });
    await page.type('#name', 'Ada Example');
    await typeCard(page, 'form', { ...KEYS, expiry: '0238' });
    await page.click('button');
    await untilSays(page, 'declined: Your card was declined.');
    await page.evaluate(() => Reflect.get(window, 'fields').clear());
    await expect
      .poll(async () => (await inputIn(page, 'form', 'number')).evaluate(({ value }) => value), LONG)
      .toBe('');
    await typeCard(page, 'form');
    await page.click('button');
    await untilSays(page, 'paid');
    expect(charged(token)).toHaveLength(2);
  });

  test.for(LAYOUTS)(
    'say what is wrong, at the field that has the focus then, in the layout %s',
    async (layout, ctx) => {
      const { page, goToShop, charged } = await open(ctx);
      const token = await goToShop({ layout });
      await page.type('#name', 'Ada Example');
      await typeCard(page, layout, { ...KEYS, expiry: '0120' });
      await page.click('button');
      await untilSays(page, 'not sent: The expiration date');
      expect(await listOf(page, 'results')).toMatchObject([{ result: 'error', code: 'invalid', field: 'expiry' }]);
      const expiry = await inputIn(page, layout, 'expiry');
      await expect
        .poll(() => expiry.evaluate((one) => one === document.activeElement && document.hasFocus()), LONG)
        .toBe(true);
      expect(
        await expiry.evaluate((one) => [one.getAttribute('aria-invalid'), one.getAttribute('aria-describedby')]),
      ).toEqual(['true', 'field-card.expiry-help field-card.expiry-problem']);
      expect(charged(token)).toEqual([]);
    },
  );

  test.for(LAYOUTS)(
    'are written in Arabic, from right to left, in 320 pixels, in the layout %s',
    async (layout, ctx) => {
      const { page, goToShop, charged } = await open(ctx);
      await page.setViewport({ width: 320, height: 640 });
      const token = await goToShop({ layout, language: 'ar' });
      const frame = await frameOf(page, layout === 'form' ? 'form' : 'cvv');
      expect(await frame.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
        'ar',
        'rtl',
      ]);
      await page.type('#name', 'Ada Example');
      await typeCard(page, layout, { number: '٤١١١١١١١١١١١١١١١', expiry: '٠١٣٨', cvv: '١' });
      await page.click('button');
      await untilSays(page, `not sent: ${catalogues.ar.own.messages.cardCode}`);
      for (const each of [page.mainFrame(), frame])
        expect(await each.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await typeCard(page, layout, { cvv: '٢٣' });
      await page.click('button');
      await untilSays(page, 'paid');
      expect(charged(token)).toMatchObject([{ card: { number: '4111111111111111', expiry: '01/2038', cvv: '123' } }]);
    },
  );

  test.for(LAYOUTS)('tell the shop brand and validity as one types, in the layout %s', async (layout, ctx) => {
    const { page, goToShop } = await open(ctx);
    await goToShop({ layout });
    await typeCard(page, layout, { number: '378282246310005', expiry: '0138', cvv: '1234' });
    const last = async (name: string, type: string) =>
      (await listOf(page, 'events'))
        .filter((each) => Array.isArray(each) && each[0] === name && each[1] === type)
        .at(-1);
    await expect
      .poll(() => last('card', 'change'), LONG)
      .toMatchObject(['card', 'change', { brand: 'amex', valid: true, empty: false }]);
    // Four digits are right for this network alone: the number stands in another frame.
    await expect.poll(() => last('cvv', 'input'), LONG).toMatchObject(['cvv', 'input', { valid: true, empty: false }]);
    expect(await last('card', 'focus')).toMatchObject(['card', 'focus', { field: 'card' }]);
    expect(await last('expiry', 'blur')).toMatchObject(['expiry', 'blur', { valid: true }]);
    expect(await statusOf(page)).toBe('');
  });
});
