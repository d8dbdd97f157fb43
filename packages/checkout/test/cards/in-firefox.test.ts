import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CardService, cardPage, cardService } from '../support/card-service.ts';
import { BROWSERS, inputOf, play, typingPages } from '../page/support/typing.ts';

const newPage = typingPages(BROWSERS[1]);
let service: CardService;
beforeAll(async () => {
  service = await cardService();
});
afterAll(() => service.stop());

test.for(['01/38', '01 / 38', '01-38', '01.38'])(
  'a card is paid with in Firefox where its date is typed as "%s"',
  async (date, ctx) => {
    const page = await newPage(ctx);
    const address = await cardPage(service);
    await page.goto(address);
    for (const [name, text] of [
      ['number', '4111111111111111'],
      ['expiry', date],
      ['cvv', '123'],
      ['name', 'José Muñoz'],
    ] as const)
      await play(page, await inputOf(page, `card.${name}`), text);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Payment complete');
    expect(service.provider.asked.filter(({ return_url }) => return_url.startsWith(address))).toMatchObject([
      { card: { number: '4111111111111111', cvv: '123' } },
    ]);
  },
);
