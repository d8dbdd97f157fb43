import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../page/support/typing.ts';
import {
  faultsOf,
  fieldsBrowser,
  frameOf,
  inputIn,
  KEYS,
  listOf,
  LONG,
  typeCard,
  untilSays,
} from '../support/fields-browser.ts';
import { PAYMENT } from '../support/hosted-fields.ts';
import { listen, type Listening } from '../support/listen.ts';

/** A page that does what it can to reach the fields beside it, and the page that holds them. */
const HOSTILE = `<!doctype html><html lang="en"><title>Other</title><script>
window.heard = [];
window.tries = 0;
addEventListener('message', ({ data }) => heard.push(data));
setInterval(() => {
  for (let index = 0; index < parent.length; index += 1) {
    if (parent[index] === window) continue;
    for (const type of ['init', 'collect', 'focus', 'clear', 'ask'])
      parent[index].postMessage({ type, nonce: 'guess', group: 'guess', parts: ['card'], field: 'card' }, '*');
    try { heard.push(parent[index].document.body.innerHTML); } catch {}
    try { parent[index].location = 'about:blank'; } catch {}
  }
  parent.postMessage({ type: 'result', nonce: 'guess', result: 'success', message: 'forged' }, '*');
  tries += 1;
}, 50);
</script></html>`;

