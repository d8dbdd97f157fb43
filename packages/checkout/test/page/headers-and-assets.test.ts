import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  contentSecurityPolicy,
  fieldsPage,
  fragmentPage,
  merchantScripts,
  pageAssets,
  pageHeaders,
  renderPage,
} from '../../src/page/index.ts';
import { script } from '../../src/page/page-assets.ts';
import { pageModel, stateNames, states } from './support/models.ts';

const policy = (name: keyof typeof states): Map<string, string> =>
  new Map(
    contentSecurityPolicy(pageModel(states[name]), 'abc')
      .split('; ')
      .map((part) => [part.split(' ')[0] ?? '', part.slice(part.indexOf(' ') + 1)]),
  );

test('the policy allows nothing but the page itself', () => {
  expect(contentSecurityPolicy(pageModel(states.qr), 'abc')).toBe(
    "default-src 'none'; script-src 'self' 'nonce-abc' 'strict-dynamic'; style-src 'self' 'nonce-abc'; img-src 'self' data:; " +
      "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'",
  );
});

test('the policy names a wallet’s hosts on a page with its button, and its payment sheet may open', () => {
  const on = policy('wallet');
  expect(on.get('script-src')).toBe("'self' 'nonce-abc' 'strict-dynamic' https://wallet.invalid");
  expect(on.get('connect-src')).toBe("'self' https://wallet.invalid");
  expect(on.get('frame-src')).toBe('https://sheet.wallet.invalid');
  expect(pageHeaders(pageModel(states.wallet), { nonce: 'abc', language: 'en' })).toMatchObject({
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': expect.stringContaining('payment=(self "https://sheet.wallet.invalid")'),
  });
});

test.each(stateNames.filter((name) => name !== 'wallet'))('the page %s has no host but its own', (name) => {
  for (const part of ['script-src', 'connect-src', 'style-src', 'img-src'])
    expect(policy(name).get(part)).not.toMatch(/https?:/);
  expect(policy(name).get('frame-src')).toBeUndefined();
  expect(policy(name).get('trusted-types')).toBe("'none'");
});

test.each(stateNames)('forms of %s go nowhere else, but for a visit by form', (name) => {
  const elsewhere = name === 'visit-post' ? "'self' https://acs.example https:" : "'self'";
  expect(policy(name).get('form-action')).toBe(elsewhere);
});

test('an address that is none opens the policy for nothing', () => {
  for (const url of ['javascript:alert(1)', 'https://a.example; script-src *', "x' *"]) {
    const model = pageModel({ kind: 'visit', nextAction: { ...states['visit-post'].nextAction, url } });
    expect(contentSecurityPolicy(model, 'abc')).toContain("form-action 'self'; base-uri");
  }
});

test('only the origins that the merchant names may show the page in a frame', () => {
  const frameOrigins = ['https://shop.example', 'https://m.shop.example'];
  const headers = pageHeaders(pageModel(states.ask, { frameOrigins }), { nonce: 'n', language: 'en' });
  expect(headers['content-security-policy']).toContain('frame-ancestors https://shop.example https://m.shop.example;');
  expect(headers['x-frame-options']).toBeUndefined();
});

test('the headers keep the page out of caches, frames and other pages', () => {
  expect(pageHeaders(pageModel(states.qr), { nonce: 'abc', language: 'en' })).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('clipboard-write=(self)'),
  });
});

test('every asset of a page is served, under the hash of its content', () => {
  const used = new Set<string>();
  const options = { nonce: 'abc', language: 'en' };
  const documents = [
    ...stateNames.map((name) => renderPage(pageModel(states[name]), options)),
    renderPage(pageModel(states.success, { frameOrigins: ['https://shop.example'] }), options),
    fragmentPage({ base: '/auth/token', ...options }),
    fieldsPage(
      { frame: 'form', token: 'token', origins: [], card: { taken: [], others: [] }, fields: [], saved: [], now: '' },
      options,
    ),
  ];
  for (const document of documents) {
    for (const [, path = '', integrity] of document.matchAll(/"(\/assets\/[^"]+)"\s+integrity="([^"]+)"/g)) {
      const body = pageAssets.get(path)?.body ?? '';
      expect(integrity).toBe(`sha384-${createHash('sha384').update(body).digest('base64')}`);
      used.add(path);
    }
    expect(document.match(/<script/g)?.length ?? 0).toBe(document.match(/<script[^>]* nonce="abc"/g)?.length ?? 0);
  }
  expect([...used].sort()).toEqual([...pageAssets.keys()].sort());
});

/** The oldest browsers that a page is for: Chrome 87, Firefox 78, Safari 14. */
const TOO_NEW =
  /:has\(|AbortSignal\.|requestSubmit|hasOwn|structuredClone|\.at\(|findLast|\.to(?:Sorted|Reversed|Spliced)|\(\?<[=!]/;

test.each(['page', 'live-status', 'card'] as const)('the script %s uses nothing that browsers lack', (name) => {
  const all = [script(name), ...script(name).imports];
  expect(all.filter(({ body }) => TOO_NEW.test(body)).map(({ path }) => path)).toEqual([]);
});

test('scripts and styles stay small', () => {
  const size = (type: string): number =>
    [...pageAssets.values()]
      .filter((asset) => asset.contentType.includes(type))
      .reduce((sum, asset) => sum + gzipSync(asset.body).length, 0);
  // All of them together, with their comments; a page has a few, and so has a frame of hosted fields.
  expect(size('javascript')).toBeLessThan(26 * 1024);
  expect(size('css')).toBeLessThan(8 * 1024);
});

test('the scripts of merchants’ pages are 12 KB at most, compressed', () => {
  const sizes = [...merchantScripts.values()].map(({ body }) => gzipSync(body).length);
  expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThan(12 * 1024);
});

test('the browser scripts keep to their types', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const project = 'packages/checkout/test/page/support/browser-scripts.json';
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  expect(() =>
    execFileSync(process.execPath, [compiler, '--project', project], { cwd: root, encoding: 'utf8' }),
  ).not.toThrow();
});
