import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { qrOnScreen } from '../../../../test/support/scan.ts';
import { browserTests } from './support/browser.ts';
import { hostile, payloads } from './support/payloads.ts';
import { pageModel, PIX_CODE, stateNames, states } from './support/models.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const open = browserTests();

const violations = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })` +
      `.then(({ violations }) => violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' ')))`,
  );

const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Each width and each colour scheme once; the long run takes all pairs. */
const LOOKS = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const;
const OTHER_LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 320 },
] as const;

describe.each([...LOOKS, ...(process.env['RAILYARD_SOAK'] === undefined ? [] : OTHER_LOOKS)])(
  'on $width px, $colorScheme',
  (look) => {
    test('every state can be used by everyone, fits, and complains of nothing', async (ctx) => {
      const { page, server, complaints } = await open(ctx, { ...look, reducedMotion: 'reduce' });
      await page.addInitScript(axe);
      for (const name of stateNames) {
        await page.goto(server.url(server.serve(pageModel(states[name], { test: true }))));
        expect.soft(await violations(page), name).toEqual([]);
        expect.soft(await sideways(page), name).toBe(0);
      }
      expect(complaints).toEqual([]);
    });

    test('the QR code on the screen is the code that is copied, and large enough', async (ctx) => {
      const { page, server } = await open(ctx, look);
      await page.goto(server.url(server.serve(pageModel(states.qr))));
      expect(await qrOnScreen(page)).toBe(PIX_CODE);
      const box = await page.locator('.qr').boundingBox();
      expect(box?.width).toBeGreaterThanOrEqual(240);
      await page.goto(server.url(server.serve(pageModel(states.address))));
      expect(await qrOnScreen(page)).toBe(states.address.show.address);
    });
  },
);

test('the code can be scanned with forced colours too', async (ctx) => {
  const { page, server } = await open(ctx, { width: 320, forcedColors: 'active', colorScheme: 'dark' });
  await page.goto(server.url(server.serve(pageModel(states.qr))));
  expect(await qrOnScreen(page)).toBe(PIX_CODE);
});

test('a word of 1024 characters does not make a page scroll sideways', async (ctx) => {
  const { page, server } = await open(ctx, { width: 320 });
  for (const name of stateNames) {
    await page.goto(server.url(server.serve(hostile(states[name], 'W'.repeat(1024)))));
    expect.soft(await sideways(page), name).toBe(0);
  }
});

test('main buttons are at least 44 px high and no text is smaller than 16 px', async (ctx) => {
  const { page, server } = await open(ctx, { width: 320 });
  for (const name of stateNames) {
    await page.goto(server.url(server.serve(pageModel(states[name]))));
    const small = await page.evaluate(() => {
      const visible = [
        ...document.querySelectorAll(
          '.button, .methods a, .methods button, input:not([type=hidden], [type=checkbox]), select',
        ),
      ];
      const low = visible.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44);
      const texts = [...document.querySelectorAll('p, label, input, button, a, dd, dt, li')];
      const tiny = texts.filter(
        (one) => one.checkVisibility() && Number.parseInt(getComputedStyle(one).fontSize, 10) < 16,
      );
      return [...low, ...tiny].map((one) => one.outerHTML);
    });
    expect.soft(small, name).toEqual([]);
  }
});

describe.each(payloads)('text $id', ({ text }) => {
  test('runs nothing and asks no server', async (ctx) => {
    const { page, server, complaints, foreign } = await open(ctx);
    for (const name of ['ask', 'details', 'declined'] as const) {
      await page.goto(server.url(server.serve(hostile(states[name], text))));
      expect.soft(await page.evaluate(() => '__xss' in window), name).toBe(false);
      expect.soft(await page.locator('.description').innerText(), name).toBe(text);
    }
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
