import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe and the width of the page have to say against it. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  // A page that has just been sent says its words before it has its styles.
  await page.waitForLoadState('load');
  // A colour that still fades is no colour that a payer reads for longer than a blink: axe waits for its end.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => one instanceof CSSTransition)
        .map((one) => one.finished),
    ),
  );
  await page.evaluate(axe);
  const violations = await page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })` +
      `.then(({ violations }) => violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' ')))`,
  );
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return sideways === 0 ? violations : [...violations, `${sideways} px wider than the window`];
}

/** The narrowest window that a page is made for, and a wide one. */
const WIDTHS = [320, 1280];

/** The same in a narrow and in a wide window; then the window is as it was. */
export async function faultsAtEachWidth(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const fault of await faultsOf(page)) faults.push(`At ${width} px: ${fault}`);
  }
  if (before !== null) await page.setViewportSize(before);
  return faults;
}
