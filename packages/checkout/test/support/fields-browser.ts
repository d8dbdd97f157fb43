import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, vi, type TestContext } from 'vitest';
import { type TypingBrowser, typingPages } from '../page/support/typing.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { allColumns } from './all-columns.ts';
import { cardService, type CardService } from './card-service.ts';
import type { MerchantChange, MidChange } from './card-config.ts';
import { newDataDir, type DataDir } from './data-dir.ts';
import { fieldsShop, type ShopPage } from './fields-shop.ts';
import { hostedFields } from './hosted-fields.ts';

/** Longer than a browser needs on a busy machine. */
export const LONG = { timeout: 60_000 };

/** The frame with a field, or with the form. */
export const frameOf = (page: Page, name: string): Promise<Frame> =>
  page.waitForFrame((frame) => frame.url().includes(`/fields/frame/${name}/`), LONG);

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds in a frame or a page. @param without rules that do not apply there */
export async function faultsOf(frame: Frame, without: readonly string[] = []): Promise<unknown> {
  await frame.evaluate(axe);
  const rules = Object.fromEntries(without.map((id) => [id, { enabled: false }]));
  return frame.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, rules: ${JSON.stringify(rules)}, iframes: false })` +
      `.then(({ violations }) => violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' ')))`,
  );
}

/** The text in which the shop says how the payment stands. */
export const statusOf = (page: Page): Promise<string | null> =>
  page.$eval('[role=status]', ({ textContent }) => textContent);

/** Waits until the shop says something that begins so. */
export async function untilSays(page: Page, text: string): Promise<void> {
  await expect.poll(() => statusOf(page), LONG).toMatch(new RegExp(`^${text}`));
}

/** A list that the shop's script keeps: `events`, `messages` or `results`. */
export async function listOf(page: Page, name: 'events' | 'messages' | 'results'): Promise<unknown[]> {
  const text = await page.evaluate((each) => JSON.stringify(Reflect.get(window, each)), name);
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error(`The shop has no list ${name}.`);
  return list;
}

/** Where an input of the card stands: in a frame of its own, or with the others. */
export type Layout = ShopPage['layout'];
const FRAMES = { number: 'card', expiry: 'expiry', cvv: 'cvv' } as const;
export type Input = keyof typeof FRAMES;

/**
 * Whether the test can speak with each frame. puppeteer begins frames that get processes at the same time with one
 * shared promise, and so loses one now and then: a session of its own still reaches it, but `evaluate` never ends.
 */
async function allAnswer(page: Page): Promise<boolean> {
  const signal = AbortSignal.timeout(5000);
  const answers = page.frames().map((frame) =>
    frame.waitForSelector('html', { signal }).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(answers)).every((answer) => answer);
}

/** An input, or nothing where its frame is gone just now: such a frame never answers. */
async function lookFor(page: Page, layout: Layout, input: Input) {
  const frame = await frameOf(page, layout === 'form' ? 'form' : FRAMES[input]);
  const signal = AbortSignal.timeout(2000);
  return frame.waitForSelector(`input[name="card.${input}"]`, { signal }).catch(() => null);
}

/** Chromium gives a frame of another site to a process of its own, and then a frame that was found before is gone: it is looked for again. */
export const inputIn = (page: Page, layout: Layout, input: Input) =>
  vi.waitUntil(() => lookFor(page, layout, input), { timeout: 60_000 });

/** A card that is good for everything, as it is typed. */
export const KEYS = { number: '4111111111111111', expiry: '0138', cvv: '123' };

/** A key that is pressed before the focus has moved to another process goes to the field before. */
export const untilFocused = (page: Page, layout: Layout, input: Input) =>
  vi.waitUntil(
    async () =>
      (await inputIn(page, layout, input))
        .evaluate((element) => document.hasFocus() && document.activeElement === element)
        .catch(() => false),
    { timeout: 60_000 },
  );

/** Types a card into its fields, as a payer does who points at each. */
export async function typeCard(page: Page, layout: Layout, card: Partial<Record<Input, string>> = KEYS) {
  for (const input of ['number', 'expiry', 'cvv'] as const) {
    const text = card[input];
    if (text === undefined) continue;
    await (await inputIn(page, layout, input)).focus();
    await untilFocused(page, layout, input);
    await page.keyboard.type(text);
  }
}

/** A browser, a service with a card account, and a shop on another origin with hosted fields. */
export function fieldsBrowser(browser: TypingBrowser, ofMerchant: MerchantChange = {}, ofMid: MidChange = {}) {
  let service: CardService | undefined;
  let directory: DataDir | undefined;
  let shop: Awaited<ReturnType<typeof fieldsShop>> | undefined;
  beforeAll(async () => {
    shop = await fieldsShop();
    directory = await newDataDir();
    service = await cardService({ place: directory.place }, { fieldOrigins: [shop.origin], ...ofMerchant }, ofMid);
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([shop?.close(), directory?.remove()]);
  });
  /** Stops the service for good, and reads what it has written: the log, and every column of its database. */
  const readWritten = async (): Promise<string[]> => {
    if (service === undefined || directory === undefined) throw new Error('The service has been stopped already.');
    const { lines, stop } = service;
    service = undefined;
    await stop();
    const { databaseUrl } = directory.place;
    const { db, close } = await openDatabase(databaseUrl === undefined ? directory.place : { url: databaseUrl });
    const columns = await allColumns(db);
    await close();
    return [...lines, ...columns.map(({ text }) => text)];
  };
  const newPage = typingPages(browser);
  return async (ctx: TestContext) => {
    const page = await newPage(ctx);
    if (service === undefined || shop === undefined) throw new Error('The service did not start.');
    const fields = hostedFields(service.url);
    const [{ url, provider }, at] = [service, shop];
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    const newToken = (change: Readonly<Record<string, unknown>> = {}) =>
      fields.token({ return_url: `${at.origin}/return?a=1`, ...change });
    return {
      page,
      service,
      shop: at,
      fields,
      complaints,
      newToken,
      readWritten,
      /** Opens the shop, and waits until the fields are there. */
      async goToShop({ token, ...given }: Omit<ShopPage, 'token'> & { readonly token?: string }): Promise<string> {
        const known = token ?? (await newToken());
        const address = at.page(url, { ...given, token: known }, [provider.url]);
        const open = async (): Promise<boolean> => {
          await page.goto(address);
          await page.waitForFunction(() => document.body.dataset['ready'] !== undefined, LONG);
          expect(await page.evaluate(() => document.body.dataset['ready'])).toBe('true');
          return allAnswer(page);
        };
        await vi.waitUntil(open, { timeout: 60_000 });
        return known;
      },
      /** What the account was asked to charge with a token. */
      charged: (token: string) => provider.asked.filter((each) => each.return_url.includes(`/auth/${token}/`)),
    };
  };
}
