import {
  type Browser,
  type BrowserContext,
  chromium as engine,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext } from 'vitest';
import { chromium, chromiumFlags, requireTool } from '../../../../../test/support/tool.ts';
import { type PageServer, startPageServer } from './page-server.ts';

/** Something that a page does in a moment: a machine with much to do needs longer for it. */
export const soon = <T>(look: () => T) => expect.poll(look, { interval: 20 });

/** What a page did wrong while a test looked at it. */
export interface Watched {
  readonly page: Page;
  readonly server: PageServer;
  /** Errors of scripts, the console and the page's own policy. */
  readonly complaints: string[];
  /** Requests to anywhere but the server. They get an empty answer, so that the page stays. */
  readonly foreign: { readonly method: string; readonly url: string; readonly body: string }[];
}

export type Look = Pick<
  BrowserContextOptions,
  'colorScheme' | 'javaScriptEnabled' | 'reducedMotion' | 'forcedColors' | 'hasTouch' | 'isMobile' | 'timezoneId'
> & {
  readonly width?: number;
  /** A failed request is expected. */
  readonly mayFail?: boolean;
};

/** One browser and one server for a test file. */
export function browserTests(): (ctx: TestContext, look?: Look) => Promise<Watched> {
  let browser: Browser | undefined;
  let server: PageServer | undefined;
  beforeAll(async () => {
    server = await startPageServer();
    const executablePath = chromium.find();
    if (executablePath !== undefined) browser = await engine.launch({ executablePath, args: [...chromiumFlags] });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  return async (ctx, look = {}) => {
    requireTool(ctx, chromium);
    if (browser === undefined || server === undefined) throw new Error('The browser did not start.');
    const { width = 1280, mayFail = false, ...options } = look;
    const context = await browser.newContext({ ...options, viewport: { width, height: 800 }, locale: 'en' });
    ctx.onTestFinished(() => context.close());
    return watch(context, server, mayFail);
  };
}

async function watch(context: BrowserContext, server: PageServer, mayFail: boolean): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: Watched['foreign'][number][] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !(mayFail && message.text().startsWith('Failed to load')))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await context.route(
    (url) => url.origin !== server.origin && url.protocol.startsWith('http'),
    (route) => {
      const request = route.request();
      foreign.push({ method: request.method(), url: request.url(), body: request.postData() ?? '' });
      return route.fulfill({ status: 204 });
    },
  );
  return { page, server, complaints, foreign };
}
