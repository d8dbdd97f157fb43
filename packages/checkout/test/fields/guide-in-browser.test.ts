import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { blocksOf } from '../../../../test/docs/blocks.ts';
import { php, requireTool } from '../../../../test/support/tool.ts';
import { BROWSERS, typingPages } from '../page/support/typing.ts';
import { cardService } from '../support/card-service.ts';
import { fieldsBrowser, LONG, typeCard, untilSays } from '../support/fields-browser.ts';
import { freePort, listen } from '../support/listen.ts';
import { merchant } from '../support/service.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The first program in a language that a page has. */
const programOf = (path: string, language: string): string =>
  blocksOf({ path, text: readFileSync(join(root, path), 'utf8') }).find((each) => each.language === language)?.text ??
  '';
const GUIDE = 'docs/start-hosted-fields.md';
const page = programOf(GUIDE, 'html');
const CHECKOUT = 'https://pay.example.com';

/** The programs of the page in a folder: Node finds the packages of the workspace from there, and PHP one file. */
const SERVERS = {
  Node: (folder: string) => {
    const file = join(folder, 'shop.mjs');
    writeFileSync(file, programOf(GUIDE, 'js'));
    const hook = join(root, 'test/docs/resolve.mjs');
    return [process.execPath, ['--conditions=@railyard/source', `--import=${hook}`, file]] as const;
  },
  PHP: (folder: string, port: number, ctx: TestContext) => {
    const file = join(folder, 'shop.php');
    writeFileSync(file, programOf('docs/hosted-fields.md', 'php') + programOf(GUIDE, 'php').replace('<?php', ''));
    return [requireTool(ctx, php), ['-S', `127.0.0.1:${port}`, file]] as const;
  },
};

/** Starts the shop of the page, and waits until it answers. */
async function shopIn(ctx: TestContext, language: keyof typeof SERVERS, checkout: string, port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'railyard-guide-'));
  const origin = `http://localhost:${port}`;
  const file = join(folder, 'pay.html');
  writeFileSync(file, page.replaceAll(CHECKOUT, checkout));
  const [command, args] = SERVERS[language](folder, port, ctx);
  const env = { CHECKOUT: checkout, MERCHANT_KEY: merchant.key, PASSWORD: merchant.password };
  const shop = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env, SHOP: origin, PAGE: file, PORT: String(port) },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => void shop.once('exit', () => resolve()));
  onTestFinished(async () => {
    shop.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))?.status;
  await expect.poll(isUp, LONG).toBe(200);
  return origin;
}

test('the shop in Node answers what is no payment, and a checkout that is not there, and goes on', async (ctx) => {
  const [port, closed] = [await freePort(), await freePort()];
  await shopIn(ctx, 'Node', `http://127.0.0.1:${closed}`, port);
  const post = async (path: string, body?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...(body && { body }) });
    return [answer.status, Object(await answer.json()).http_code];
  };
  for (const body of [undefined, '{', 'null', '7', '{}', '{"payment":null}'])
    expect(await post('/pay', body)).toEqual([400, 400]);
  const long = JSON.stringify({ token: 'tok-1', payment: { name: 'A'.repeat(100_000) } });
  expect(await post('/pay', long)).toEqual([400, 400]);
  expect(await post('/token')).toEqual([502, 502]);
  expect(await post('/pay', '{"token":"tok-1","payment":{}}')).toEqual([502, 502]);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
}, 180_000);

test('the page has at most 40 lines', () => {
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});

describe('the page of the guide', () => {
  const open = fieldsBrowser(BROWSERS[0]);

  test.for([
    ['no answer of its own', '<h1>Not found</h1>', 'The shop did not answer.'],
    ['an answer without an error', '{"result":"success"}', 'The shop did not answer.'],
  ] as const)('takes a refusal of its server with %s for no payment', async ([, body, says], ctx) => {
    const { page: browser, service, newToken, charged } = await open(ctx);
    const token = await newToken();
    const shop = await listen((request, _body, response) => {
      if (request.url === '/token') return void response.end(JSON.stringify({ token }));
      if (request.url === '/pay') return void response.writeHead(404).end(body);
      return void response.setHeader('content-type', 'text/html').end(page.replaceAll(CHECKOUT, service.url));
    });
    onTestFinished(() => shop.close());
    await service.configure((merchants) => merchants.map((each) => ({ ...each, fieldOrigins: [shop.url] })));
    await browser.goto(shop.url);
    await browser.waitForSelector('#card-form iframe', LONG);
    await browser.type('#name', 'Ada Example');
    await typeCard(browser, 'form');
    await browser.click('button');
    await untilSays(browser, says);
    expect(charged(token)).toEqual([]);
  });
});

describe.each(['Node', 'PHP'] as const)('the shop of the documentation, whose server is in %s', (language) => {
  const newPage = typingPages(BROWSERS[0]);

  test('is paid, says why a card is declined, and takes another', async (ctx) => {
    const port = await freePort();
    const service = await cardService({}, { fieldOrigins: [`http://localhost:${port}`] });
    onTestFinished(() => service.stop());
    const origin = await shopIn(ctx, language, service.url, port);
    const browser = await newPage(ctx);
    await browser.goto(origin);
    await browser.waitForSelector('#card-form iframe', LONG);
    await browser.type('#name', 'Ada Example');
    await typeCard(browser, 'form', { number: '4111111111111111', expiry: '0238', cvv: '123' });
    await browser.click('button');
    await untilSays(browser, 'Your card was declined.');
    await browser.reload();
    await browser.waitForSelector('#card-form iframe', LONG);
    await browser.type('#name', 'Ada Example');
    await typeCard(browser, 'form');
    await browser.click('button');
    await untilSays(browser, 'Paid.');
    const { asked } = service.provider;
    expect(asked.map(({ amount }) => amount)).toEqual(['89.00', '89.00']);
    const { fields } = await service.shop.until((each) => each.fields['order_status'] === 'settled');
    const post = async (path: string, body: object = {}) => {
      const reply = await fetch(`${origin}${path}`, { method: 'POST', body: JSON.stringify(body) });
      return { status: reply.status, answer: Object(await reply.json()) };
    };
    const { token } = (await post('/token')).answer;
    const unknown = { name: 'Ada Example', browser_info: {}, public_id: 'of-no-payment' };
    expect(await post('/pay', { token, payment: unknown })).toMatchObject({
      status: 400,
      answer: { errors: [{ error_message: expect.stringMatching(/^public_id: /) }] },
    });
    expect(fields).toMatchObject({ order_amount: '89.00', customer_ip: expect.stringMatching(/127\.0\.0\.1$|^::1$/) });
  }, 180_000);
});
