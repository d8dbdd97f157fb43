import { readPayerBrowser } from '@railyard/core/driver';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browserTests, soon } from './support/browser.ts';
import { pageModel, PIX_CODE, states } from './support/models.ts';

const open = browserTests();
const NOW = new Date('2026-03-04T12:00:00.000Z');
/** A device whose clock is years behind. */
const WRONG_CLOCK = new Date('2021-01-01T00:00:00.000Z');

/** The entries of a form, without what its script says of the browser. */
function enteredIn(body: string | undefined) {
  const { browser: _browser, ...entered } = Object.fromEntries(new URLSearchParams(body));
  return entered;
}

describe('copying', () => {
  test('copies the code byte for byte and says so', async (ctx) => {
    const { page, server, complaints } = await open(ctx);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    await page.goto(server.url(server.serve(pageModel(states.qr))));
    await page.getByRole('button', { name: 'Copy code' }).click();
    await soon(() => page.getByRole('status').allInnerTexts()).toContain('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(PIX_CODE);
    expect(await page.locator('[data-copy]').innerText()).toBe('Copied');
    expect(complaints).toEqual([]);
  });

  test('copies one detail of several', async (ctx) => {
    const { page, server } = await open(ctx);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    await page.goto(server.url(server.serve(pageModel(states.details))));
    await page.getByRole('button', { name: 'Copy: IBAN' }).click();
    await soon(() => page.getByRole('status').allInnerTexts()).toContain('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('RS35105008123123123173');
  });
});

describe('the countdown', () => {
  test('goes by the clock of the server', async (ctx) => {
    const { page, server } = await open(ctx);
    await page.clock.install({ time: WRONG_CLOCK });
    await page.goto(server.url(server.serve(pageModel(states.qr))));
    await soon(() => page.getByRole('timer').innerText()).toMatch(/^14:3[12]$/);
    await page.clock.fastForward('10:00');
    await soon(() => page.getByRole('timer').innerText()).toMatch(/^04:(?:3[0-2]|29)$/);
  });

  test('says three minutes, one minute and thirty seconds aloud', async (ctx) => {
    const { page, server } = await open(ctx);
    await page.clock.install({ time: NOW });
    await page.goto(server.url(server.serve(pageModel(states.qr))));
    for (const [forward, text] of [
      ['11:33', '3 minutes left'],
      ['02:00', '1 minute left'],
      ['00:30', '30 seconds left'],
    ] as const) {
      await page.clock.fastForward(forward);
      await soon(() => page.locator('[data-spoken]').textContent()).toContain(text);
    }
  });

  test('ends with one more look and then a new code, never with a failure', async (ctx) => {
    const { page, server, complaints } = await open(ctx);
    await page.clock.install({ time: NOW });
    const served = server.serve(pageModel(states.qr));
    await page.goto(server.url(served));
    await soon(() => served.seen.filter((one) => one.path === 'status').length).toBe(1);
    await page.clock.fastForward('14:33');
    await page.getByRole('button', { name: 'Get a new code' }).waitFor();
    expect(served.seen.filter((one) => one.path === 'status').length).toBeGreaterThan(1);
    expect(await page.locator('.qr').isVisible()).toBe(false);
    expect(await page.locator('main').innerText()).not.toMatch(/declined|failed|refused/i);
    await page.getByRole('button', { name: 'Get a new code' }).click();
    await soon(() => served.seen.some((one) => one.path === 'renew')).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('ends with the result for who paid in the last second', async (ctx) => {
    const { page, server } = await open(ctx);
    await page.clock.install({ time: NOW });
    const served = server.serve(pageModel(states.qr), { stream: false });
    await page.goto(server.url(served));
    served.grow(pageModel(states.success));
    await page.clock.fastForward('14:33');
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
  });

  test('warns two minutes before the page closes', async (ctx) => {
    const { page, server } = await open(ctx);
    await page.clock.install({ time: NOW });
    await page.goto(server.url(server.serve(pageModel(states.choose))));
    await page.clock.fastForward('27:00');
    expect(await page.locator('[data-session]').innerText()).toBe('');
    await page.clock.fastForward('01:05');
    await soon(() => page.locator('[data-session]').innerText()).toBe('This page closes in 2 minutes.');
    await page.clock.fastForward('02:00');
    await soon(() => page.locator('[data-session]').innerText()).toBe('The time for this payment is up.');
  });
});

test('what is valid for days is shown with its date', async (ctx) => {
  const { page, server } = await open(ctx);
  await page.clock.install({ time: NOW });
  await page.goto(server.url(server.serve(pageModel(states.voucher))));
  expect(await page.locator('.countdown').innerText()).toBe('Valid until Saturday, March 7 at 03:00 AM UTC');
});

describe('the live status', () => {
  test('shows the result that the stream brings', async (ctx) => {
    const { page, server, complaints } = await open(ctx);
    const served = server.serve(pageModel(states.qr));
    await page.goto(server.url(served));
    await soon(() => served.seen.some((one) => one.path === 'events')).toBe(true);
    served.grow(pageModel(states.success));
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('asks where there is no stream', async (ctx) => {
    const { page, server } = await open(ctx, { mayFail: true });
    const served = server.serve(pageModel(states.checking), { stream: false });
    await page.goto(server.url(served));
    await soon(() => served.seen.some((one) => one.path === 'status')).toBe(true);
    served.grow(pageModel(states.declined));
    await page.getByRole('heading', { name: 'Payment declined' }).waitFor();
  });

  test('makes at most 40 requests in five minutes without a stream', async (ctx) => {
    const { page, server } = await open(ctx, { mayFail: true });
    await page.clock.install({ time: NOW });
    const served = server.serve(pageModel(states.checking), { stream: false });
    await page.goto(server.url(served));
    const asked = (): number => served.seen.filter((one) => one.path !== '').length;
    for (let second = 0; second < 300; second += 1) {
      await page.clock.runFor(1000);
      // The answer has to arrive in real time before the next second of the page's time.
      await page.evaluate((address) => fetch(address), `${server.origin}/assets/none`);
    }
    expect(asked()).toBeGreaterThan(25);
    expect(asked()).toBeLessThanOrEqual(40);
  });

  test('looks again at once when the device is back from being offline', async (ctx) => {
    const { page, server } = await open(ctx, { mayFail: true });
    const served = server.serve(pageModel(states.qr));
    await page.goto(server.url(served));
    await page.context().setOffline(true);
    await page.getByText('You are offline. We will check again').waitFor();
    served.grow(pageModel(states.success));
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
  });
});

describe('forms', () => {
  test('are sent once, however often the button is pressed', async (ctx) => {
    const { page, server } = await open(ctx);
    const served = server.serve(pageModel(states['ask-nothing'], { canCancel: true }));
    await page.goto(server.url(served));
    const text = await page.getByRole('button', { name: /Pay/ }).evaluate((one) => {
      if (one instanceof HTMLElement) for (let press = 0; press < 3; press += 1) one.click();
      return one.textContent;
    });
    expect(text).toBe('One moment…');
    await soon(() => served.seen.filter((one) => one.path === '').length).toBe(2);
    const sent = served.seen.filter((one) => one.method === 'POST');
    expect(sent.map(({ path, body }) => [path, enteredIn(body)])).toEqual([['pay', { method: 'pix' }]]);
  });

  test('describe the browser in which they are filled in', async (ctx) => {
    const { page, server, complaints } = await open(ctx);
    const served = server.serve(pageModel(states['ask-nothing']));
    await page.goto(server.url(served));
    const seen = await page.evaluate(() => ({
      language: navigator.language,
      colorDepth: screen.colorDepth,
      screenHeight: screen.height,
      screenWidth: screen.width,
      timeZoneOffset: new Date().getTimezoneOffset(),
      platform: navigator.platform,
    }));
    await page.getByRole('button', { name: /Pay/ }).click();
    const described = () => new URLSearchParams(served.seen.find((one) => one.path === 'pay')?.body).get('browser');
    await soon(() => readPayerBrowser(JSON.parse(described() ?? '{}'))).toEqual({ ...seen, javaEnabled: false });
    expect(complaints).toEqual([]);
  });

  test('can be used with the keyboard alone, and say what is missing at its field', async (ctx) => {
    const { page, server, complaints } = await open(ctx);
    const served = server.serve(pageModel({ ...states.ask, fields: states.ask.fields.slice(0, 1), methods: [] }));
    await page.goto(server.url(served));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const name = page.getByLabel('Name');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await name.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await page.locator('[data-problem]:visible').innerText()).toContain('Please fill in this field.');
    await page.keyboard.type('Maria da Silva');
    expect(await name.getAttribute('aria-invalid')).toBe('false');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await soon(() => enteredIn(served.seen.find((one) => one.path === 'pay')?.body)).toEqual({
      method: 'pix',
      'customer.name': 'Maria da Silva',
    });
    expect(complaints).toEqual([]);
  });

  test('start at the summary of several refused entries, or at the only one', async (ctx) => {
    const { page, server } = await open(ctx);
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('id') ?? document.activeElement?.className ?? null);
    await page.goto(server.url(server.serve(pageModel(states.ask))));
    expect(await focused()).toBe('summary');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('field-customer.email');
    await page.goto(server.url(server.serve(pageModel({ ...states.ask, fields: states.ask.fields.slice(0, 2) }))));
    expect(await focused()).toBe('field-customer.email');
  });

  test('ask for a new code without filling in the old one', async (ctx) => {
    const { page, server } = await open(ctx);
    const served = server.serve(pageModel(states['next-action']));
    await page.goto(server.url(served));
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await soon(() => served.seen.find((one) => one.path === 'answer')?.body).toBe('step=otp&resend=1');
  });

  const comeBack = (page: Page): Promise<boolean> =>
    page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));

  test('are asked for anew when the browser brings the page back as it was', async (ctx) => {
    const { page, server } = await open(ctx);
    const served = server.serve(pageModel(states['ask-nothing']));
    await page.goto(`${server.url(served)}?method=pix`);
    const again = page.waitForEvent('load');
    await comeBack(page);
    await again;
    expect(served.seen.filter((one) => one.path === '')).toHaveLength(2);
    expect(page.url()).toBe(`${server.url(served)}?method=pix`);
  });

  test('are never sent again when the browser brings back their answer', async (ctx) => {
    const { page, server } = await open(ctx);
    const served = server.serve(pageModel(states['ask-nothing']));
    await page.goto(`${server.url(served)}/pay`);
    await comeBack(page);
    await page.waitForURL(server.url(served));
    expect(served.seen.every((one) => one.method === 'GET')).toBe(true);
  });
});

test.for([
  { name: 'voucher', timezoneId: 'UTC', said: 'Valid until Saturday, March 7 at 03:00 AM UTC' },
  { name: 'voucher', timezoneId: 'America/Sao_Paulo', said: 'Valid until Saturday, March 7 at 12:00 AM GMT-3' },
  { name: 'voucher', timezoneId: 'Asia/Kolkata', said: 'Valid until Saturday, March 7 at 08:30 AM GMT+5:30' },
  {
    name: 'leaving-outlives',
    timezoneId: 'America/Sao_Paulo',
    said: 'You can pay until Saturday, March 7 at 12:00 AM GMT-3.',
  },
] as const)('the page $name says its moment by the clock of a device in $timezoneId', async (row, ctx) => {
  const { page, server, complaints } = await open(ctx, { timezoneId: row.timezoneId });
  await page.goto(server.url(server.serve(pageModel(states[row.name]))));
  await soon(() => page.locator('main').innerText()).toContain(row.said);
  expect(complaints).toEqual([]);
});
