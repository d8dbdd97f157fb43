import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserTests } from './support/browser.ts';
import { pageModel, stateNames, states } from './support/models.ts';

const open = browserTests();

/** 400 % of a window of 1280 × 1024 px (WCAG 1.4.10). */
const ZOOMED = { width: 320, height: 256 };

/** What the payer has reached by the last press of Tab: a name, and each thing about it that a payer cannot see. */
const reached = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return undefined;
    const faults: string[] = [];
    const [box = new DOMRect()] = at.getClientRects();
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(at);
    const ground = getComputedStyle(document.documentElement).backgroundColor;
    if (outlineStyle === 'none' || Number.parseInt(outlineWidth, 10) < 2 || outlineColor === ground)
      faults.push('no ring');
    // A control that is higher than the window is seen by its first line.
    const [x, y] = [box.x + box.width / 2, Math.max(0, box.y) + Math.min(box.height, 24) / 2];
    if (!at.contains(document.elementFromPoint(x, y))) faults.push('covered or out of sight');
    return { name: at.outerHTML.slice(0, 200), faults };
  });

/** Boxes that say something by their edge; a browser draws boxes to tick itself. */
const EDGED = `.button, input:not([type=hidden], [type=checkbox], [type=radio]), select,
  .summary, .last-attempt, .warning, .beside, .methods, .open, .session:not(:empty)`;

/** Boxes of which nothing is seen but their text, and texts in the colour of their ground. */
const unseen = (page: Page) =>
  page.evaluate((edged) => {
    const ground = getComputedStyle(document.documentElement).backgroundColor;
    const groundOf = (one: Element | null): string => {
      if (one === null) return ground;
      const own = getComputedStyle(one).backgroundColor;
      return own === 'rgba(0, 0, 0, 0)' ? groundOf(one.parentElement) : own;
    };
    const texts = [...document.querySelectorAll('body :not(:empty)')].filter(
      (one) => one.checkVisibility() && getComputedStyle(one).color === groundOf(one),
    );
    const boxes = [...document.querySelectorAll(edged)].filter((one) => {
      const { borderInlineStartStyle: style, borderInlineStartWidth, borderInlineStartColor } = getComputedStyle(one);
      const isSeen =
        style !== 'none' && Number.parseInt(borderInlineStartWidth, 10) >= 1 && borderInlineStartColor !== ground;
      return one.checkVisibility() && !isSeen;
    });
    return [...texts, ...boxes].map((one) => one.outerHTML.slice(0, 200));
  }, EDGED);

test('at 400 % and in forced colours every text and box is seen, and Tab reaches every control and shows where it is', async (ctx) => {
  const { page, server } = await open(ctx, { forcedColors: 'active', colorScheme: 'dark' });
  await page.setViewportSize(ZOOMED);
  const beside = { waits: { key: 'pix', title: 'Pix' }, ends: 'withdrawn' } as const;
  // A page that ends in a minute says so.
  const change = { beside, expiresAt: '2026-03-04T12:01:00.000Z' };
  for (const state of stateNames) {
    await page.goto(server.url(server.serve(pageModel(states[state], change))));
    expect.soft(await unseen(page), state).toEqual([]);
    const controls = await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      getSelection()?.setPosition(document.body, 0);
      return [...document.querySelectorAll('a[href], button, input, select, summary')]
        .filter((one) => one.checkVisibility() && one.getClientRects().length > 0)
        .map((one) => one.outerHTML.slice(0, 200));
    });
    const met: string[] = [];
    const faults = new Set<string>();
    for (let presses = 0; presses < 2 * controls.length + 5 && met.at(-1) !== controls.at(-1); presses += 1) {
      await page.keyboard.press('Tab');
      const at = await reached(page);
      if (at === undefined) break;
      // A date has an input for each of its parts, and a browser's own button.
      if (met.at(-1) === at.name) continue;
      met.push(at.name);
      for (const fault of at.faults) faults.add(`${fault}: ${at.name}`);
    }
    expect.soft([...faults], state).toEqual([]);
    expect.soft(met, state).toEqual(controls);
  }
  await page.goto(server.url(server.serve(pageModel(states.card))));
  const edges = page.locator('.methods > li');
  // The open method.
  expect(await edges.evaluateAll((rows) => rows.map((row) => getComputedStyle(row).borderInlineStartWidth))).toEqual([
    '0px',
    '4px',
  ]);
});

test('a payer who wants less motion gets none, not by a pointer on a button either', async (ctx) => {
  const { page, server } = await open(ctx);
  const motion = async (state: (typeof stateNames)[number]) => {
    await page.goto(server.url(server.serve(pageModel(states[state]))));
    const button = page.locator('.button:visible').first();
    if ((await button.count()) > 0) await button.hover();
    return page.evaluate(() => ({
      animations: document.getAnimations().length,
      // A change of colour is over before a slow machine looks.
      changes: [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration !== '0s')
        .length,
    }));
  };
  expect(await motion('address')).toEqual({ animations: expect.toSatisfy((count) => count > 0), changes: 1 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const state of stateNames) expect.soft(await motion(state), state).toEqual({ animations: 0, changes: 0 });
});

/** The least that a payer may set without losing anything (WCAG 1.4.12). */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }`;

test('a payer’s own text spacing cuts nothing off and moves nothing out of its box at 320 px', async (ctx) => {
  const { page, server } = await open(ctx, { width: 320 });
  const amount = { text: '123456789.00', currency: 'IDR' };
  for (const state of stateNames) {
    await page.goto(server.url(server.serve(pageModel(states[state], { amount }))));
    const lost = await page.evaluate((spacing) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(spacing);
      document.adoptedStyleSheets = [sheet];
      const outside: string[] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { currentNode: text } = texts;
        const parent = text.parentElement;
        const box = parent?.closest('.button, .row, .warning, li, dd, main, .page');
        if (!parent || !box || parent.closest('.spoken, noscript') || !parent.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const [inner, outer] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
        // The space after the last letter shows nothing.
        const isIn = inner.left >= outer.left - 3 && inner.right <= outer.right + 3 && inner.bottom <= outer.bottom + 1;
        if (!isIn && inner.width > 0) outside.push(text.textContent ?? '');
      }
      const { scrollWidth, clientWidth } = document.documentElement;
      return [...outside, ...(scrollWidth > clientWidth ? ['scrolls sideways'] : [])];
    }, SPACING);
    expect.soft(lost, state).toEqual([]);
  }
});

test('no field is spoken as invalid before the service or the script has found it wrong', async (ctx) => {
  const { page, server } = await open(ctx);
  const session = await page.context().newCDPSession(page);
  for (const state of ['ask', 'card', 'card-refused', 'next-action', 'consent', 'amount'] as const) {
    await page.goto(server.url(server.serve(pageModel(states[state]))));
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const spoken = nodes.filter(({ properties = [] }) =>
      properties.some(({ name, value }) => name === 'invalid' && value.value !== 'false'),
    );
    const shown = await page.locator('[data-problem]:visible').count();
    expect.soft(spoken, state).toHaveLength(shown);
  }
});
