import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cardBrowser, type CardWindow, pay, typeCard } from '../support/card-browser.ts';
import { cardPage, payByCard } from '../support/card-service.ts';

const open = cardBrowser();

/** How the payer goes on to his bank, by link or by form. */
const onward = (page: Page) =>
  page.getByRole('link', { name: 'Continue' }).or(page.getByRole('button', { name: 'Continue' }));

/** Everything that a browser keeps of a page, and every address that it asked for. */
const keptIn = async ({ page, context, addresses }: CardWindow): Promise<string> =>
  JSON.stringify([
    await context.storageState({ indexedDB: true }),
    await page.evaluate(() => [JSON.stringify({ ...sessionStorage }), JSON.stringify(history.state), document.cookie]),
    addresses,
  ]);

const asked = ({ service }: CardWindow, address: string) =>
  service.provider.asked.filter(({ return_url }) => return_url.startsWith(address));

describe('a card that is typed into the page', () => {
  test.for([true, false])('pays, with scripts: %s', async (scripts, ctx) => {
    const window = await open(ctx, scripts);
    const address = await cardPage(window.service);
    await window.page.goto(address);
    await typeCard(window.page);
    if (scripts) {
      expect(await window.page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111');
      expect(await window.page.getByLabel('Expiry Date').inputValue()).toBe('01 / 38');
      expect(await window.page.locator('.brand').innerText()).toBe('Visa');
    }
    await pay(window.page);
    await window.page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(asked(window, address)).toMatchObject([{ card: { number: '4111111111111111', cvv: '123' } }]);
    expect(window.complaints).toEqual([]);
  });

  test('is charged once for twenty clicks in a second', async (ctx) => {
    const window = await open(ctx);
    const address = await cardPage(window.service);
    await window.page.goto(address);
    await typeCard(window.page);
    await window.page.getByRole('button', { name: /^Pay/ }).evaluate((button) => {
      for (let click = 0; click < 20; click += 1) if (button instanceof HTMLElement) button.click();
    });
    await window.page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(asked(window, address)).toHaveLength(1);
  });

  test('is charged once in two tabs', async (ctx) => {
    const window = await open(ctx);
    const address = await cardPage(window.service);
    const tabs = [window.page, await window.context.newPage()];
    for (const tab of tabs) await tab.goto(address);
    for (const tab of tabs) await typeCard(tab);
    // At once, because the page that says so leads on to the shop after some seconds.
    const complete = tabs.map((tab) => tab.getByRole('heading', { name: 'Payment complete' }).waitFor());
    await Promise.all([...tabs.map((tab) => pay(tab)), ...complete]);
    expect(asked(window, address)).toHaveLength(1);
  });

  test('is charged once after Back and the same form again, and Back shows neither number nor code', async (ctx) => {
    const window = await open(ctx);
    const { page } = window;
    const address = await cardPage(window.service);
    await page.goto(address);
    await typeCard(page, { expiry: '0538' });
    await pay(page);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    await page.goBack();
    await onward(page).waitFor();
    expect(await page.content()).not.toMatch(/4111 ?1111|value="123"/);
    // The form itself is no longer there: its address leads to the bank.
    await page.goBack();
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    expect((await payByCard(address)).status).toBe(303);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(asked(window, address)).toHaveLength(1);
  });

  test('leaves nothing in the browser', async (ctx) => {
    const window = await open(ctx);
    const { page } = window;
    const address = await cardPage(window.service);
    await page.goto(address);
    await typeCard(page, { number: '5555555555554444', expiry: '0238', cvv: '987' });
    await pay(page);
    await page.getByRole('heading', { name: 'Payment declined' }).waitFor();
    expect(await keptIn(window)).not.toMatch(/5555 ?5555|(?<![\w-])987(?![\w-])/);
    await page.getByRole('link', { name: 'Try again' }).click();
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    expect(await page.getByLabel('Security code').inputValue()).toBe('');
    await page.goBack();
    await page.goBack();
    expect(await page.content()).not.toMatch(/5555 ?5555/);
  });

  test.for([
    ['its local storage', "localStorage.setItem('a', secret)"],
    ['its session storage', "sessionStorage.setItem('a', secret)"],
    ['a cookie', "document.cookie = 'a=' + secret"],
    ['its history', "history.replaceState({ a: secret }, '')"],
    ['an address', "fetch('/health?a=' + secret).then(() => undefined)"],
    [
      'a database of its own',
      `new Promise((resolve, reject) => {
        const opening = indexedDB.open('a', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('b').put(secret, 'c');
        opening.onsuccess = () => resolve(undefined);
        opening.onerror = () => reject(opening.error);
      })`,
    ],
  ])('would be found in %s', async ([_place, write], ctx) => {
    const window = await open(ctx);
    await window.page.goto(await cardPage(window.service));
    expect(await keptIn(window)).not.toContain('5555555555554444');
    await window.page.evaluate(`(async (secret) => { await (${write}); })('5555555555554444')`);
    expect(await keptIn(window)).toContain('5555555555554444');
  });

  test('can be entered and paid with the keyboard alone', async (ctx) => {
    const window = await open(ctx);
    const { page } = window;
    const address = await cardPage(window.service);
    await page.goto(address);
    const keys = ['4111111111111112', '0138', '123', 'Ada Example'];
    for (const text of keys) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    const number = page.getByLabel('Card number');
    expect(await number.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await page.locator('[data-problem]:visible').innerText()).toContain('Invalid card number');
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('1');
    expect(await number.getAttribute('aria-invalid')).toBe('false');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(asked(window, address)).toHaveLength(1);
    expect(window.complaints).toEqual([]);
  });

  test('that is pasted or corrected in the middle keeps its caret', async (ctx) => {
    const { page, service } = await open(ctx);
    await page.goto(await cardPage(service));
    const number = page.getByLabel('Card number');
    const caret = () => number.evaluate((one) => (one instanceof HTMLInputElement ? one.selectionStart : null));
    await number.fill('3782-8224 6310-005');
    expect(await number.inputValue()).toBe('3782 822463 10005');
    expect(await page.locator('.brand').innerText()).toBe('American Express');
    await number.press('Home');
    for (let step = 0; step < 6; step += 1) await number.press('ArrowRight');
    await number.press('Delete');
    expect([await number.inputValue(), await caret()]).toEqual(['3782 824631 0005', 6]);
    await number.pressSequentially('2');
    expect([await number.inputValue(), await caret()]).toEqual(['3782 822463 10005', 7]);
  });
});

describe('3-D Secure', () => {
  test.for([
    ['by form, paid', '0538', 'Payment complete'],
    ['by form, declined', '0638', 'Payment declined'],
    ['by address, paid', '1238', 'Payment complete'],
    ['by address, declined', '1239', 'Payment declined'],
  ] as const)('%s', async ([_name, expiry, heading], ctx) => {
    const window = await open(ctx);
    const { page, service } = window;
    const address = await cardPage(service);
    await page.goto(address);
    await typeCard(page, { expiry });
    await pay(page);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    // Whoever loads a page again on the way is where he was, and is charged no second time.
    await page.reload();
    await page.goto(address);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    await page.goBack();
    await onward(page).waitFor();
    await page.reload();
    await onward(page).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(asked(window, address)).toHaveLength(1);
    expect(window.complaints).toEqual([]);
  });

  test('pays without scripts', async (ctx) => {
    const window = await open(ctx, false);
    const address = await cardPage(window.service);
    await window.page.goto(address);
    await typeCard(window.page, { expiry: '05/38' });
    await pay(window.page);
    await window.page.getByRole('button', { name: 'Continue' }).click();
    await window.page.getByRole('button', { name: 'Confirm' }).click();
    await window.page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(asked(window, address)).toHaveLength(1);
  });
});
