import { describe, expect, test } from 'vitest';
import { expiring, saleFields } from '../support/card-commands.ts';
import { type CardService, cardService } from '../support/card-service.ts';
import { sendCommand, toldCommand } from '../support/commands.ts';
import { listen } from '../support/listen.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const SHOP = 'https://shop.example';
const MERCHANT = { frameOrigins: [SHOP] };
const open = serviceBrowser(() => cardService({}, MERCHANT));

/** A sale that waits for the payer at the acquirer, and the address at which they come back. */
async function sentAway({ url, provider }: CardService, change: Readonly<Record<string, string>> = {}) {
  const fields = saleFields({ ...expiring('05/2038'), ...change });
  const { json } = await sendCommand(url, fields);
  expect(json).toMatchObject({ result: 'REDIRECT' });
  const back = provider.asked.find(({ reference }) => reference === json['trans_id'])?.return_url ?? '';
  return { fields, back };
}

/** How the payer's browser is led on. @param dest what it says that it loads */
async function ledOn(back: string, dest?: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(dest && { 'sec-fetch-dest': dest }) };
  const reply = await fetch(back, { method: 'POST', headers, body: 'cres=cres', redirect: 'manual' });
  const target = /target="([^"]*)"/.exec(await reply.text())?.[1];
  return { reply, led: reply.status === 303 ? 'redirect' : target };
}

describe('a payer who comes back', () => {
  test.for([
    ['', 'document', 'redirect'],
    ['', 'iframe', '_top'],
    ['', undefined, 'redirect'],
    ['_self', 'iframe', 'redirect'],
    ['_top', 'document', 'redirect'],
    ['_parent', 'iframe', '_parent'],
    ['_blank', 'document', '_blank'],
    ['shop-frame', 'document', 'shop-frame'],
    ['"><script>', 'iframe', '&quot;&gt;&lt;script&gt;'],
  ] as const)('with term_url_target "%s" as %s is led on by %s', async ([sent, dest, expected], ctx) => {
    const { service } = await open(ctx);
    const { fields, back } = await sentAway(service, sent === '' ? {} : { term_url_target: sent });
    const { reply, led } = await ledOn(back, dest);
    expect(led).toBe(expected);
    if (expected === 'redirect') expect(reply.headers.get('location')).toBe(fields['term_url_3ds']);
    else expect(reply.headers.get('content-security-policy')).toContain(`frame-ancestors ${SHOP}`);
    await toldCommand(service.shop, fields['order_id'], 'SETTLED');
  });

  test('in a frame of a page that the merchant has not listed is redirected there', async () => {
    const service = await cardService();
    const { back } = await sentAway(service, { term_url_target: '_top' });
    expect((await ledOn(back, 'iframe')).led).toBe('redirect');
    await service.stop();
  });

  test('goes where the account says, whatever the request says', async () => {
    const service = await cardService({}, MERCHANT, { linkTarget: '_parent' });
    const { back } = await sentAway(service, { term_url_target: '_self' });
    expect((await ledOn(back, 'iframe')).led).toBe('_parent');
    await service.stop();
  });

  test('leaves the shop’s frame by pressing, and is at the shop', async (ctx) => {
    const { page, complaints } = await open(ctx);
    const shop = await listen(({ url = '' }, _body, response) => {
      const framed = url.startsWith('/framed?') ? `<iframe src="${url.slice('/framed?'.length)}"></iframe>` : '';
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Shop</title>${framed}`);
    });
    ctx.onTestFinished(shop.close);
    const service = await cardService({}, { frameOrigins: [shop.url] });
    ctx.onTestFinished(service.stop);
    const { fields, back } = await sentAway(service, { term_url_target: '_top', term_url_3ds: `${shop.url}/paid` });
    await page.goto(`${shop.url}/framed?${back}?cres=cres`);
    await page
      .frameLocator('iframe')
      .getByRole('link', { name: /^Back to/ })
      .click();
    await page.waitForURL(`${shop.url}/paid`);
    expect(complaints).toEqual([]);
    await toldCommand(service.shop, fields['order_id'], 'SETTLED');
  });
});
