import { describe, expect, test } from 'vitest';
import { BROWSERS } from '../page/support/typing.ts';
import { cardCanary } from '../support/card-canary.ts';
import { fieldsBrowser, listOf, typeCard, untilSays } from '../support/fields-browser.ts';

describe.each(BROWSERS)('a number and a code that are typed in $name', (browser) => {
  const open = fieldsBrowser(browser);

  test('stand in no message, no event, no log and no column', async (ctx) => {
    const { number, code, hasNumber, hasCode, hasCodeGiven } = cardCanary();
    const { page, goToShop, charged, shop, readWritten } = await open(ctx);
    const told: unknown[] = [];
    for (const layout of ['form', 'fields'] as const) {
      const token = await goToShop({ layout });
      await page.type('#name', 'Canaria Amarela');
      await typeCard(page, layout, { number, expiry: '0138', cvv: code });
      await page.click('button');
      await untilSays(page, 'paid');
      expect(charged(token)).toMatchObject([{ card: { number, cvv: code } }]);
      const [messages, events, results] = [
        await listOf(page, 'messages'),
        await listOf(page, 'events'),
        await listOf(page, 'results'),
      ];
      expect([messages.length > 0, events.length > 0, results.length]).toEqual([true, true, 1]);
      told.push(messages, events, results, shop.got, page.url(), await page.content());
    }
    const text = JSON.stringify(told);
    expect([hasNumber(text), hasCodeGiven(text)]).toEqual([false, false]);
    const written = await readWritten();
    expect(written.length).toBeGreaterThan(20);
    expect(written.filter((each) => hasNumber(each) || hasCode(each))).toEqual([]);
  });
});
