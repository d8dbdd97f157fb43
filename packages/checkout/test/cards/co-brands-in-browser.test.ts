import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogues } from '../../src/page/texts/index.ts';
import { BROWSERS, inputOf, play, typingPages } from '../page/support/typing.ts';
import { typeCard } from '../support/card-browser.ts';
import { type CardService, cardPage, cardService, payByCard } from '../support/card-service.ts';
import { CO_BRANDED, CO_BRANDED_CARD, CO_BRANDS } from '../support/co-brands.ts';
import { faultsAtEachWidth } from '../support/page-faults.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const start = () => cardService({}, CO_BRANDS);

/** The networks that the page offers, the chosen one with a mark. */
const offered = (page: Page): Promise<string[]> =>
  page.$$eval('input[name="card.brand"]', (all) =>
    all.flatMap((each) =>
      each instanceof HTMLInputElement && each.checkVisibility()
        ? [`${each.parentElement?.textContent?.trim()}${each.checked ? ' ✓' : ''}`]
        : [],
    ),
  );

describe.each(BROWSERS)('the page in $name', (browser) => {
  const newPage = typingPages(browser);
  let service: CardService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  test('offers the networks as the number is typed, the merchant’s choice first, and sends nothing meanwhile', async (ctx) => {
    const page = await newPage(ctx);
    await page.goto(await cardPage(service));
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    const number = await inputOf(page, 'card.number');
    await play(page, number, CO_BRANDED.slice(0, 7));
    expect(await offered(page)).toEqual([]);
    await play(page, number, CO_BRANDED.slice(7, 8));
    expect(await offered(page)).toEqual(['Cartes Bancaires ✓', 'Visa']);
    expect(await page.$eval('.brand', ({ textContent }) => textContent)).toBe('Cartes Bancaires');
    await play(page, number, '<Backspace>');
    expect(await offered(page)).toEqual([]);
    await play(page, number, CO_BRANDED.slice(7, 8));
    await page.click('label:has(input[value="visa"])');
    await play(page, number, '<End><Backspace>');
    expect(await offered(page)).toEqual([]);
    await play(page, number, CO_BRANDED.slice(7, 8));
    expect(await offered(page)).toEqual(['Cartes Bancaires', 'Visa ✓']);
    expect(sent).toEqual([]);
  });

  test.for(['keyboard', 'pointer'])('pays by the network that is chosen with the %s', async (by, ctx) => {
    const page = await newPage(ctx);
    await page.goto(await cardPage(service));
    await play(page, await inputOf(page, 'card.number'), CO_BRANDED);
    if (by === 'keyboard') {
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.type('0138');
    } else {
      await page.click('label:has(input[value="visa"])');
      await play(page, await inputOf(page, 'card.expiry'), '0138');
    }
    expect(await offered(page)).toEqual(['Cartes Bancaires', 'Visa ✓']);
    await play(page, await inputOf(page, 'card.cvv'), '123');
    await play(page, await inputOf(page, 'card.name'), 'Ada Example');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Payment complete');
    expect(service.provider.asked.at(-1)?.card).toMatchObject({
      number: CO_BRANDED,
      brand: 'visa',
      co_branded: true,
    });
  });

  test('names the choice for a screen reader, and fits into 320 pixels from right to left', async (ctx) => {
    const page = await newPage(ctx);
    await page.setViewport({ width: 320, height: 640 });
    await page.goto(await cardPage(service, { billing_address: { language: 'ar' } }));
    await play(page, await inputOf(page, 'card.number'), CO_BRANDED);
    expect(await offered(page)).toEqual(['Cartes Bancaires ✓', 'Visa']);
    expect(
      await page.$eval('fieldset', (group) => [
        group.querySelector('legend')?.textContent,
        group.parentElement?.getAttribute('aria-live'),
        getComputedStyle(group).direction,
        document.documentElement.scrollWidth - innerWidth <= 0,
      ]),
    ).toEqual([catalogues.ar.own.labels?.fields['card.brand'], 'polite', 'rtl', true]);
  });
});

describe('the choice of a network on the page', () => {
  const open = serviceBrowser(start);

  test.for(['en', 'ar'])('with scripts has no fault that axe finds beside the choice: %s', async (language, ctx) => {
    const { page, service } = await open(ctx);
    await page.goto(await cardPage(service, { billing_address: { language } }));
    expect(await page.locator('fieldset').isVisible()).toBe(false);
    await page.locator('[name="card.number"]').pressSequentially(CO_BRANDED);
    await page.locator('fieldset').waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
  });

  test('is hidden before its script has run, and has the networks of a saved card', async (ctx) => {
    const { page, service } = await open(ctx);
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(await cardPage(service));
    expect(await page.locator('fieldset').isVisible()).toBe(false);
    await page.unroute('**/*.js');
    await payByCard(await cardPage(service, { req_token: true }), CO_BRANDED_CARD);
    const { fields } = await service.shop.until(({ fields: told }) => told.card_token !== undefined);
    await page.goto(await cardPage(service, { card_token: [fields.card_token] }));
    await page.getByLabel('Visa').check();
    await page.locator('[name="card.cvv"]').fill('123');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(service.provider.asked.at(-1)?.card).toMatchObject({ brand: 'visa', co_branded: true, stored: true });
  });

  test('without scripts offers every network, and refuses one that the card has not, which is then chosen no more', async (ctx) => {
    const { page, service } = await open(ctx, false);
    await page.goto(await cardPage(service));
    await typeCard(page, { number: '4111111111111111' });
    await page.getByLabel('Cartes Bancaires').check();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.locator('#field-card\\.brand-problem:visible').waitFor();
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    await typeCard(page, { number: CO_BRANDED });
    await page.getByLabel('Visa').check();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(service.provider.asked.at(-1)?.card).toMatchObject({ number: CO_BRANDED, brand: 'visa' });
  });
});
