import { expect, test } from 'vitest';
import { qrOnScreen } from '../../../../test/support/scan.ts';
import { browserTests, soon } from './support/browser.ts';
import { pageModel, states } from './support/models.ts';

const open = browserTests();
const PHONE = { width: 360, hasTouch: true, isMobile: true } as const;

test('on a phone, the button that copies a code stands above the code, in the first 640 px', async (ctx) => {
  const { page, server } = await open(ctx, PHONE);
  await page.goto(server.url(server.serve(pageModel(states.qr))));
  const button = await page.getByRole('button', { name: 'Copy code' }).boundingBox();
  const code = await page.locator('.qr').boundingBox();
  expect(button?.y).toBeLessThan(code?.y ?? 0);
  expect((button?.y ?? 640) + (button?.height ?? 0)).toBeLessThan(640);
});

test('a code that an app opens, and a wallet’s address, have a link to it on a phone alone', async (ctx) => {
  const phone = await open(ctx, PHONE);
  const desk = await open(ctx);
  for (const [name, content] of [
    ['qr-upi', states['qr-upi'].show.content],
    ['address-bitcoin', `bitcoin:${states['address-bitcoin'].show.address}?amount=0.00025`],
  ] as const) {
    const address = phone.server.url(phone.server.serve(pageModel(states[name])));
    await phone.page.goto(address);
    expect(await phone.page.getByRole('link', { name: 'Open the app' }).getAttribute('href')).toBe(content);
    await desk.page.goto(address);
    expect(await desk.page.getByRole('link', { name: 'Open the app' }).isVisible()).toBe(false);
    expect(await qrOnScreen(desk.page)).toBe(content);
  }
});

test('on paper, what is paid elsewhere has its values and its last moment, and nothing to press', async (ctx) => {
  const { page, server } = await open(ctx, { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const [name, ...texts] of [
    ['qr', 'BRL\u00a010.00', 'Valid until Wednesday'],
    ['qr-outlives', 'Pay by Wednesday'],
    ['details', 'BRL\u00a010.00', 'Example Company SA de CV', 'RS35105008123123123173', 'RF18539007547034'],
    ['voucher', '9300 1234 5678 9012', 'Loja da Maria', 'A-1042', 'Valid until'],
    ['address', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TRC-20', 'Valid until Wednesday'],
  ] as const) {
    await page.goto(server.url(server.serve(pageModel(states[name], { test: true }))));
    const paper = await page.locator('body').innerText();
    for (const text of texts) expect.soft(paper, name).toContain(text);
    expect.soft(paper, name).not.toMatch(/Time left|Copy|Cancel|Waiting|English/);
    const pressed = await page.locator('a, button, input, summary').all();
    for (const each of pressed) expect.soft(await each.isVisible(), name).toBe(false);
    expect.soft(await page.evaluate(() => getComputedStyle(document.body).color), name).toBe('rgb(0, 0, 0)');
  }
});

test('a receipt has date, method, card, number, merchant, order and amount, also on paper and without scripts', async (ctx) => {
  const { page, server } = await open(ctx, { width: 320, javaScriptEnabled: false });
  await page.goto(server.url(server.serve(pageModel(states.receipt, { timeZone: 'America/Sao_Paulo' }))));
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media });
    const texts = ['March 4, 2026', '09:00 AM GMT-3', 'Card (Visa)', states.receipt.receipt.reference];
    for (const text of [...texts, 'Loja da Maria', 'A-1042', 'BRL\u00a010.00'])
      expect.soft(await page.locator('body').innerText(), media).toContain(text);
  }
  expect(await page.locator('noscript meta').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Print or save' }).isVisible()).toBe(false);
});

test('a receipt says its moment by the clock of the device, with the year, and prints by a button', async (ctx) => {
  const { page, server } = await open(ctx, { timezoneId: 'Asia/Tokyo' });
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.goto(server.url(server.serve(pageModel(states.receipt), { leaves: true })));
  await soon(() => page.locator('time').innerText()).toMatch(/March 4, 2026.*09:00 PM GMT\+9/);
  await page.getByRole('button', { name: 'Print or save' }).click();
  expect(await page.locator('body[data-printed]').count()).toBe(1);
  expect(await page.locator('[data-leave]').count()).toBe(0);
});
