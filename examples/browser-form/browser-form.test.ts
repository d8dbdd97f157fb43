import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Browser, chromium as engine, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { chromium, chromiumFlags, requireTool } from '../../test/support/tool.ts';
import { portOf } from '../support/servers.ts';

let browser: Browser | undefined;
let bundle = '';
const posted: string[] = [];
const server = createServer(async (request, response) => {
  if (request.method === 'POST') posted.push(await text(request));
  const isScript = request.url === '/form.js';
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
  response.end(isScript ? bundle : await readFile(new URL('index.html', import.meta.url)));
});

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('form.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    conditions: ['@railyard/source'],
    write: false,
  });
  bundle = outputFiles[0]?.text ?? '';
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const executablePath = chromium.find();
  if (executablePath !== undefined) browser = await engine.launch({ executablePath, args: [...chromiumFlags] });
});

afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

async function open(ctx: TestContext): Promise<Page> {
  requireTool(ctx, chromium);
  if (browser === undefined) throw new Error('The browser did not start.');
  const page = await browser.newPage();
  ctx.onTestFinished(() => page.close());
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(`http://127.0.0.1:${portOf(server)}/`);
  return page;
}

const problemsOf = (page: Page) => page.locator('#problems li').allTextContents();

test('a form that the service would refuse is not sent, and says in its words what is wrong', async (ctx) => {
  const page = await open(ctx);
  await page.locator('[name=type_fine]').selectOption('VALUE');
  await page.getByRole('button').click();
  await expect
    .poll(() => problemsOf(page))
    .toEqual([
      'fine: This value should not be blank. It is required when parameters.type_fine is VALUE, PERCENT.',
      'debtor_document: This value should not be blank.',
    ]);
  await page.getByLabel('Amount of the fine').fill('1.00');
  await page.getByLabel('CPF').fill('52998224726');
  await page.getByRole('button').click();
  await expect
    .poll(() => problemsOf(page))
    .toEqual(['debtor_document: The check digits of this document are not correct.']);
  expect(posted).toEqual([]);
});

test('a form that it takes is sent', async (ctx) => {
  const page = await open(ctx);
  await page.getByLabel('CPF').fill('52998224725');
  await page.getByRole('button').click();
  await expect.poll(() => posted).toEqual(['type_fine=&fine=&debtor_document=52998224725&debtor_name=']);
});

test('all that the page loads is 90 KB gzipped at most, zod included', () => {
  expect(gzipSync(bundle).byteLength).toBeLessThan(90 * 1024);
});
