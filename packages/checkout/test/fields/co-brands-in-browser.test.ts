import { describe, expect, test } from 'vitest';
import { BROWSERS } from '../page/support/typing.ts';
import { CO_BRANDED, CO_BRANDS } from '../support/co-brands.ts';
import {
  faultsOf,
  fieldsBrowser,
  frameOf,
  inputIn,
  KEYS,
  type Layout,
  listOf,
  LONG,
  typeCard,
  untilFocused,
  untilSays,
} from '../support/fields-browser.ts';

type Page = Awaited<ReturnType<ReturnType<typeof fieldsBrowser>>>['page'];

/** The networks that the frame of the number offers, the chosen one with a mark. */
const offered = async (page: Page, layout: Layout): Promise<string[]> =>
  (await inputIn(page, layout, 'number')).evaluate(({ ownerDocument }) =>
    [...ownerDocument.querySelectorAll<HTMLInputElement>('input[name="card.brand"]')].flatMap((each) =>
      each.checkVisibility() ? [`${each.parentElement?.textContent?.trim()}${each.checked ? ' ✓' : ''}`] : [],
    ),
  );

const lastChange = async (page: Page) => {
  const changes = await listOf(page, 'events');
  return changes.filter((each) => Array.isArray(each) && each[0] === 'card' && each[1] === 'change').at(-1);
};

describe.each(BROWSERS)('hosted fields with a co-branded card in $name', (browser) => {
  const open = fieldsBrowser(browser, CO_BRANDS);

  test.for(['form', 'fields'] as const)(
    'tell the networks, and pay by the one that is chosen with the keyboard, in the layout %s',
    async (layout, ctx) => {
      const { page, goToShop, charged, complaints } = await open(ctx);
      const token = await goToShop({ layout });
      await page.type('#name', 'Ada Example');
      await typeCard(page, layout, { number: CO_BRANDED });
      expect(await offered(page, layout)).toEqual(['Cartes Bancaires ✓', 'Visa']);
      const brands = ['cartes_bancaires', 'visa'];
      await expect
        .poll(() => lastChange(page), LONG)
        .toMatchObject(['card', 'change', { brand: 'cartes_bancaires', brands, valid: true }]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await expect
        .poll(() => lastChange(page), LONG)
        .toMatchObject(['card', 'change', { brand: 'visa', brands, valid: true }]);
      expect(await offered(page, layout)).toEqual(['Cartes Bancaires', 'Visa ✓']);
      await page.keyboard.press('Tab');
      await untilFocused(page, layout, 'expiry');
      await typeCard(page, layout, { expiry: KEYS.expiry, cvv: KEYS.cvv });
      await page.click('button');
      await untilSays(page, 'paid');
      expect(charged(token)).toMatchObject([{ card: { number: CO_BRANDED, brand: 'visa', co_branded: true } }]);
      const told = JSON.stringify([await listOf(page, 'messages'), await listOf(page, 'events')]);
      expect(told.replaceAll(/[^\d]/g, '')).not.toContain(CO_BRANDED.slice(0, 8));
      expect(complaints).toEqual([]);
    },
  );

  test.for(['form', 'fields'] as const)(
    'grow with the choice in 320 pixels from right to left, in the layout %s',
    async (layout, ctx) => {
      const { page, goToShop } = await open(ctx);
      await page.setViewport({ width: 320, height: 640 });
      await goToShop({ layout, language: 'ar' });
      const height = () =>
        page.$eval(`#${layout === 'form' ? 'form' : 'card'} iframe`, ({ clientHeight }) => clientHeight);
      const before = await height();
      await typeCard(page, layout, { number: CO_BRANDED });
      await expect.poll(height, LONG).toBeGreaterThan(before);
      const number = await inputIn(page, layout, 'number');
      await expect
        .poll(
          () =>
            number.evaluate(() => {
              const { scrollWidth, scrollHeight, dir } = document.documentElement;
              return [scrollWidth <= innerWidth, scrollHeight <= innerHeight, dir];
            }),
          LONG,
        )
        .toEqual([true, true, 'rtl']);
      const frame = await frameOf(page, layout === 'form' ? 'form' : 'card');
      expect(await faultsOf(frame, ['page-has-heading-one'])).toEqual([]);
      expect(await frame.$eval('legend', (legend) => legend.getBoundingClientRect().width)).toBeGreaterThan(10);
    },
  );
});
