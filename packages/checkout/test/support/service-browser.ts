import { type Browser, type BrowserContext, chromium as engine, type Page } from 'playwright-core';
import { afterAll, beforeAll, type TestContext } from 'vitest';
import { chromium, chromiumFlags, requireTool } from '../../../../test/support/tool.ts';

export interface ServiceWindow<S> {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly service: S;
  /** Errors of scripts, the console and the page's policy. */
  readonly complaints: string[];
  /** Every address that was asked for. */
  readonly addresses: string[];
}

/** One browser and one service for a test file. The shop is not there: its pages answer nothing. */
export function serviceBrowser<S extends { stop(): Promise<void> }>(
  start: () => Promise<S>,
): (ctx: TestContext, javaScriptEnabled?: boolean, locale?: string) => Promise<ServiceWindow<S>> {
  let browser: Browser | undefined;
  let service: S | undefined;
  beforeAll(async () => {
    service = await start();
    const executablePath = chromium.find();
    if (executablePath !== undefined) browser = await engine.launch({ executablePath, args: [...chromiumFlags] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  return async (ctx, javaScriptEnabled = true, locale = 'en') => {
    requireTool(ctx, chromium);
    if (browser === undefined || service === undefined) throw new Error('The browser did not start.');
    const context = await browser.newContext({ locale, javaScriptEnabled });
    ctx.onTestFinished(() => context.close());
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
