import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { BROWSERS } from '../page/support/typing.ts';
import { fieldsBrowser, LONG } from '../support/fields-browser.ts';
import { TYPED } from '../support/hosted-fields.ts';

/** Longer than two polls of the page. */
const TWO_POLLS_MS = 11_000;
const open = fieldsBrowser(BROWSERS[0]);

/** What the shop's page was told, and how each call of `pay` ended. */
const noted = (page: Page, list: 'told' | 'ended'): Promise<unknown> =>
  page.evaluate((name) => Reflect.get(window, name), list);

/** Has the shop call `pay` of its one session, so many times at once. */
const pay = (page: Page, times = 1) =>
  page.evaluate((count) => {
    const own = Object(window);
    const note = (answer: unknown) => own.ended.push(Object(answer).result ?? 'nothing');
    for (let call = 0; call < count; call += 1) void own.session.pay({ name: 'Ada Example' }).then(note);
  }, times);

/**
 * A shop whose server sends the payments, for a card that was entered. Its first calls are refused, or answered, as `instead` says; `undefined` is
 * passed on to the checkout.
 */
async function shopWith(
  ctx: TestContext,
  { typed = TYPED, instead = [], framed }: { typed?: object; instead?: readonly unknown[]; framed?: true } = {},
) {
  const opened = await open(ctx);
  const { page, fields, service, provider } = { ...opened, provider: opened.service.provider };
  const token = await opened.goToShop({ layout: 'form' });
  expect((await fields.enter(token, typed)).status).toBe(200);
  await page.evaluate(
    (given) => {
      const own = Object(window);
      Object.assign(own, { told: [], ended: [], calls: [] });
      const send = async (body: object) => {
        const { refused, answer } = given.instead[own.calls.length] ?? {};
        own.calls.push(body);
        if (refused !== undefined) throw Object.assign(new Error(refused.message), refused);
        if (answer !== undefined) return answer;
        const reply = await fetch(`${given.url}/api/v1/processing/purchase/card`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', token: given.token },
          body: JSON.stringify(body),
        });
        return reply.json();
      };
      own.session = new own.PaySession({ send, ...(given.framed && { frame: 'bank' }) });
      own.session.onSuccess = () => own.told.push('success');
      own.session.onDecline = () => own.told.push('decline');
      own.session.onUndefined = ({ result }: { result: string }) => own.told.push(`undefined: ${result}`);
      own.session.handleError = ({ message }: Error) => own.told.push(`error: ${message}`);
    },
    { instead: instead.map(Object), url: service.url, token, framed },
  );
  /** The provider does not answer until the test lets it. */
  const hold = () => {
    let resolve = (_answers: boolean): void => undefined;
    const promise = new Promise<boolean>((settle) => (resolve = settle));
    provider.state.beforeReply = () => promise;
    onTestFinished(() => {
      resolve(true);
      provider.state.beforeReply = () => true;
    });
    return () => resolve(true);
  };
  const sent = async (count: number) =>
    expect.poll(() => page.evaluate(() => Reflect.get(window, 'calls').length), LONG).toBeGreaterThanOrEqual(count);
  return { ...opened, token, hold, sent };
}

const CHALLENGED = { ...TYPED, expiry: '12 / 38' };
const bankOf = (page: Page) => page.waitForFrame((frame) => frame.url().includes('/acs'), LONG);

test('a payment whose redirect comes after its first answer sends the payer to the bank', async (ctx) => {
  const { page, hold, sent } = await shopWith(ctx, { typed: CHALLENGED, framed: true });
  const release = hold();
  await pay(page);
  // The second call comes after the first answer, which knows nothing yet.
  await sent(2);
  release();
  await (await (await bankOf(page)).waitForSelector('button', LONG))?.click();
  await expect.poll(() => noted(page, 'told'), LONG).toEqual(['success']);
});

test('close() ends pay(): another card that is entered is not charged until pay() is called again', async (ctx) => {
  const { page, fields, token, charged } = await shopWith(ctx, { typed: CHALLENGED, framed: true });
  await pay(page);
  await bankOf(page);
  await page.evaluate(() => Reflect.get(window, 'session').close());
  await expect.poll(() => noted(page, 'ended'), LONG).toEqual(['nothing']);
  expect(await page.$('#bank iframe')).toBeNull();
  expect((await fields.enter(token, { ...TYPED, cvv: '321' })).status).toBe(200);
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), TWO_POLLS_MS);
  expect([charged(token).length, await noted(page, 'told')]).toEqual([1, []]);
  await pay(page);
  await expect.poll(() => noted(page, 'told'), LONG).toEqual(['success']);
  expect(charged(token)).toHaveLength(2);
});

test('a second pay() before the first answer is the same call, and a later one ends the earlier', async (ctx) => {
  const { page, token, charged } = await shopWith(ctx, { typed: CHALLENGED, framed: true });
  await pay(page, 2);
  await bankOf(page);
  expect(await page.evaluate(() => Reflect.get(window, 'calls').length)).toBe(1);
  await pay(page);
  await expect.poll(() => noted(page, 'ended'), LONG).toEqual(['nothing', 'nothing']);
  await (await (await bankOf(page)).waitForSelector('button', LONG))?.click();
  await expect.poll(() => noted(page, 'ended'), LONG).toEqual(['nothing', 'nothing', 'success']);
  expect([charged(token).length, await noted(page, 'told')]).toEqual([1, ['success']]);
});

test.for([
  { status: 400, message: 'Previous payment not completed.' },
  { status: 429, message: 'Too many requests. Send this one again in 1 seconds.', retryAfter: '1' },
])('a request that may be sent again is sent again: $status', async (refused, ctx) => {
  const { page } = await shopWith(ctx, { instead: [{ refused }] });
  await pay(page);
  await expect.poll(() => noted(page, 'told'), LONG).toEqual(['success']);
});

test.for([
  { status: 400, message: 'name: This value is too short.' },
  { status: 429, message: 'Too many requests.', retryAfter: '600' },
])('a first request that is refused is told as an error: $status', async (refused, ctx) => {
  const { page } = await shopWith(ctx, { instead: [{ refused }] });
  await pay(page);
  await expect.poll(() => noted(page, 'told'), LONG).toEqual([`error: ${refused.message}`]);
});

test('a refusal while the payment is under way says that nothing is known, and is no error', async (ctx) => {
  const { page, hold } = await shopWith(ctx, { instead: [{}, { refused: { status: 401, message: 'Over.' } }] });
  hold();
  await pay(page);
  await expect.poll(() => noted(page, 'told'), LONG).toEqual(['undefined: undefined']);
});

test.for([
  ['GET', {}, 'GET /acs?sig=a%20b%7Ec+d '],
  ['POST', { submit: '1', remove: 'é' }, 'POST /acs?sig=a%20b%7Ec+d submit=1&remove=%C3%A9'],
] as const)(
  'the bank gets its address and its parameters as it gave them, by %s',
  async ([redirect_method, redirect_params, line], ctx) => {
    const opened = await open(ctx);
    const redirect_url = `${opened.shop.origin}/acs?sig=a%20b%7Ec+d`;
    const answer = { result: 'redirect', public_id: 'p-1', redirect_url, redirect_method, redirect_params };
    await opened.goToShop({ layout: 'form' });
    await opened.page.evaluate((given) => {
      const own = Object(window);
      void new own.PaySession({ send: async () => given }).pay({ name: 'Ada Example' });
    }, answer);
    await opened.page.waitForFunction(() => document.title === 'Back at the shop', LONG);
    expect(opened.shop.got).toContain(line);
  },
);
