import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import { qrOnScreen } from '../../test/support/scan.ts';
import { chromium, chromiumFlags, fileModes, requireTool } from '../../test/support/tool.ts';
import aliases from '../aliases.json' with { type: 'json' };
import { type Demo, startDemo } from '../src/demo.ts';
import type { Order } from '../src/orders.ts';
import { createSession, sessionRequest } from '../src/session-request.ts';
import { welcome } from '../src/welcome.ts';

/** What an order has to be for a method, where it is no order in dollars without parameters. */
const ALIASED: Readonly<Record<string, readonly [currency: string, parameters?: Readonly<Record<string, string>>]>> = {
  'crypto-receive': ['EUR', { crypto_type: 'BTC' }],
  'mobile-money': ['KES'],
};

const folder = mkdtempSync(join(tmpdir(), 'railyard-demo-'));
const dataDir = join(folder, 'data');
let demo: Demo;
let browser: Browser | undefined;

beforeAll(async () => {
  const [checkout = 0, shop = 0, simulator = 0] = await Promise.all([freePort(), freePort(), freePort()]);
  demo = await startDemo({ ports: { checkout, shop, simulator }, dataDir });
});

afterAll(async () => {
  await browser?.close();
  await demo.stop();
  rmSync(folder, { recursive: true });
});

async function openPage(executablePath: string, size: { width: number; height: number }): Promise<Page> {
  browser ??= await driver.launch({ executablePath, args: [...chromiumFlags] });
  return browser.newPage({ viewport: size });
}

