import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, type TestContext } from 'vitest';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import { blocksOf } from '../../test/docs/blocks.ts';
import { curl, openssl, php, python, requireTool } from '../../test/support/tool.ts';
import { type Demo, startDemo } from '../src/demo.ts';
import { merchant } from '../src/merchant.ts';

// The programs of docs/first-payment.md, as a reader follows them.
const root = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = 'docs/first-payment.md';
const guide = { path: GUIDE, text: readFileSync(join(root, GUIDE), 'utf8') };
const programOf = (language: string) => blocksOf(guide).find((block) => block.language === language)?.text ?? '';
const PATIENCE = { timeout: 120_000, interval: 200 };

const folder = mkdtempSync(join(tmpdir(), 'railyard-first-payment-'));
let demo: Demo;
let port: number;
let shop: string;

beforeAll(async () => {
  const [checkout, ofShop, simulator] = [await freePort(), await freePort(), await freePort()];
  port = await freePort();
  shop = `http://127.0.0.1:${port}`;
  const ports = { checkout, shop: ofShop, simulator };
  demo = await startDemo({ ports, dataDir: join(folder, 'data'), callbackUrl: `${shop}/callbacks` });
});

afterAll(async () => {
  await demo.stop();
  rmSync(folder, { recursive: true });
});

/** How a reader starts each program, and the place where it finds its client. */
const SHOPS = {
  PHP: {
    program: programOf('php').replace("__DIR__ . '/clients", `'${root}/clients`),
    start: (ctx: TestContext, file: string) => [requireTool(ctx, php), '-S', `127.0.0.1:${port}`, file],
    file: 'shop.php',
  },
  Python: {
    program: programOf('python').replace('Path(__file__).parent', `Path(${JSON.stringify(root)})`),
    start: (ctx: TestContext, file: string) => [requireTool(ctx, python), '-B', file],
    file: 'shop.py',
  },
  Node: {
    program: programOf('js').replace('./packages/client/dist/index.js', '@railyard/client'),
    start: (_ctx: TestContext, file: string) => [
      process.execPath,
      '--conditions=@railyard/source',
      `--import=${join(root, 'test/docs/resolve.mjs')}`,
      file,
    ],
    file: 'shop.mjs',
  },
} as const;

const at = (path: string, init?: RequestInit) => fetch(`${shop}${path}`, { redirect: 'manual', ...init });
const textAt = async (path: string) => (await at(path)).text();

/** Starts the shop of the page, and waits until it answers. */
async function startShop(ctx: TestContext, language: keyof typeof SHOPS): Promise<void> {
  const { program, start, file } = SHOPS[language];
  const path = join(folder, file);
  writeFileSync(path, program.replaceAll('http://127.0.0.1:8080', demo.checkoutUrl).replaceAll('3000', String(port)));
  const [command = '', ...args] = start(ctx, path);
  const server = spawn(command, args, { cwd: root, stdio: 'ignore' });
  const ended = new Promise((resolve) => void server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  await expect.poll(() => textAt('/').catch(() => ''), PATIENCE).toBe('Open /buy.');
}

/** The card that a reader enters. */
const CARD = {
  method: 'card',
  'card.number': /card `([\d ]+)`/.exec(guide.text)?.[1] ?? '',
  'card.expiry': '01 / 38',
  'card.cvv': '123',
  'card.name': 'Ada Example',
};

/** Enters the card and presses Pay. */
async function pay(page: string): Promise<void> {
  const init = { method: 'POST', body: new URLSearchParams(CARD), redirect: 'manual' } as const;
  expect((await fetch(`${page}/pay`, init)).status).toBe(303);
}

test.for(['PHP', 'Python', 'Node'] as const)(
  'the shop in %s is paid, told and refunded, and refuses a forged callback',
  async (language, ctx) => {
    await startShop(ctx, language);
    const bought = await at('/buy');
    expect(bought.status).toBe(303);
    const page = bought.headers.get('location') ?? '';
    await pay(page);

    const backOf = async () => new RegExp(`${shop}(/return[^"]*)`).exec(await (await fetch(page)).text())?.[1] ?? '';
    await expect.poll(backOf, PATIENCE).not.toBe('');
    const back = (await backOf()).replaceAll('&amp;', '&');
    await expect.poll(() => textAt(back), PATIENCE).toBe('paid');
    expect(await textAt(back.replace('state=settled', 'state=decline'))).toBe('wrong-state');

    const forged = await at('/callbacks', { method: 'POST', body: 'type=refund&status=success' });
    expect([forged.status, await forged.text()]).toEqual([400, 'no-signature']);
    expect(await textAt(back)).toBe('paid');

    expect(await textAt('/refund')).toBe('accepted');
    // The simulated provider takes 20 seconds.
    await expect.poll(() => textAt(back), PATIENCE).toBe('refunded');
  },
);

test('the program with curl waits for the payment and gives it back', async (ctx) => {
  for (const tool of [curl, openssl]) requireTool(ctx, tool);
  const file = join(folder, 'pay.sh');
  writeFileSync(file, programOf('shell').replace('http://127.0.0.1:8080', demo.checkoutUrl));
  const program = spawn('sh', [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void program.kill());
  const lines: string[] = [];
  for await (const line of createInterface(program.stdout)) {
    lines.push(line);
    if (lines.length === 1) await pay(line);
  }
  expect(lines.slice(1)).toEqual(['settled', 'accepted', 'refund']);
});

test('the page has in each program the values of the demo', () => {
  for (const value of [merchant.key, merchant.password, merchant.callbackSecret])
    expect(guide.text.split(`'${value}'`).length + guide.text.split(`"${value}"`).length).toBe(5);
});
