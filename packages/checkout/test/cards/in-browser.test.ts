import { describe, expect, test } from 'vitest';
import { cardBrowser, type CardWindow, pay, typeCard } from '../support/card-browser.ts';
import { cardPage } from '../support/card-service.ts';

const open = cardBrowser();

const asked = ({ service }: CardWindow, address: string) =>
  service.provider.asked.filter(({ return_url }) => return_url.startsWith(address));

describe('a card that is typed into the page', { timeout: 60_000 }, () => {
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
    await Promise.all(tabs.map((tab) => pay(tab)));
    for (const tab of tabs) await tab.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(asked(window, address)).toHaveLength(1);
  });

  test('is charged once after Back and another press, and Back shows neither number nor code', async (ctx) => {
    const window = await open(ctx);
    const address = await cardPage(window.service);
    await window.page.goto(address);
    await typeCard(window.page, { expiry: '0538' });
    await pay(window.page);
    await window.page.getByRole('button', { name: 'Confirm' }).waitFor();
    await window.page.goBack();
    await window.page.goBack();
    expect(await window.page.content()).not.toContain('4111');
    const number = window.page.getByLabel('Card number');
    if (await number.isVisible()) {
      expect(await number.inputValue()).toBe('');
      await typeCard(window.page);
      await pay(window.page);
    }
    await window.page
      .getByRole('link', { name: 'Continue' })
      .or(window.page.getByRole('button', { name: 'Continue' }))
      .click();
    await window.page.getByRole('button', { name: 'Confirm' }).click();
    await window.page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(asked(window, address)).toHaveLength(1);
  });
});

describe('3-D Secure', { timeout: 60_000 }, () => {
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
    await page.reload();
    await page
      .getByRole('link', { name: 'Continue' })
      .or(page.getByRole('button', { name: 'Continue' }))
      .click();
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
