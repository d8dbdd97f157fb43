import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS, typingPages } from '../page/support/typing.ts';
import { type ManyMethodsService, manyMethodsService, sessionOf } from '../support/many-methods-service.ts';

let service: ManyMethodsService;
beforeAll(async () => {
  service = await manyMethodsService();
});
afterAll(() => service?.stop());

const heading = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.querySelector('h1')?.textContent?.trim() === wanted, {}, text);

/** The names in the list, the open one by its heading, in order. */
const rows = (page: Page): Promise<readonly string[]> =>
  page.$$eval('.methods > li', (all) =>
    all.map((each) => (each.querySelector('.names > bdi, h1')?.textContent ?? '').trim()),
  );

const charges = () => service.pix.ledger.length;

describe.each(BROWSERS)('in $name', (browser) => {
  const newPage = typingPages(browser);

  // Firefox cannot be told to run no scripts over WebDriver BiDi.
  describe.each(browser.name === 'Chromium' ? [true, false] : [true])('with scripts: %s', (scripts) => {
    test('a method opens in its place in the list, and the others stay beside it', async (ctx) => {
      const page = await newPage(ctx);
      if (!scripts) await page.setJavaScriptEnabled(false);
      const { page: address } = await sessionOf(service, ['pix', 'card', 'online-bank-transfer']);
      await page.goto(address);
      expect(await rows(page)).toEqual(['Pix', 'Card', 'Online bank transfer']);
      await page.click('.methods li:nth-child(2) a');
      await heading(page, 'Pay with Card');
      expect(await rows(page)).toEqual(['Pix', 'Pay with Card', 'Online bank transfer']);
      expect(await page.$$eval('.open input[name="card.number"]', (all) => all.length)).toBe(1);
      expect(new URL(page.url()).hash).toBe(scripts ? '' : '#chosen');
    });

    test('a method with nothing to enter is paid by the button in its row, once', async (ctx) => {
      const page = await newPage(ctx);
      if (!scripts) await page.setJavaScriptEnabled(false);
      const { page: address } = await sessionOf(service, ['card', 'pix']);
      await page.goto(address);
      const before = charges();
      expect(
        await page.$eval('.methods button', (button) => button.textContent?.replaceAll(/\s+/g, ' ').trim()),
      ).toMatch(/^Pix: Pay BRL\s10\.00$/);
      await page.click('.methods button');
      await heading(page, 'Scan to pay');
      expect(charges()).toBe(before + 1);
    });
  });
  // With scripts such a form is not sent.
  if (browser.name === 'Chromium')
    test('without scripts a refused form low in a long list says at the top of the page which entries are wrong', async (ctx) => {
      const page = await newPage(ctx);
      await page.setViewport({ width: 320, height: 480 });
      const { page: address } = await sessionOf(service, ['pix', 'online-bank-transfer', 'card']);
      await page.setJavaScriptEnabled(false);
      await page.goto(`${address}?method=card#chosen`);
      const typed = { number: '4111 1111 1111 1112', expiry: '12 / 38', cvv: '123', name: 'Ada Example' };
      for (const [name, text] of Object.entries(typed)) await page.type(`[name="card.${name}"]`, text);
      await Promise.all([page.waitForNavigation(), page.click('.open form button.primary')]);
      const { top, bottom } = await page.$eval('.summary', (summary) => summary.getBoundingClientRect().toJSON());
      expect([top >= 0, bottom <= 480]).toEqual([true, true]);
    });
});

const listOf = async (change: Parameters<typeof sessionOf>[2], methods: readonly string[] = []) => {
  const { page } = await sessionOf(service, methods, change);
  const text = await (await fetch(page)).text();
  const names = [...text.matchAll(/class="names"\s*><bdi>([^<]+)/g)].map(([, name]) => name);
  return names.filter((name) => name === 'Card' || name === 'Pix');
};

describe('the methods of a payer’s own country come first', () => {
  test.each([
    ['no country', {}, ['Card', 'Pix']],
    ['the United States as the billing country', { billing_address: { country: 'US' } }, ['Card', 'Pix']],
    ['Brazil as the billing country', { billing_address: { country: 'BR' } }, ['Pix', 'Card']],
    ['a phone of Brazil', { billing_address: { phone: '+5511987654321' } }, ['Pix', 'Card']],
  ])('for a session with %s', async (_what, change, names) => {
    expect(await listOf(change)).toEqual(names);
  });

  test('unless the request names methods: its order stays', async () => {
    expect(await listOf({ billing_address: { country: 'BR' } }, ['card', 'pix'])).toEqual(['Card', 'Pix']);
  });
});
