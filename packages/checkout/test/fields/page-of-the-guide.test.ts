import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blocksOf } from '../../../../test/docs/blocks.ts';
import { BROWSERS } from '../page/support/typing.ts';
import { fieldsBrowser, typeCard, untilSays } from '../support/fields-browser.ts';
import { listen } from '../support/listen.ts';

const path = 'docs/hosted-fields.md';
const blocks = blocksOf({ path, text: readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8') });
const block = (language: string, begin: string): string =>
  blocks.find((each) => each.language === language && each.text.startsWith(begin))?.text.trim() ?? '';
const html = block('html', '<!doctype html>');
const policy = block('text', 'script-src');

/** The page of the guide, with its policy and nothing else allowed. It is served where the merchant's shop is. */
const shopOf = async () => {
  const page = { html: '', policy: '' };
  const server = await listen((_request, _body, response) => {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': page.policy };
    response.writeHead(200, headers).end(page.html);
  });
  onTestFinished(() => server.close());
  return { page, url: server.url };
};

describe.each(BROWSERS)('the page of the guide in $name', (browser) => {
  const open = fieldsBrowser(browser);

  test.for([
    ['by the address of the scripts', false],
    ['by their hashes', true],
  ] as const)('pays under its Content-Security-Policy, which allows the scripts %s', async ([, isByHash], ctx) => {
    const { page, service, newToken, charged, complaints } = await open(ctx);
    const shop = await shopOf();
    await service.configure((merchants) => merchants.map((each) => ({ ...each, fieldOrigins: [shop.url] })));
    const token = await newToken();
    const at = (text: string) =>
      text.replaceAll('https://pay.example.com', service.url).replaceAll('RANDOM', 'bm9uY2U=');
    const hashes: unknown = await (await fetch(`${service.url}/sdk/integrity.json`)).json();
    const byHash = (text: string) =>
      Object.entries(Object(hashes)).reduce(
        (whole, [name, hash]) => whole.replace(`sdk/${name}"`, `sdk/${name}" crossorigin integrity="${String(hash)}"`),
        text,
      );
    const ownHtml = at(html).replace('THE TOKEN', token);
    shop.page.html = isByHash ? byHash(ownHtml) : ownHtml;
    const allowed = Object.values(Object(hashes)).map((hash) => `'${String(hash)}'`);
    const ownPolicy = isByHash ? at(policy).replace(`${service.url}/sdk/`, allowed.join(' ')) : at(policy);
    // A browser asks each page for its icon.
    shop.page.policy = `default-src 'none'; img-src 'self'; ${ownPolicy}`;
    await page.goto(shop.url);
    await page.type('#name', 'Ada Example');
    await typeCard(page, 'form');
    await page.click('button');
    await untilSays(page, 'Thank you.');
    expect(charged(token)).toHaveLength(1);
    expect(complaints).toEqual([]);
    for (const [name, hash] of Object.entries(Object(hashes))) {
      const reply = await fetch(`${service.url}/sdk/${name}`);
      const digest = createHash('sha384')
        .update(await reply.text())
        .digest('base64');
      const again = await fetch(`${service.url}/sdk/${name}`, {
        headers: { 'if-none-match': reply.headers.get('etag') ?? '' },
      });
      expect([reply.headers.get('cache-control'), again.status]).toEqual(['no-cache', 304]);
      expect(again.headers.get('access-control-allow-origin')).toBe('*');
      expect([hash, reply.headers.get('access-control-allow-origin')]).toEqual([`sha384-${digest}`, '*']);
    }
  });
});
