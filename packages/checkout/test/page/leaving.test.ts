import { describe, expect, test } from 'vitest';
import { renderPage } from '../../src/page/index.ts';
import { browserTests, soon } from './support/browser.ts';
import { pageModel, states } from './support/models.ts';

const open = browserTests();

describe('sending the payer away', () => {
  test('goes on at once with a link', async (ctx) => {
    const { page, server, foreign, complaints } = await open(ctx);
    await page.goto(server.url(server.serve(pageModel(states['visit-get']), { leaves: true })));
    await soon(() => foreign.map((one) => one.url)).toEqual(['https://bank.example/start?a=1&b=2']);
    expect(complaints).toEqual([]);
  });

  test('goes on at once with a form, every field byte for byte', async (ctx) => {
    const { page, server, foreign, complaints } = await open(ctx);
    await page.goto(server.url(server.serve(pageModel(states['visit-post']), { leaves: true })));
    await soon(() => foreign).toEqual([{ method: 'POST', url: 'https://acs.example/3ds', body: 'PaReq=a%26%22%3Cb' }]);
    expect(complaints).toEqual([]);
  });

  test('waits for the payer after Back', async (ctx) => {
    const { page, server } = await open(ctx);
    const visited: string[] = [];
    await page.context().route('https://acs.example/**', (route) => {
      visited.push(route.request().method());
      return route.fulfill({ contentType: 'text/html', body: '<h1>bank</h1>' });
    });
    await page.goto(server.url(server.serve(pageModel(states['visit-post']), { leaves: true })));
    await page.getByRole('heading', { name: 'bank' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Continue on the next page' }).waitFor();
    await page.waitForLoadState('load');
    // The script would have gone on in the turn after that.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    expect(visited).toEqual(['POST']);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'bank' }).waitFor();
    expect(visited).toEqual(['POST', 'POST']);
  });

  test('opens a new window from a frame that may only be left to the top', async (ctx) => {
    const { page, server, foreign } = await open(ctx);
    const served = server.serve(pageModel(states['visit-get'], { urlTarget: '_top' }), { leaves: true, framed: true });
    await page.goto(`${server.origin}/frame${served.model.base}`);
    const frame = page.frameLocator('iframe');
    await frame.getByText('in a new window').waitFor();
    expect(foreign).toEqual([]);
    // A window needs something to show.
    await page.context().route('https://bank.example/**', (route) => route.fulfill({ body: 'bank' }));
    const opened = page.context().waitForEvent('page');
    await frame.getByRole('link', { name: 'Continue' }).click();
    const window = await opened;
    await soon(() => window.url()).toBe('https://bank.example/start?a=1&b=2');
    expect(page.url()).toBe(`${server.origin}/frame${served.model.base}`);
  });

  test('goes back to the shop out of a frame when the payer presses the link, in the context that was named', async (ctx) => {
    const { page, server, foreign } = await open(ctx);
    const options = { leaves: true, framed: true };
    const served = server.serve(pageModel(states.success, { urlTarget: '_top' }), options);
    await page.clock.install();
    await page.goto(`${server.origin}/frame${served.model.base}`);
    const link = page.frameLocator('iframe').getByRole('link', { name: 'Back to' });
    await link.waitFor();
    await page.clock.fastForward(5000);
    expect(foreign).toEqual([]);
    await page.context().route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }));
    await link.click();
    await soon(() => page.url()).toBe('https://shop.example/thanks?order=1');
  });

  test('goes back to the merchant after a moment', async (ctx) => {
    const { page, server, foreign } = await open(ctx);
    await page.clock.install();
    await page.goto(server.url(server.serve(pageModel(states.success), { leaves: true })));
    expect(foreign).toEqual([]);
    await page.clock.fastForward(3100);
    await soon(() => foreign.map((one) => one.url)).toEqual(['https://shop.example/thanks?order=1']);
  });

  test('goes back to the context that the merchant named', async (ctx) => {
    const { page, server } = await open(ctx);
    await page.goto(server.url(server.serve(pageModel(states.success, { urlTarget: '_parent' }))));
    expect(await page.getByRole('link', { name: 'Back to' }).getAttribute('target')).toBe('_parent');
  });

  test('a form of the page cannot be answered with a way to somewhere else', async (ctx) => {
    const { page, server, foreign, complaints } = await open(ctx);
    const served = server.serve(pageModel(states['ask-nothing']), { postGoesTo: 'https://evil.example/' });
    await page.goto(server.url(served));
    await page.getByRole('button', { name: /Pay/ }).click();
    await soon(() => complaints.join()).toContain('form-action');
    expect(foreign).toEqual([]);
  });
});

describe('without scripts', () => {
  const look = { javaScriptEnabled: false, width: 320 };

  test('a form is filled in and sent, and describes no browser', async (ctx) => {
    const { page, server } = await open(ctx, look);
    const served = server.serve(pageModel({ ...states.ask, fields: states.ask.fields.slice(0, 1) }));
    await page.goto(server.url(served));
    await page.getByLabel('Name').fill('Maria da Silva');
    await page.getByRole('button', { name: /Pay/ }).click();
    await soon(() => served.seen.find((one) => one.path === 'pay')?.body).toBe(
      'method=pix&browser=&customer.name=Maria+da+Silva',
    );
  });

  test('a code can be scanned, selected and looked after', async (ctx) => {
    const { page, server } = await open(ctx, look);
    const served = server.serve(pageModel(states.qr));
    await page.goto(server.url(served));
    expect(await page.locator('.qr').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);
    expect(await page.getByLabel('Or copy the code').inputValue()).toBe(states.qr.show.content);
    expect(await page.locator('.countdown').innerText()).toContain('Valid until Wednesday, March 4 at 12:14 PM UTC');
    served.grow(pageModel(states.success));
    await page.getByRole('link', { name: 'Check now' }).click();
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
  });

  test.each([
    ['checking', /^10;url=\/auth\/token-\d+$/],
    ['success', /^5;url=https:\/\/shop\.example\/thanks\?order=1$/],
  ] as const)('%s goes on by itself', async (name, content) => {
    const document = renderPage(pageModel(states[name]), { nonce: 'n', language: 'en' });
    const refresh = /<noscript><meta http-equiv="refresh" content="([^"]+)"/.exec(document)?.[1];
    expect(refresh?.replaceAll('&amp;', '&')).toMatch(content);
  });

  test.each(['visit-get', 'visit-post'] as const)(
    '%s waits for the payer, who could not leave it otherwise',
    (name) => {
      const document = renderPage(pageModel(states[name]), { nonce: 'n', language: 'en' });
      expect(document).not.toContain('http-equiv="refresh"');
      expect(document).toMatch(/action="[^"]*\/change"[\s\S]*action="[^"]*\/cancel"/);
    },
  );

  test('the payer is sent away with a button', async (ctx) => {
    const { page, server, foreign } = await open(ctx, look);
    await page.goto(server.url(server.serve(pageModel(states['visit-post']))));
    await page.getByRole('button', { name: 'Continue' }).click();
    await soon(() => foreign.map((one) => one.body)).toEqual(['PaReq=a%26%22%3Cb']);
  });
});
