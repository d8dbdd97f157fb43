import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browserTests, soon } from './support/browser.ts';
import { pageModel, type StateName, states } from './support/models.ts';

const open = browserTests();

/** The form that is open: other methods of a list may have a form of one button in their rows. */
const openForm = (page: Page) => page.locator('main form:not(.methods > li:not(.open) > form)').first();

/** The middle of the button that sends the form. */
async function middle(page: Page) {
  const button = openForm(page).locator('button.primary');
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error('The page has no button.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** As a person presses: down, a moment in which the page is drawn, and up at the same place. */
async function pressWithMouse(page: Page): Promise<void> {
  const { x, y } = await middle(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await drawn(page);
  await page.mouse.up();
}

async function touch(page: Page): Promise<void> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const point = await middle(page);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await drawn(page);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** The entries of a form, of which the last is wrong and still has the focus. */
const FORMS: readonly (readonly [StateName, (page: Page) => Promise<void>])[] = [
  [
    'card',
    async (page) => {
      await page.getByLabel('Card number').fill('4111111111111111');
      await page.getByLabel('Expiry Date').fill('1238');
      await page.getByLabel('Security code').fill('123');
      await page.getByLabel('Name on card').pressSequentially('Madonna');
    },
  ],
  ['ask', (page) => page.getByLabel('E-mail').fill('maria')],
  [
    'amount',
    async (page) => {
      await page.getByLabel('Amount').fill('1');
      await page.getByLabel('Amount').fill('');
    },
  ],
  [
    'next-action',
    async (page) => {
      await page.getByLabel('Code').fill('1');
      await page.getByLabel('Code').fill('');
    },
  ],
];

describe('a press on the button while the last entry is wrong', () => {
  for (const [way, press] of [
    ['mouse', pressWithMouse],
    ['finger', touch],
  ] as const)
    test.for(FORMS)(`by ${way} sends the form %s, which says what is wrong`, async ([state, type], ctx) => {
      const { page, server, complaints } = await open(ctx, { width: 360, hasTouch: true });
      await page.goto(server.url(server.serve(pageModel(states[state]))));
      await page.evaluate(() => {
        addEventListener('submit', () => document.body.setAttribute('data-pressed', 'true'), { capture: true });
      });
      await type(page);
      await press(page);
      await soon(() => page.locator('body').getAttribute('data-pressed')).toBe('true');
      await soon(() => page.locator(':focus').getAttribute('aria-invalid')).toBe('true');
      expect(complaints).toEqual([]);
    });

  test('by nothing at all says it when the field is left with Tab', async (ctx) => {
    const { page, server } = await open(ctx);
    await page.goto(server.url(server.serve(pageModel(states.card))));
    await page.getByLabel('Name on card').pressSequentially('Madonna');
    await page.keyboard.press('Tab');
    await soon(() => page.getByLabel('Name on card').getAttribute('aria-invalid')).toBe('true');
  });

  test('by nothing at all is silent about one word that may be the whole name on a card', async (ctx) => {
    const { page, server } = await open(ctx);
    const card = { ...states.card.card, oneWordName: true as const };
    await page.goto(server.url(server.serve(pageModel({ ...states.card, card }))));
    const name = page.getByLabel('Name on card');
    for (const [typed, wrong] of [
      ['Suharto 2', 'true'],
      ['Suharto', 'false'],
    ] as const) {
      await name.fill(typed);
      await page.keyboard.press('Tab');
      await soon(() => name.getAttribute('aria-invalid')).toBe(wrong);
    }
  });
});

describe('a form without a connection', () => {
  test.for(['card', 'secret', 'ask-nothing', 'amount', 'next-action'] as const)(
    '%s stays with its entries, says so, and is sent after the return',
    async (state, ctx) => {
      const { page, server } = await open(ctx, { mayFail: true });
      const served = server.serve(pageModel(states[state]));
      await page.goto(server.url(served));
      const inputs = openForm(page).locator('input:not([type=hidden])');
      if (state === 'card') {
        await page.getByLabel('Card number').fill('4111111111111111');
        await page.getByLabel('Expiry Date').fill('1238');
        await page.getByLabel('Security code').fill('123');
        await page.getByLabel('Name on card').fill('Ada Example');
      } else if (state !== 'ask-nothing') await inputs.fill('123456');
      const entered = await inputs.evaluateAll((all) =>
        all.map((each) => (each instanceof HTMLInputElement ? each.value : '')),
      );
      const button = openForm(page).getByRole('button');
      await page.context().setOffline(true);
      await button.click();
      await page.getByRole('alert').filter({ hasText: 'You are offline. Nothing was sent.' }).first().waitFor();
      expect(
        await inputs.evaluateAll((all) => all.map((each) => (each instanceof HTMLInputElement ? each.value : ''))),
      ).toEqual(entered);
      await page.context().setOffline(false);
      await button.click();
      await soon(
        () =>
          served.seen.some(({ path }) => ['pay', 'answer', 'change', 'check'].includes(path)) ||
          page.url().includes('order.amount'),
      ).toBe(true);
    },
  );

  test('stays where the browser believes that it has one', async (ctx) => {
    const { page, server } = await open(ctx, { mayFail: true });
    const served = server.serve(pageModel(states.secret));
    await page.goto(server.url(served));
    await page.getByLabel('Voucher PIN').fill('123456');
    await page.route('**/check', (route) => route.abort('connectionfailed'));
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('alert').filter({ hasText: 'You are offline. Nothing was sent.' }).waitFor();
    expect(await page.getByLabel('Voucher PIN').inputValue()).toBe('123456');
    expect(served.seen.some(({ path }) => path === 'pay')).toBe(false);
  });
});
