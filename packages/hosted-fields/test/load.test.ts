import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSERS, typingPages } from '../../checkout/test/page/support/typing.ts';
import { cardService, type CardService } from '../../checkout/test/support/card-service.ts';
import { hostedFields } from '../../checkout/test/support/hosted-fields.ts';
import { listen, type Listening } from '../../checkout/test/support/listen.ts';

let shop: Listening;
let service: CardService;
let text = '';

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'railyard-hosted-fields-'));
  const index = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  await build({
    config: false,
    silent: true,
    entry: { index },
    outDir,
    format: 'iife',
    globalName: 'loader',
    outExtension: () => ({ js: '.js' }),
  });
  text = await readFile(join(outDir, 'index.js'), 'utf8');
  await rm(outDir, { recursive: true });
  shop = await listen((request, _body, response) => {
    const isScript = request.url === '/index.js';
    const page = `<!doctype html><html lang="en"><title>Shop</title><script src="/index.js"></script><form><div id="form"></div></form>`;
    response
      .writeHead(200, {
        'content-type': isScript ? 'text/javascript' : 'text/html',
        'content-security-policy': `default-src 'none'; script-src 'self' 'nonce-n1'; frame-src ${service.url}; img-src *`,
      })
      .end(isScript ? text : page);
  });
  service = await cardService({}, { fieldOrigins: [shop.url] });
});
afterAll(async () => {
  await service?.stop();
  await shop?.close();
});

const open = typingPages(BROWSERS[0]);

test('the fields are loaded once, under the nonce of the page, and take a card', async (ctx) => {
  const page = await open(ctx);
  const token = await hostedFields(service.url).token();
  await page.goto(shop.url);
  const loaded = await page.evaluate(
    async (checkout, sessionToken) => {
      const { loadHostedFields, loadPaySession } = Reflect.get(window, 'loader');
      const nonce = 'n1';
      const [HostedFields, again, PaySession] = await Promise.all([
        loadHostedFields(checkout, { nonce }),
        loadHostedFields(checkout, { nonce }),
        loadPaySession(checkout, { nonce }),
      ]);
      const later = await loadHostedFields(checkout, { nonce });
      const fields = new HostedFields();
      const { ignored } = await fields.init({ sessionToken, fields: { form: { id: 'form' } } });
      const result = await fields.collectIframesData();
      const handlers = ['cardOn', 'expiryOn', 'cvvOn', 'formOn', 'onSubmitResult'].every((each) => each in fields);
      const methods = ['init', 'collectIframesData', 'focus', 'clear', 'destroy'].map((each) => typeof fields[each]);
      const session = new PaySession({ sessionToken });
      return {
        one: HostedFields === again && HostedFields === later && document.scripts.length === 3,
        ignored,
        result,
        handlers,
        methods: new Set([...methods, typeof session.pay, typeof session.close, typeof PaySession.browserInfo]).size,
        events: ['onSuccess', 'onDecline', 'onUndefined', 'handleError'].every((each) => each in session),
      };
    },
    service.url,
    token,
  );
  expect(loaded).toEqual({
    one: true,
    ignored: [],
    result: expect.objectContaining({ result: 'error', code: 'invalid', field: 'card' }),
    handlers: true,
    methods: 1,
    events: true,
  });
  expect(await page.$$eval('iframe', (all) => all.length)).toBe(1);
});

test('a script that cannot be loaded is an error that says what to check, and the next call tries again', async (ctx) => {
  const page = await open(ctx);
  await page.goto(shop.url);
  const tried = await page.evaluate(async (checkout) => {
    const { loadHostedFields } = Reflect.get(window, 'loader');
    const failed: unknown = await loadHostedFields(checkout).catch(String);
    const kind: unknown = await loadHostedFields(checkout, { nonce: 'n1' }).then((found: unknown) => typeof found);
    return [failed, kind];
  }, service.url);
  expect(tried).toEqual([expect.stringContaining('Check the address'), 'function']);
});

test('a script of the page that has failed already does not keep the loader waiting', async (ctx) => {
  const page = await open(ctx);
  await page.goto(shop.url);
  const kind = await page.evaluate(async (checkout) => {
    const blocked = Object.assign(document.createElement('script'), { src: `${checkout}/sdk/hosted-fields.js` });
    const failed = new Promise((resolve) => blocked.addEventListener('error', resolve));
    document.head.append(blocked);
    await failed;
    const { loadHostedFields } = Reflect.get(window, 'loader');
    const late = new Promise((resolve) => setTimeout(resolve, 60_000, 'late'));
    return Promise.race([loadHostedFields(checkout, { nonce: 'n1' }).then((found: unknown) => typeof found), late]);
  }, service.url);
  expect(kind).toBe('function');
}, 120_000);

test('a script is loaded with the hash of the checkout, and refused with another', async (ctx) => {
  const page = await open(ctx);
  await page.goto(shop.url);
  const hashOf = (script: string) => `sha384-${createHash('sha384').update(script).digest('base64')}`;
  const script = await (await fetch(`${service.url}/sdk/hosted-fields.js`)).text();
  const tried = await page.evaluate(
    async (checkout, hashes) => {
      const { loadHostedFields } = Reflect.get(window, 'loader');
      const found: string[] = [];
      for (const integrity of hashes)
        found.push(
          await loadHostedFields(checkout, { nonce: 'n1', integrity }).then((each: unknown) => typeof each, String),
        );
      return found;
    },
    service.url,
    [hashOf('another script'), hashOf(script)],
  );
  expect(tried).toEqual([expect.stringContaining('integrity'), 'function']);
});
