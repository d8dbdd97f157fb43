import { readFileSync } from 'node:fs';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { mirrorConnector, mirrorProvider } from '../support/mirror-connector.ts';
import { listen, type Listening } from '../support/listen.ts';
import { BROWSERS, typingPages } from '../page/support/typing.ts';
import { createPage, merchant, pressPay, sessionBody, startOn } from '../support/service.ts';

const [, SNIPPET = ''] = /```html\n([^]*?)```/.exec(
  readFileSync(new URL('../../../../docs/framed-page.md', import.meta.url), 'utf8'),
) ?? [''];

/** Notes every message, before the page's own script hears it. */
const NOTING = `<script>window.heard = []; addEventListener('message', ({ origin, data }) => heard.push([origin, data]))</script>`;

const TARGETS = ['_self', '_top', '_parent', '_blank'] as const;
type Target = (typeof TARGETS)[number];

/** Longer than a browser needs on a busy machine. */
const LONG = { timeout: 60_000 };
const PATIENCE = { ...LONG, interval: 50 };
/** Longer than the page waits before it goes on by itself. */
const WAITED_MS = 3000;

let provider: Awaited<ReturnType<typeof mirrorProvider>>;
let service: Awaited<ReturnType<typeof startOn>>;
let shop: Listening;
let stranger: Listening;

/** The shop of the documentation. */
const shopPages = () =>
  listen((request, _body, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    const session = JSON.stringify({ redirect_url: searchParams.get('page') }).replaceAll('"', '&quot;');
    const pages: Readonly<Record<string, string>> = {
      '/checkout': SNIPPET.replace('<script>', `${NOTING}<script data-session="${session}">`),
      '/success': '<title>Bought</title><p>Thank you.</p>',
    };
    response.writeHead(200, { 'content-type': 'text/html' }).end(pages[pathname] ?? '');
  });

/** Another site than the service's. */
const shopUrl = () => shop.url.replace('127.0.0.1', 'localhost');

beforeAll(async () => {
  [provider, shop, stranger] = await Promise.all([mirrorProvider(), shopPages(), shopPages()]);
  service = await startOn((port) => ({
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    connectors: [mirrorConnector],
    mids: [
      { id: 'any', channels: ['any'], connector: 'mirror', settings: { base_url: provider.url } },
      ...TARGETS.map((linkTarget) => ({
        id: `to${linkTarget.replace('_', '-')}`,
        channels: [linkTarget],
        connector: 'mirror',
        settings: { base_url: provider.url },
        linkTarget,
      })),
    ],
    merchants: [
      {
        ...merchant,
        name: 'Test shop',
        methods: [{ key: 'mirror', mid: ['any', ...TARGETS.map((each) => `to${each.replace('_', '-')}`)] }],
        frameOrigins: ['https://other.example', shopUrl()],
      },
    ],
  }));
});

afterAll(async () => {
  await service.stop();
  await Promise.all([shop.close(), stranger.close(), provider.close()]);
});

/** The page of a session that is paid. */
async function paidPage(change: Readonly<Record<string, unknown>>): Promise<string> {
  const page = await createPage(
    service.url,
    sessionBody({ methods: ['mirror'], success_url: `${shopUrl()}/success`, ...change }),
  );
  await pressPay(page, { method: 'mirror' });
  return page;
}

const framed = (page: string, at = `${shopUrl()}/checkout`): string =>
  `${at}?${new URLSearchParams({ page }).toString()}`;

/** Waits for the frame that shows this page. */
const frameAt = (page: Page, url: string): Promise<Frame> =>
  page.waitForFrame((each) => each.url().startsWith(url), LONG);

const heard = async (frame: Page | Frame) =>
  z
    .array(z.tuple([z.string(), z.object({ type: z.string(), height: z.number() })]))
    .parse(await frame.evaluate('heard'));

const PROMISE = 'You will be taken back in a moment.';
const saysPromise = (frame: Frame) => frame.evaluate((text) => document.body.innerText.includes(text), PROMISE);
const link = 'a[href*="/success"]';

/** How it ends where the payer does nothing until the page would have gone on. */
async function waited(frame: Frame): Promise<string> {
  await frame.evaluate((ms) => new Promise((resolve) => void setTimeout(resolve, ms)), WAITED_MS + 1000);
  return frame.url();
}

