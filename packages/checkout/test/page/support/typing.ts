import { type Browser, type ElementHandle, type KeyInput, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, type TestContext } from 'vitest';
import { chromium, chromiumFlags, firefox, requireTool, type Tool } from '../../../../../test/support/tool.ts';

/** The browsers in which a payer types. */
export const BROWSERS = [
  { name: 'Chromium', browser: 'chrome', tool: chromium, args: [...chromiumFlags] },
  { name: 'Firefox', browser: 'firefox', tool: firefox, args: [] },
] as const satisfies readonly { name: string; browser: 'chrome' | 'firefox'; tool: Tool; args: string[] }[];

export type TypingBrowser = (typeof BROWSERS)[number];

/** One browser for the tests of a block; each test gets a page of its own. */
export function typingPages({ browser: kind, tool, args }: TypingBrowser) {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = tool.find();
    if (executablePath !== undefined) browser = await launch({ browser: kind, executablePath, args });
  }, 120_000);
  afterAll(() => browser?.close());
  return async (ctx: TestContext): Promise<Page> => {
    requireTool(ctx, tool);
    if (browser === undefined) throw new Error('The browser did not start.');
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    ctx.onTestFinished(() => page.close());
    return page;
  };
}

/** An input by its name. */
export async function inputOf(page: Page, name: string): Promise<ElementHandle<HTMLInputElement>> {
  const found = await page.$(`input[name="${name}"]`);
  if (found === null) throw new Error(`The page has no input ${name}.`);
  return found;
}

/** Value and caret as one text: `4111| 1`. */
export const shown = (input: ElementHandle<HTMLInputElement>): Promise<string> =>
  input.evaluate((one) => {
    const at = one.selectionStart ?? one.value.length;
    return `${one.value.slice(0, at)}|${one.value.slice(at)}`;
  });

/** What the page says is wrong with it; nothing where it is right. */
export const wrongWith = (input: ElementHandle<HTMLInputElement>): Promise<string> =>
  input.evaluate((one) => one.validationMessage);

/** As a browser fills a field in: the value changes at once, without keys. */
export const autofill = (input: ElementHandle<HTMLInputElement>, text: string): Promise<void> =>
  input.evaluate((one, value) => {
    one.value = value;
    one.dispatchEvent(new Event('input', { bubbles: true }));
    one.dispatchEvent(new Event('change', { bubbles: true }));
  }, text);

const KEY = /<(?:(Control|Shift)\+)?(\w+)(?:\*(\d+))?>|<paste:([^>]*)>|[^<]/gu;

const isKey = (name: string): name is KeyInput => name !== '';

/** Plays a script of keys: `41111<Backspace*2>`, `<Home><Shift+ArrowRight*5>`, `<paste:4111 1111>`. */
export async function play(page: Page, input: ElementHandle<HTMLInputElement>, script: string): Promise<void> {
  await input.focus();
  for (const [all, modifier, key, times, pasted] of script.matchAll(KEY)) {
    if (pasted !== undefined) await paste(page, input, pasted);
    else if (key === undefined) await page.keyboard.type(all);
    else await press(page, key, modifier, Number(times ?? 1));
  }
}

async function press(page: Page, key: string, modifier: string | undefined, times: number): Promise<void> {
  if (modifier !== undefined && isKey(modifier)) await page.keyboard.down(modifier);
  const commands = modifier === 'Control' && key === 'a' ? ['SelectAll'] : [];
  for (let time = 0; time < times && isKey(key); time += 1) await page.keyboard.press(key, { commands });
  if (modifier !== undefined && isKey(modifier)) await page.keyboard.up(modifier);
}

/** Puts a text where the caret is, with the event that a paste has. */
const paste = (page: Page, input: ElementHandle<HTMLInputElement>, text: string): Promise<void> =>
  input.evaluate((one, value) => {
    const data = { inputType: 'insertFromPaste', data: value, bubbles: true, cancelable: true };
    if (!one.dispatchEvent(new InputEvent('beforeinput', data))) return;
    one.setRangeText(value, one.selectionStart ?? 0, one.selectionEnd ?? 0, 'end');
    one.dispatchEvent(new InputEvent('input', data));
  }, text);
