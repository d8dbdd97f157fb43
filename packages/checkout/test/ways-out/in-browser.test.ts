import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pay, typeCard } from '../support/card-browser.ts';
import { type ManyMethodsService, manyMethodsService, sessionOf } from '../support/many-methods-service.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-21T12:00:00Z');
let at = START;

const open = serviceBrowser(() => manyMethodsService({}, { clock: () => at }));

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const stop = (page: Page) => page.getByRole('button', { name: 'Start again or use another method' }).click();
const onward = (page: Page) =>
  page.getByRole('link', { name: 'Continue' }).or(page.getByRole('button', { name: 'Continue' }));

const CUSTOMER = { customer: { name: 'Ada Example', email: 'ada@example.com' } };
const asked = ({ card }: ManyMethodsService, address: string) =>
  card.asked.filter(({ return_url }) => return_url.startsWith(address)).map(({ status }) => status);

describe('a payer whose card is declined', () => {
  test.for([true, false])('pays with another method from the same page, with scripts: %s', async (scripts, ctx) => {
    const { page, service, complaints } = await open(ctx, scripts);
    const { page: address } = await sessionOf(service, ['card', 'pix']);
    await page.goto(address);
    await page.getByRole('link', { name: 'Card' }).click();
    await typeCard(page, { expiry: '0238' });
    await pay(page);
    await heading(page, 'Payment declined');
    await page.getByText('You can try 2 more times.').waitFor();
    await page.getByRole('button', { name: /^Pix/ }).click();
    await heading(page, 'Scan to pay');
    expect(complaints).toEqual([]);
  });

  test('finds the name again but no old date, and pays with another card', async (ctx) => {
    const { page, service } = await open(ctx);
    const { page: address } = await sessionOf(service, ['card', 'pix']);
    await page.goto(`${address}?method=card`);
    await typeCard(page, { expiry: '0238' });
    await pay(page);
    await page.getByRole('link', { name: 'Try again' }).click();
    expect(await page.getByLabel('Name on card').inputValue()).toBe('Ada Example');
    expect(await page.getByLabel('Expiry Date').inputValue()).toBe('');
    expect(await page.getByLabel('Security code').inputValue()).toBe('');
    await typeCard(page);
    await pay(page);
    await heading(page, 'Payment complete');
  });
});

describe('a payer who comes back from the bank with Back', () => {
  test.for([
    ['a form', '0538'],
    ['an address', '1238'],
  ] as const)('is not sent there again by %s, and pays another way', async ([_name, expiry], ctx) => {
    const { page, service, complaints } = await open(ctx);
    const { page: address } = await sessionOf(service, ['card', 'pix']);
    await page.goto(`${address}?method=card`);
    await typeCard(page, { expiry });
    await pay(page);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    await page.goBack();
    await onward(page).waitFor();
    await stop(page);
    await page.getByText('The last attempt was stopped. Nothing was charged.').waitFor();
    await page.getByRole('button', { name: /^Pix/ }).click();
    await heading(page, 'Scan to pay');
    expect(asked(service, address)).toEqual(['CHALLENGE']);
    expect(complaints).toEqual([]);
  });

  test('cancels, and reaches the shop', async (ctx) => {
    const { page, service } = await open(ctx);
    const { page: address, number } = await sessionOf(service, ['card', 'pix']);
    await page.goto(`${address}?method=card`);
    await typeCard(page, { expiry: '0538' });
    await pay(page);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Cancel and go back' }).click();
    await heading(page, 'Payment cancelled');
    await page.waitForURL((url) => url.hostname === 'shop.example');
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('order_id')]).toEqual(['/cancel', number]);
  });
});