describe.each(BROWSERS)('in a frame of a shop on another site, in $name', (browser) => {
  const newPage = typingPages(browser);

  test('_self goes back by itself, in the frame', async (ctx) => {
    const page = await newPage(ctx);
    await page.goto(framed(await paidPage({ channel_id: 'any', url_target: '_self' })));
    await frameAt(page, `${shopUrl()}/success`);
    expect(page.url()).toContain('/checkout');
  });

  test.for(['_top', '_parent'] as const)(
    '%s promises nothing, and a press replaces the shop’s page',
    async (target, ctx) => {
      const page = await newPage(ctx);
      await page.goto(framed(await paidPage({ channel_id: 'any', url_target: target })));
      const frame = await frameAt(page, service.url);
      await frame.waitForSelector(link, LONG);
      await vi.waitUntil(async () => !(await saysPromise(frame)), PATIENCE);
      expect(await waited(frame)).toContain('/auth/');
      await Promise.all([page.waitForNavigation(LONG), frame.click(link)]);
      expect(new URL(page.url()).pathname).toBe('/success');
    },
  );

  test.for([
    ['_self', '_blank'],
    ['_top', '_blank'],
    ['_blank', '_self'],
    ['_self', '_top'],
  ] as const)(
    '%s of the request gives way to %s of the account',
    async ([asked, override]: readonly [Target, Target], ctx) => {
      const page = await newPage(ctx);
      const url_target = asked === '_blank' ? '_parent' : asked;
      await page.goto(framed(await paidPage({ channel_id: override, url_target })));
      if (override === '_self') {
        await frameAt(page, `${shopUrl()}/success`);
        return;
      }
      const frame = await frameAt(page, service.url);
      await frame.waitForSelector(`${link}[target="${override}"]`, LONG);
      await vi.waitUntil(async () => !(await saysPromise(frame)), PATIENCE);
      expect(await waited(frame)).toContain('/auth/');
      if (override === '_top') return;
      const before = await page.browser().pages();
      await frame.click(link);
      const others = async () => (await page.browser().pages()).filter((each) => !before.includes(each));
      const bought = async () => (await others()).find((each) => each.url().includes('/success'));
      const opened = await vi.waitUntil(bought, PATIENCE);
      await opened.close();
      expect(frame.url()).toContain('/auth/');
    },
  );

  test('tells the shop how high it is, as often as that changes', async (ctx) => {
    const page = await newPage(ctx);
    const address = await createPage(service.url, sessionBody({ methods: ['mirror'] }));
    await page.goto(framed(address));
    const frame = await frameAt(page, service.url);
    await frame.waitForSelector('main', LONG);
    const height = () => frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
    const isTold = async () => (await heard(page)).at(-1)?.[1].height === (await height());
    await vi.waitUntil(isTold, PATIENCE);
    const before = await height();
    await frame.evaluate(() => document.querySelector('main')?.append(document.createElement('hr'), 'more of it'));
    await vi.waitUntil(async () => (await height()) > before && (await isTold()), PATIENCE);
    expect(new Set((await heard(page)).map(([origin, { type }]) => `${origin} ${type}`))).toEqual(
      new Set([`${service.url} railyard:height`]),
    );
    const drawn = await page.evaluate(() => document.querySelector('iframe')?.getBoundingClientRect().height);
    expect(drawn).toBe(await height());
  });

  test('tells nothing to a page that the merchant has not listed: its frame stays empty', async (ctx) => {
    const page = await newPage(ctx);
    const address = await paidPage({ channel_id: 'any' });
    const loaded = new Promise<void>((resolve) => void page.once('load', () => resolve()));
    await page.goto(framed(address, `${stranger.url}/checkout`));
    await loaded;
    expect(await heard(page)).toEqual([]);
    expect(page.frames().filter((each) => each.url().startsWith(service.url))).toEqual([]);
  });
});

describe.each(BROWSERS)('without a frame, in $name', (browser) => {
  const newPage = typingPages(browser);

  test.for(['_self', '_parent', '_top'] as const)('%s goes back by itself', async (target, ctx) => {
    const page = await newPage(ctx);
    await page.goto(await paidPage({ channel_id: target }));
    await page.waitForFunction(() => document.title === 'Bought', LONG);
  });

  test('_blank waits for a press and promises nothing', async (ctx) => {
    const page = await newPage(ctx);
    await page.goto(await paidPage({ channel_id: '_blank' }));
    expect(await saysPromise(page.mainFrame())).toBe(false);
    expect(await waited(page.mainFrame())).toContain('/auth/');
  });
});