describe('the demo', () => {
  test('keeps its data from other users of the machine', (ctx) => {
    requireTool(ctx, fileModes);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('prints a request that works as it stands', async () => {
    const text = welcome(demo);
    const body = /-d '(.*)'/.exec(text)?.[1];
    const url = /curl -s (\S+)/.exec(text)?.[1];
    const reply = await fetch(url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body ?? '',
    });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ redirect_url: expect.stringContaining(`${demo.checkoutUrl}/auth/`) });
    expect([demo.shopUrl, demo.simulatorUrl, demo.checkoutUrl].every((each) => text.includes(each))).toBe(true);
    expect(text).toContain('another order needs another hash');
    expect((await fetch(`${demo.shopUrl}/orders/${demo.sample.number}?back=success`)).status).toBe(200);
  });

  test.each(Object.entries(aliases.aliases))('offers the alias %s, which stands for %s', async (alias, method) => {
    const [currency = 'USD', parameters = {}] = ALIASED[method] ?? [];
    const order: Order = {
      kind: 'order',
      number: `alias-${alias}`,
      amount: '100.00',
      currency,
      description: 'Two books',
      at: new Date().toISOString(),
    };
    const sold = { operation: 'purchase', methods: [alias], parameters: { [alias]: parameters } } as const;
    const made = await createSession(demo.checkoutUrl, order, sessionRequest(order, sold, demo.shopUrl));
    expect(made).toEqual({ redirectUrl: expect.stringContaining('/auth/') });
    const page = await fetch('redirectUrl' in made ? made.redirectUrl : '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`value="${alias}"`)]);
  });

  test.for([
    { number: '4242424242424242', asks: false },
    { number: '4000002760003184', asks: true },
  ])('sells on its own page, with the card $number in fields of the checkout', async ({ number, asks }, ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 1280, height: 900 });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Pay on this page' }).click();
    await page.getByLabel('Name on card').fill('Maria Silva');
    const card = page.frameLocator('#card-form iframe');
    await card.locator('input[name="card.number"]').pressSequentially(number);
    await card.locator('input[name="card.expiry"]').pressSequentially('1238');
    await card.locator('input[name="card.cvv"]').pressSequentially('123');
    await page.getByRole('button', { name: 'Pay on this page' }).click();
    if (asks) {
      await page.waitForURL(`${demo.simulatorUrl}/**`, { timeout: 60_000 });
      await page.getByRole('button', { name: 'Pay' }).click();
    }
    await page.waitForURL(/\/orders\//, { timeout: 60_000 });
    await page.locator('#news').getByText('paid', { exact: true }).waitFor({ timeout: 60_000 });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.for([
    { width: 320, height: 640, button: 'Pay with Pix', price: /^Pay BRL\s10\.00$/ },
    { width: 1280, height: 900, button: 'Pay with Pix', price: /^Pay BRL\s10\.00$/ },
    { width: 1280, height: 900, button: 'Pay with Pix at any bank', price: /^Pay BRL\s4\.50$/ },
  ])(
    'sells by "$button" at $width pixels: the code on the screen is the code to copy, and both signatures are valid',
    async ({ button, price, ...size }, ctx) => {
      const page = await openPage(requireTool(ctx, chromium), size);
      await page.goto(demo.shopUrl);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('button', { name: price }).click();
      const code = await page.locator('input#code').inputValue();
      expect(code).toMatch(/^000201/);
      expect(await qrOnScreen(page)).toBe(code);

      const bank = await openPage(requireTool(ctx, chromium), { width: 1000, height: 800 });
      await bank.goto(demo.simulatorUrl);
      await bank.locator('textarea').fill(code);
      await bank.getByRole('button', { name: 'Pay' }).first().click();

      // The page hears of the payment by itself and leads back to the shop.
      await page.waitForURL(/\/orders\/.*back=success/);
      const row = page.getByRole('row').filter({ hasText: 'settled' });
      await row.waitFor();
      expect(await row.getByText('valid', { exact: true }).count()).toBe(2);
      expect(await page.getByText('not valid').count()).toBe(0);
      await bank.close();
      await page.close();
    },
  );

  test('leads a payer through the page of a provider and back to the shop', async (ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Choose how to pay' }).click();
    await page.getByRole('link', { name: 'Pix with personal id' }).click();
    await page.getByLabel('CPF or CNPJ').fill('529.982.247-25');
    await page.getByRole('button', { name: /^Pay BRL/ }).click();
    await page.getByRole('link', { name: 'Continue' }).click();

    await page.waitForURL(`${demo.simulatorUrl}/?payment=*`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('149.00 BRL');
    expect(await page.getByText('Hand grinder').count()).toBe(1);
    await page.getByRole('button', { name: 'Pay' }).click();

    await page.waitForURL(/\/orders\/.*back=success/);
    await page.getByText('paid', { exact: true }).waitFor();
    await page.close();
  });

  test('sells for cash at a shop in Mexico: the voucher has a number, and is paid at the simulated provider', async (ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Pay in cash at a shop' }).click();
    await page.getByRole('button', { name: /^Pay MXN/ }).click();
    await page.getByText('93000262276908').first().waitFor();

    const bank = await openPage(requireTool(ctx, chromium), { width: 1000, height: 800 });
    await bank.goto(demo.simulatorUrl);
    await bank.getByRole('listitem').filter({ hasText: '120.00 MXN' }).getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/orders\/.*back=success/);
    await bank.close();
    await page.close();
  });

  test('sells by mobile money: the payer is asked for the number and confirms on the phone, at the simulated provider', async (ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Pay by mobile money', exact: true }).click();
    await page.getByLabel('Mobile number').fill('+254 712 345 678');
    await page.getByRole('button', { name: /^Pay KES/ }).click();
    await page.getByText('+254 •').first().waitFor();

    const bank = await openPage(requireTool(ctx, chromium), { width: 1000, height: 800 });
    await bank.goto(demo.simulatorUrl);
    await bank.getByRole('listitem').filter({ hasText: '900.00 KES' }).getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/orders\/.*back=success/);
    await bank.close();
    await page.close();
  });

  test('sells by mobile money in Ghana: the payer chooses the network and enters a code', async (ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Pay by mobile money in Ghana' }).click();
    await page.getByLabel('Mobile number').fill('+233 551 234 987');
    await page.getByLabel('Network').selectOption('Vodafone (Telecel)');
    await page.getByRole('button', { name: /^Pay GHS/ }).click();
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: /^Continue|^Confirm|^Pay/ }).click();
    await page.waitForURL(/\/orders\/.*back=success/);
    await page.close();
  });

  test('sells for bitcoin: the payer is shown an address, and pays at the simulated server', async (ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Pay in bitcoin' }).click();
    await page.getByRole('button', { name: /^Pay EUR/ }).click();
    await page.getByText('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa').first().waitFor();

    const bank = await openPage(requireTool(ctx, chromium), { width: 1000, height: 800 });
    await bank.goto(demo.simulatorUrl);
    await bank.getByRole('listitem').filter({ hasText: '40.00 EUR' }).getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/orders\/.*back=success/);
    await bank.close();
    await page.close();
  });

  test.for([
    { action: 'Pay by card at Adyen', number: '4111111111111111', expiry: '03/30', bank: false },
    { action: 'Pay by card at Adyen', number: '4212345678901237', expiry: '03/30', bank: true },
    { action: 'Pay by card at Stripe', number: '4242424242424242', expiry: '12/38', bank: false },
    { action: 'Pay by card at Stripe', number: '4000002760003184', expiry: '12/38', bank: true },
  ])('sells by "$action" with the card $number, by way of the payer’s bank: $bank', async ({ bank, ...sale }, ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: sale.action }).click();
    await page.getByLabel('Card number').fill(sale.number);
    await page.getByLabel('Expiry Date').fill(sale.expiry);
    await page.getByLabel('Security code').fill('737');
    await page.getByLabel('Name on card').fill('Maria Silva');
    await page.getByRole('button', { name: /^Pay EUR/ }).click();
    if (bank) {
      await page.waitForURL(`${demo.simulatorUrl}/**`);
      await page.getByRole('button', { name: 'Pay' }).click();
    }
    await page.waitForURL(/\/orders\/.*back=success/);
    await page.getByText('paid', { exact: true }).waitFor();
    await page.close();
  });

  test.for([
    { action: 'Pay from a bank account', price: /^Pay GBP/ },
    { action: 'Pay with PayPal', price: /^Pay EUR/ },
    { action: 'Pay with Vipps', price: /^Pay NOK/ },
    { action: 'Pay on GOV.UK Pay', price: /^Pay GBP/, goesOn: true },
  ])('sells by "$action": the payer agrees on the page of the simulated provider, and pays', async (sale, ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: sale.action }).click();
    await page.getByRole('button', { name: sale.price }).click();
    if (sale.goesOn) await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${demo.simulatorUrl}/**`);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/orders\/.*back=success/);
    await page.getByText('paid', { exact: true }).waitFor();
    await page.close();
  });

  test('takes the documented test cards: one is declined, the next goes by 3-D Secure and pays', async (ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Pay by card', exact: true }).click();
    const pay = async (expiry: string) => {
      await page.getByLabel('Card number').fill('4111111111111111');
      await page.getByLabel('Expiry Date').fill(expiry);
      await page.getByLabel('Security code').fill('123');
      await page.getByLabel('Name on card').fill('Maria Silva');
      await page.getByRole('button', { name: /^Pay BRL\s89\.00$/ }).click();
    };
    await pay('02/38');
    await page
      .getByText(/declined/i)
      .first()
      .waitFor();
    await page.getByRole('link', { name: /again/i }).click();
    await pay('05/38');
    await page.waitForURL(`${demo.simulatorUrl}/**`);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/orders\/.*back=success/);
    await page.getByText('paid', { exact: true }).waitFor();
    await page.close();
  });

  test('sells a subscription whose month passes by a click', async (ctx) => {
    const page = await openPage(requireTool(ctx, chromium), { width: 800, height: 900 });
    await page.goto(demo.shopUrl);
    await page.getByRole('button', { name: 'Subscribe by card' }).click();
    await page.getByLabel('Card number').fill('4111111111111111');
    await page.getByLabel('Expiry Date').fill('01/38');
    await page.getByLabel('Security code').fill('123');
    await page.getByLabel('Name on card').fill('Maria Silva');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: /^Pay EUR\s24\.00$/ }).click();
    await page.waitForURL(/\/orders\/.*back=success/);
    await page.getByText('paid', { exact: true }).waitFor();
    const charges = page.getByRole('row').filter({ hasText: 'recurring' }).filter({ hasText: 'settled' });
    expect(await charges.count()).toBe(0);
    for (const month of [1, 2]) {
      await page.getByRole('button', { name: 'A month passes' }).click();
      await charges.nth(month - 1).waitFor();
    }
    const texts = await charges.allTextContents();
    expect(texts.filter((text) => !/valid\s*valid/.test(text))).toEqual([]);
    await page.close();
  });

  test('keeps its orders and callbacks over a restart', async () => {
    const before = readFileSync(join(dataDir, 'shop.jsonl'), 'utf8');
    expect(before).toContain('"kind":"order"');
    const ports = {
      checkout: Number(new URL(demo.checkoutUrl).port),
      shop: Number(new URL(demo.shopUrl).port),
      simulator: Number(new URL(demo.simulatorUrl).port),
    };
    await demo.stop();
    demo = await startDemo({ ports, dataDir });
    expect(await (await fetch(demo.shopUrl)).text()).toContain('Coffee beans');
    expect(await (await fetch(`${demo.checkoutUrl}/health`)).json()).toEqual({ status: 'ok' });
  });
});
