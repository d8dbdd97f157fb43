import { type Browser, type BrowserContext, chromium as engine, type Page } from 'playwright-core';
import { afterAll, beforeAll, type TestContext } from 'vitest';
import { chromium, chromiumFlags, requireTool } from '../../../../test/support/tool.ts';
import { type CardService, cardService } from './card-service.ts';

export interface CardWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly service: CardService;
  /** Errors of scripts, the console and the page's policy. */
  readonly complaints: string[];
  /** Every address that was asked for. */
  readonly addresses: string[];
}

/** One browser and one service with a card account for a test file. The shop is not there: its pages answer nothing. */
export function cardBrowser(): (ctx: TestContext, javaScriptEnabled?: boolean) => Promise<CardWindow> {
  let browser: Browser | undefined;
  let service: CardService | undefined;
  beforeAll(async () => {
    service = await cardService();
    const executablePath = chromium.find();
    if (executablePath !== undefined) browser = await engine.launch({ executablePath, args: [...chromiumFlags] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  return async (ctx, javaScriptEnabled = true) => {
    requireTool(ctx, chromium);
    if (browser === undefined || service === undefined) throw new Error('The browser did not start.');
    const context = await browser.newContext({ locale: 'en', javaScriptEnabled });
    ctx.onTestFinished(() => context.close(), 60_000);
    await context.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }),
    );
    const complaints: string[] = [];
    const addresses: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    context.on('weberror', (error) => complaints.push(String(error.error())));
    context.on('request', (request) => addresses.push(request.url()));
    return { page: await context.newPage(), context, service, complaints, addresses };
  };
}

/** Types a card as a payer does. */
export async function typeCard(page: Page, card: Partial<Record<'number' | 'expiry' | 'cvv' | 'name', string>> = {}) {
  const { number = '4111111111111111', expiry = '0138', cvv = '123', name = 'Ada Example' } = card;
  await page.getByLabel('Card number').pressSequentially(number);
  await page.getByLabel('Expiry Date').pressSequentially(expiry);
  await page.getByLabel('Security code').fill(cvv);
  await page.getByLabel('Name on card').fill(name);
}

export const pay = (page: Page) => page.getByRole('button', { name: /^Pay/ }).click();