let other: Listening;
beforeAll(async () => {
  other = await listen((request, _body, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const framed = searchParams.get('frame');
    const page =
      framed === null ? HOSTILE : `<!doctype html><title>Other shop</title><iframe src="${framed}"></iframe>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
});
afterAll(() => other?.close());

describe.each(BROWSERS)('the frames of hosted fields in $name', (browser) => {
  const open = fieldsBrowser(browser);

  test.for(['form', 'fields'] as const)(
    'give a page of a third origin no event, no value and no focus in the layout %s',
    async (layout, ctx) => {
      const { page, goToShop, charged } = await open(ctx);
      const token = await goToShop({ layout, beside: `${other.url}/` });
      await page.type('#name', 'Ada Example');
      await typeCard(page, layout);
      const hostile = page.frames().find((frame) => frame.url().startsWith(other.url)) ?? expect.fail('No other page.');
      // The fields are there and filled: the next two turns reach for them.
      const tries = () => hostile.evaluate(() => Number(Reflect.get(window, 'tries')));
      const before = await tries();
      await expect.poll(tries, LONG).toBeGreaterThan(before + 1);
      expect(await hostile.evaluate(() => document.hasFocus())).toBe(false);
      expect(await (await inputIn(page, layout, 'cvv')).evaluate((input) => document.activeElement === input)).toBe(
        true,
      );
      expect(await listOf(page, 'results')).toEqual([]);
      await page.click('button');
      await untilSays(page, 'paid');
      expect(await hostile.evaluate(() => Reflect.get(window, 'heard'))).toEqual([]);
      expect(await listOf(page, 'results')).toMatchObject([{ result: 'success', message: '' }]);
      expect(charged(token)).toMatchObject([{ card: { number: '4111111111111111' } }]);
    },
  );

  test('heed no message without the nonce, and none that the shop’s page did not send', async (ctx) => {
    const { page, goToShop } = await open(ctx);
    await goToShop({ layout: 'form' });
    await typeCard(page, 'form');
    const number = await inputIn(page, 'form', 'number');
    await page.evaluate(() => {
      for (const nonce of ['guess', undefined]) window.frames[0]?.postMessage({ type: 'clear', nonce }, '*');
    });
    // Messages arrive in their order: once this one has, the others have.
    await page.evaluate(() => Reflect.get(window, 'fields').focus('expiry'));
    const expiry = await inputIn(page, 'form', 'expiry');
    await expect.poll(() => expiry.evaluate((input) => document.activeElement === input), LONG).toBe(true);
    expect(await number.evaluate(({ value }) => value)).toBe('4111 1111 1111 1111');
    await page.evaluate(() => Reflect.get(window, 'fields').clear());
    await expect.poll(() => number.evaluate(({ value }) => value), LONG).toBe('');
  });

  test('show nothing in a page whose origin the merchant has not listed', async (ctx) => {
    const { page, service, newToken } = await open(ctx);
    const address = `${service.url}/fields/frame/form/${await newToken()}`;
    await page.goto(`${other.url}/?frame=${encodeURIComponent(address)}`);
    await page.waitForFunction(() => document.readyState === 'complete', LONG);
    for (const frame of page.frames()) expect(await frame.$('input')).toBeNull();
    // Opened by itself it has the form, and no page to tell of it.
    await page.goto(address);
    expect(await page.$('input[name="card.number"]')).not.toBeNull();
  });

  test.for([
    ['form', 'en'],
    ['fields', 'en'],
    ['form', 'ar'],
  ] as const)('have nothing that axe finds: %s, %s', async ([layout, language], ctx) => {
    const { page, goToShop } = await open(ctx);
    await goToShop({ layout, language });
    await typeCard(page, layout, { ...KEYS, expiry: '0120' });
    await page.click('button');
    await untilSays(page, 'not sent');
    const names = layout === 'form' ? ['form'] : ['card', 'expiry', 'cvv'];
    for (const name of names) {
      // A frame has no heading: the page around it has.
      expect(await faultsOf(await frameOf(page, name), ['page-has-heading-one'])).toEqual([]);
    }
    expect(await faultsOf(page.mainFrame())).toEqual([]);
  });

  test('offer the saved cards of the request, and ask for the code alone', async (ctx) => {
    const { page, goToShop, newToken, fields, service, charged } = await open(ctx);
    const first = await newToken({ req_token: true });
    await fields.enter(first);
    const paid = await fields.pay(first, PAYMENT);
    const id = Object(paid.json).public_id;
    const { fields: told } = await service.shop.until(
      ({ fields: each }) => each.id === id && each.card_token !== undefined,
    );
    const token = await newToken({ card_token: [told.card_token] });
    await goToShop({ layout: 'form', token });
    const frame = await frameOf(page, 'form');
    expect(await frame.$$eval('.choice', (all) => all.map(({ textContent }) => textContent?.trim()))).toEqual([
      'Visa ending in 1111, expires 01/2038',
      'A new card',
    ]);
    await page.focus('#name');
    await page.keyboard.type('Ada Example');
    // The chosen card, then its code: number and date are not there.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('321');
    await page.keyboard.press('Enter');
    await untilSays(page, 'paid');
    expect(charged(token)).toMatchObject([{ card: { number: '4111111111111111', cvv: '321', stored: true } }]);
  });

  test('ask for the code alone where it is gone', async (ctx) => {
    const { page, goToShop, newToken, fields } = await open(ctx);
    const token = await newToken();
    await fields.enter(token);
    await goToShop({ layout: 'fields', token, only: ['cvv'] });
    await typeCard(page, 'fields', { cvv: '456' });
    await page.click('button');
    await expect
      .poll(() => listOf(page, 'results'), LONG)
      .toMatchObject([{ result: 'success', card: { last_four: '1111' } }]);
  });

  test('take the look of a closed list', async (ctx) => {
    const { page, goToShop } = await open(ctx);
    const style = {
      input: {
        fontSize: '18px',
        background: 'rgb(1, 2, 3)',
        position: 'fixed',
        opacity: '0',
        'border-image': 'url(x)',
      },
      '::placeholder': { color: 'rgb(4, 5, 6)' },
      'body } input': { color: 'red' },
    };
    await goToShop({ layout: 'form', options: { style } });
    const number = await inputIn(page, 'form', 'number');
    expect(
      await number.evaluate((input) => {
        const { fontSize, backgroundColor, position, opacity } = getComputedStyle(input);
        const rules = document.adoptedStyleSheets.flatMap(({ cssRules }) =>
          [...cssRules].map(({ cssText }) => cssText),
        );
        return [fontSize, backgroundColor, position, opacity, rules.at(-1)];
      }),
    ).toEqual(['18px', 'rgb(1, 2, 3)', 'static', '1', 'input::placeholder { color: rgb(4, 5, 6); }']);
    const [ready] = (await listOf(page, 'events')).filter((each) => Array.isArray(each) && each[1] === 'ready');
    expect(ready).toMatchObject([
      'form',
      'ready',
      { ignored: ['input position', 'input opacity', 'input border-image', 'body } input'] },
    ]);
  });
});

describe('the form in one frame in Chromium', () => {
  const open = fieldsBrowser(BROWSERS[0]);

  test.for([
    ['is loaded again', 'A payment field was loaded again.'],
    ['gets no answer', 'The payment fields did not answer.'],
  ] as const)('that %s while it sends the card ends that with not-ready', async ([how, message], ctx) => {
    const { page, goToShop } = await open(ctx);
    await goToShop({ layout: 'form' });
    await typeCard(page, 'form');
    const frame = await frameOf(page, 'form');
    await frame.evaluate(() => {
      const sending = new Promise<void>((resolve) => {
        window.fetch = () => {
          resolve();
          return new Promise(() => undefined);
        };
      });
      Object.assign(window, { sending });
    });
    await page.evaluate(() => void Reflect.get(window, 'fields').collectIframesData());
    await frame.evaluate(() => Reflect.get(window, 'sending'));
    if (how === 'is loaded again')
      await page.$eval('#form iframe', (element) => element.setAttribute('src', element.getAttribute('src') ?? ''));
    await expect.poll(() => listOf(page, 'results'), LONG).toEqual([{ result: 'error', code: 'not-ready', message }]);
  });

  test('that is taken away is not ready until init is called again', async (ctx) => {
    const { page, goToShop } = await open(ctx);
    await goToShop({ layout: 'form' });
    await page.evaluate(() => {
      const { fields } = Object(window);
      fields.destroy();
      void fields.collectIframesData();
    });
    await expect
      .poll(() => listOf(page, 'results'), LONG)
      .toEqual([{ result: 'error', code: 'not-ready', message: 'Call init first.' }]);
  });

  test('is refused by a rejection where the page lacks an element, and leaves no frame behind', async (ctx) => {
    const { page, goToShop } = await open(ctx);
    await goToShop({ layout: 'form' });
    const refused = await page.evaluate(() => {
      const fields = new (Object(window).HostedFields)();
      return fields.init({ sessionToken: 'any', fields: { card: { id: 'bank' }, cvv: { id: 'none' } } }).catch(String);
    });
    expect(refused).toBe('Error: The page has no element with the id "none" for the field cvv.');
    expect(await page.$('#bank iframe')).toBeNull();
  });

  test('is filled by the browser with a saved card at once', async (ctx) => {
    const { page, goToShop, charged } = await open(ctx);
    const token = await goToShop({ layout: 'form' });
    await page.type('#name', 'Ada Example');
    const number = await inputIn(page, 'form', 'number');
    await number.autofill({
      creditCard: {
        number: '4111111111111111',
        name: 'Ada Example',
        expiryMonth: '01',
        expiryYear: '2038',
        cvc: '123',
      },
    });
    await expect
      .poll(async () => (await inputIn(page, 'form', 'expiry')).evaluate(({ value }) => value), LONG)
      .toBe('01 / 2038');
    expect(await number.evaluate(({ value }) => value)).toBe('4111 1111 1111 1111');
    await typeCard(page, 'form', { cvv: '123' });
    await page.click('button');
    await untilSays(page, 'paid');
    expect(charged(token)).toHaveLength(1);
  });
});