describe('a payer who was asked on the wrong phone', () => {
  test.for([true, false])(
    'is told to wait, and gives another number after that, with scripts: %s',
    async (scripts, ctx) => {
      const { page, service, complaints } = await open(ctx, scripts);
      service.mobile.state.auth = 'STK_PROMPT';
      const order = { currency: 'KES', amount: '100.00' };
      const { page: address } = await sessionOf(service, ['mobile-money'], CUSTOMER, order);
      await page.goto(address);
      await page.getByLabel('Mobile number').fill('254712345678');
      await pay(page);
      await heading(page, 'Check your phone');
      expect(await page.getByRole('button', { name: 'Start again or use another method' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0);
      const entry = service.mobile.ledger.at(-1);
      if (entry === undefined) throw new Error('The provider was asked nothing.');
      entry.status = 'timed_out';
      await service.mobile.tell(entry);
      // The notification's word decides nothing: the provider is asked.
      at += 10_000;
      if (!scripts) await page.goto(address);
      await page.getByText('The payment was not confirmed in time.').waitFor();
      await page.getByRole('link', { name: 'Try again' }).click();
      expect(await page.getByLabel('Mobile number').inputValue()).toBe('254712345678');
      await page.getByLabel('Mobile number').fill('254712345679');
      await pay(page);
      await heading(page, 'Check your phone');
      expect(service.mobile.ledger.at(-1)?.sent).toMatchObject({ mobile_money: { number: '254712345679' } });
      expect(complaints).toEqual([]);
    },
  );

  test('sees the result by itself where the phone was the right one', async (ctx) => {
    const { page, service } = await open(ctx);
    service.mobile.state.auth = 'STK_PROMPT';
    const order = { currency: 'KES', amount: '100.00' };
    const { page: address } = await sessionOf(service, ['mobile-money'], CUSTOMER, order);
    await page.goto(address);
    await page.getByLabel('Mobile number').fill('254712345678');
    await pay(page);
    await heading(page, 'Check your phone');
    await page.getByRole('button', { name: 'Cancel and go back' }).click();
    await heading(page, 'This payment can still be completed');
    const entry = service.mobile.ledger.at(-1);
    if (entry === undefined) throw new Error('The provider was asked nothing.');
    entry.status = 'success';
    await service.mobile.tell(entry);
    await heading(page, 'Payment complete');
  });
});

describe('the end of the session', () => {
  test('is warned of, is noticed by an open form, and leads to expiry_url', async (ctx) => {
    const { page, service, complaints } = await open(ctx);
    const { page: address } = await sessionOf(service, ['card'], { session_expiry: 5 });
    await page.clock.install({ time: at });
    await page.goto(address);
    await page.clock.fastForward('02:50');
    expect(await page.locator('[data-session]').innerText()).toBe('');
    await page.clock.fastForward('00:11');
    await page.getByText('This page closes in 2 minutes.').waitFor();
    at += 5 * MINUTE;
    await page.clock.fastForward('02:00');
    await heading(page, 'This page has closed');
    await page.clock.runFor(4000);
    await page.waitForURL('https://shop.example/expiry');
    expect(complaints).toEqual([]);
  });

  test('waits for the server’s clock, which decides', async (ctx) => {
    const { page, service } = await open(ctx);
    const { page: address } = await sessionOf(service, ['card'], { session_expiry: 5 });
    await page.clock.install({ time: at });
    await page.goto(address);
    const looked = page.waitForResponse((reply) => reply.url().endsWith('/status'));
    await page.clock.fastForward('05:01');
    await looked;
    await page.getByLabel('Card number').waitFor();
    at += 5 * MINUTE;
    await page.clock.fastForward('00:06');
    await heading(page, 'This page has closed');
  });

  test('leaves a payer who has just paid with the result', async (ctx) => {
    const { page, service } = await open(ctx);
    service.pix.clock = () => at;
    service.pix.lifetimeMs = 60 * MINUTE;
    const { page: address } = await sessionOf(service, ['pix'], { session_expiry: 5 });
    await page.clock.install({ time: at });
    await page.goto(address);
    await pay(page);
    await heading(page, 'Scan to pay');
    await page.locator('.pay-by').waitFor();
    expect(await page.getByRole('timer').count()).toBe(0);
    at += 5 * MINUTE;
    await page.clock.fastForward('05:01');
    await heading(page, 'This page has closed');
    const charge = service.pix.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was asked nothing.');
    charge.status = 'PAID';
    await service.pix.notify(`${service.url}/notify/pix-main`, charge, { at });
    await heading(page, 'Payment complete');
  });
});

test('a technical error leads to error_url by itself', async (ctx) => {
  const { page, service } = await open(ctx);
  const { page: address } = await sessionOf(service, ['broken']);
  await page.goto(address);
  await pay(page);
  await heading(page, 'Something went wrong on our side');
  await page.waitForURL((url) => url.href.startsWith('https://shop.example/error?payment_id='));
});
