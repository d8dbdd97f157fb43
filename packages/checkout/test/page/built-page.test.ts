import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPage, type BuiltPage } from './support/built-page.ts';
import { pageModel, states } from './support/models.ts';
import { type PageServer, startPageServer } from './support/page-server.ts';
import { BROWSERS, inputOf, play, shown, typingPages } from './support/typing.ts';

let built: BuiltPage;
let server: PageServer;
beforeAll(async () => {
  built = await buildPage();
  server = await startPageServer(built.page);
});
afterAll(async () => {
  await server?.close();
  await built?.remove();
});

const branding = { logo: `data:image/png;base64,${'A'.repeat(2000)}`, button: '#7a1fa2' };

interface Loaded {
  readonly name: string;
  readonly bytes: number;
  readonly initiator: string;
}

describe.each(BROWSERS)('in $name', (browser) => {
  const newPage = typingPages(browser);

  test('the built card page takes at most 5 requests and 25 KB, and no file waits for a script', async (ctx) => {
    const page = await newPage(ctx);
    const served = server.serve(pageModel(states.card, { branding }));
    await page.goto(server.url(served), { waitUntil: 'load' });
    const loaded = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].flatMap(
        (each): Loaded[] =>
          each instanceof PerformanceResourceTiming && !each.name.startsWith('data:')
            ? [{ name: each.name, bytes: each.transferSize, initiator: each.initiatorType }]
            : [],
      ),
    );
    expect(loaded.length).toBeLessThanOrEqual(5);
    expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(25 * 1024);
    const scripts = await page.$$eval('script[src]', (all) => all.map((each) => each.getAttribute('src') ?? ''));
    expect(
      loaded
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.endsWith('.js'))
        .sort(),
    ).toEqual(scripts.toSorted());
  });

  test('the built scripts format a card, and do not send a form with an empty field', async (ctx) => {
    const page = await newPage(ctx);
    const served = server.serve(pageModel(states.card));
    await page.goto(server.url(served), { waitUntil: 'load' });
    const number = await inputOf(page, 'card.number');
    await play(page, number, '4111111111111111');
    expect(await shown(number)).toBe('4111 1111 1111 1111|');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'card.expiry');
    expect(await page.$eval('[id="field-card.expiry-problem"]', (note) => note.textContent)).toBe(
      'Please fill in this field.',
    );
    expect(served.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('the built scripts show a result as soon as it is known', async (ctx) => {
    const page = await newPage(ctx);
    const served = server.serve(pageModel(states.qr));
    await page.goto(server.url(served), { waitUntil: 'load' });
    served.grow(pageModel(states.success));
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Payment complete');
  });
});
