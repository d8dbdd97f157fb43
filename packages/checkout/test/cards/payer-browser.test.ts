import { BROWSER_FIELDS } from '@railyard/core/payment';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { GivenCatalogue } from '../../src/index.ts';
import { type AcquirerService, acquirerService, told } from '../support/acquirer-service.ts';
import { callbackHashOf } from '../support/callback-hash.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { createPage, merchant } from '../support/service.ts';

const HEADERS = { 'user-agent': 'Browser/1', accept: 'text/html', 'accept-language': 'pt-BR,pt;q=0.8' };
/** As the script of the page writes it. */
const DESCRIBED = {
  language: 'pt',
  javaEnabled: false,
  colorDepth: 30,
  screenHeight: 844,
  screenWidth: 390,
  timeZoneOffset: 180,
  platform: 'iPhone',
};
const FIELDS = {
  browser_color_depth: '30',
  browser_screen_height: '844',
  browser_screen_width: '390',
  browser_java_enabled: 'false',
  browser_javascript_enabled: 'true',
  browser_language: 'pt',
  browser_timezone_offset: '180',
  browser_user_agent: 'Browser/1',
  browser_accept_headers: 'text/html',
  browser_platform: 'iPhone',
} satisfies Record<(typeof BROWSER_FIELDS)[number], string>;
const BY_HEADERS = {
  browser_javascript_enabled: 'false',
  browser_language: 'pt-BR',
  browser_user_agent: 'Browser/1',
  browser_accept_headers: 'text/html',
};

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
});

afterAll(() => service.stop());

type Switches = Pick<GivenCatalogue['merchants'][number], 'callbackData' | 'statusData'>;

const ofBrowser = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith('browser_')));

/** Pays by card from a browser that is described so. @returns the acquirer's view of it, and the merchant's */
async function pay(described: string, switches: Switches, card = CARD) {
  await service.configure((merchants) => merchants.map((each) => ({ ...each, ...switches })));
  const body = cardBody();
  const before = service.asked.length;
  const reply = await payByCard(await createPage(service.url, body), { ...card, browser: described }, HEADERS);
  // On a busy machine the page is answered before the acquirer is asked.
  const request = await vi.waitUntil(() => service.asked[before], { timeout: 60_000 });
  const sent: { payer: { browser: object } } = JSON.parse(String(request.body));
  return { reply, sent: sent.payer.browser, number: body.order.number };
}

/** The browser fields of the callback, and of the status of a settled payment. */
async function toldOf(number: string) {
  const fields = await told(service, number, { order_status: 'settled' });
  expect(fields['hash']).toBe(callbackHashOf(fields, merchant.password));
  const status = await service.byOrder(number, '1');
  return { callback: ofBrowser(fields), status: ofBrowser(Object([status].flat()[0])) };
}

const ALL = { callbackData: [...BROWSER_FIELDS], statusData: [...BROWSER_FIELDS] };

describe('the payer’s browser', () => {
  test('goes to the acquirer, and to callbacks and status where it is switched on', async () => {
    const { sent, number } = await pay(JSON.stringify(DESCRIBED), ALL);
    expect(sent).toEqual({
      user_agent: 'Browser/1',
      accept: 'text/html',
      language: 'pt',
      java_script_enabled: true,
      java_enabled: false,
      color_depth: 30,
      screen_height: 844,
      screen_width: 390,
      time_zone_offset: 180,
    });
    expect(await toldOf(number)).toEqual({ callback: FIELDS, status: FIELDS });
  });

  test('without scripts is known by its headers alone', async () => {
    const { sent, number } = await pay('', ALL);
    expect(sent).toEqual({
      user_agent: 'Browser/1',
      accept: 'text/html',
      language: 'pt-BR',
      java_script_enabled: false,
    });
    expect(await toldOf(number)).toEqual({ callback: BY_HEADERS, status: BY_HEADERS });
  });

  test.each([DESCRIBED, ''])('is authenticated, described as %j', async (described) => {
    const text = described === '' ? '' : JSON.stringify(described);
    const { reply, number } = await pay(text, {}, { ...CARD, 'card.expiry': '05 / 38' });
    expect(reply.status).toBe(303);
    expect(await service.byOrder(number, '1')).toMatchObject([{ status: 'pending' }]);
  });

  test.each(BROWSER_FIELDS)('%s has a switch of its own for callbacks, and one for status', async (name) => {
    const only = { [name]: FIELDS[name] };
    const first = await pay(JSON.stringify(DESCRIBED), { callbackData: [name], statusData: [] });
    expect(await toldOf(first.number)).toEqual({ callback: only, status: {} });
    const second = await pay(JSON.stringify(DESCRIBED), { callbackData: [], statusData: [name] });
    expect(await toldOf(second.number)).toEqual({ callback: {}, status: only });
  });

  test('is reported with a later refund as well', async () => {
    const { number } = await pay(JSON.stringify(DESCRIBED), ALL);
    const { id = '' } = await told(service, number, { order_status: 'settled' });
    await service.refund(id, '10.00');
    expect(ofBrowser(await told(service, number, { type: 'refund', status: 'success' }))).toEqual(FIELDS);
  });
});

describe('a stranger who describes a browser', () => {
  test.each([
    ['what no browser has', { colorDepth: 7, screenHeight: -1, screenWidth: 1e9, timeZoneOffset: 900, language: '*' }],
    ['other types', { colorDepth: '24', screenHeight: [1], javaEnabled: 'no', timeZoneOffset: 1.5, platform: {} }],
    [
      'foreign names',
      { ip: '198.51.100.1', constructor: 1, __proto__: { colorDepth: 24 }, userAgent: 'x', accept: 'x' },
    ],
    ['control characters', { platform: 'a\r\nb', language: 'en\u0000' }],
  ])('and says %s is not believed, and pays', async (_what, described) => {
    const { sent, number } = await pay(JSON.stringify(described), ALL);
    expect(sent).toMatchObject({ user_agent: 'Browser/1', accept: 'text/html', java_script_enabled: true });
    const { browser_language: _language, ...known } = (await toldOf(number)).callback;
    expect(known).toEqual({
      browser_javascript_enabled: 'true',
      browser_user_agent: 'Browser/1',
      browser_accept_headers: 'text/html',
    });
  });

  test.each(['{', '[]', '"text"', 'null', '7'])('with %s has said nothing', async (text) => {
    const { number } = await pay(text, ALL);
    expect((await toldOf(number)).callback).toEqual(BY_HEADERS);
  });
});
