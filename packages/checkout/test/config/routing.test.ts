import { instantConnector } from '@railyard/connector-pix';
import { createRegistry, parseProfile } from '@railyard/core/registry';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Checkout, type CheckoutConfig, createLog, type GivenCatalogue, startCheckout } from '../../src/index.ts';
import { anyMethodConnector, anyMethodProvider } from '../support/any-method-connector.ts';
import { errorLines } from '../support/any-method-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { testKeyAt } from '../support/pix-config.ts';
import { callbackSecret, receiver } from '../support/receiver.ts';
import { merchant, post, pressPay, sessionBody } from '../support/service.ts';

let provider: Awaited<ReturnType<typeof anyMethodProvider>>;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let checkout: Checkout;

type Mid = GivenCatalogue['mids'][number];
const mid = (id: string, change: Partial<Mid> = {}): Mid => ({
  id,
  connector: anyMethodConnector.id,
  settings: { base_url: provider.url },
  ...change,
});

/** `card` by four accounts and a test account, `bank` by one, `coin` only live. */
function catalogue(change: Partial<GivenCatalogue['merchants'][number]> = {}): GivenCatalogue {
  return {
    mids: [
      mid('small', { channels: ['web'], mode: 'SMS', limits: { card: [{ currency: 'USD', max: '50.00' }] } }),
      mid('large', { channels: ['web', 'app'], currencies: ['USD', 'EUR'], linkTarget: '_top' }),
      mid('hold', { channels: ['hold'], mode: 'DMS' }),
      mid('trial', { test: true, channels: ['trial'] }),
      mid('bank', { limits: { redirect: [{ currency: 'USD', max: '1000.00' }] } }),
      mid('coin', { test: false }),
    ],
    merchants: [
      {
        ...merchant,
        test: testKeyAt(shop.url),
        name: 'Routed shop',
        digest: 'both',
        callbackUrl: shop.url,
        callbackSecret,
        callbackData: ['mid_name'],
        returnData: ['payment_method'],
        methods: [
          { key: 'card', mid: ['small', 'large', 'hold', 'trial'] },
          { key: 'bank-a', method: 'redirect', mid: 'bank', limits: [{ currency: 'EUR', max: '20.00' }] },
          { key: 'crypto', mid: 'coin' },
        ],
        ...change,
      },
    ],
  };
}

beforeAll(async () => {
  [provider, shop, directory] = [await anyMethodProvider(), await receiver(), await newDataDir()];
  const port = await freePort();
  const config: CheckoutConfig = {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    ...directory.place,
    callbackNetwork: 'any',
    connectors: [anyMethodConnector, instantConnector],
    ...catalogue(),
  };
  checkout = await startCheckout(config, { log: createLog({ write: () => undefined }) });
});
afterAll(async () => {
  await checkout.stop();
  await Promise.all([provider.close(), shop.close(), directory.remove()]);
});
beforeEach(() => checkout.configure(catalogue()));

type Order = Readonly<Record<string, string>>;
const create = (change: object, order: Order = {}) => {
  const body = sessionBody({ methods: ['card'], ...change }, { currency: 'USD', ...order });
  return post(`${checkout.url}/api/v1/session`, body).then((answer) => ({ body, ...answer }));
};

/** The MID that charges for a request whose payer takes this method, and the page where he ends. */
async function chargedBy(change: object, order: Order = {}, method = 'card') {
  const { body, status, json } = await create(change, order);
  if (status !== 200) return errorLines(json).join('\n');
  const page = String(Reflect.get(Object(json), 'redirect_url'));
  expect((await pressPay(page, { method })).status).toBe(303);
  const { fields } = await shop.until((told) => told.fields.order_number === body.order.number);
  return fields.mid_name;
}

const NOT_VALID = 'The value you selected is not a valid choice.';

describe('a payment', () => {
  test.each<[string, string | undefined, object, Order?]>([
    ['goes to the first MID', 'small', {}],
    ['goes to the next where the amount is too much for the first', 'large', {}, { amount: '50.01' }],
    ['goes to the MID of its channel', 'large', { channel_id: 'app' }],
    ['goes past an SMS MID when it is only authorized', 'large', { auth: true }],
    ['goes to the DMS MID of its channel when it is only authorized', 'hold', { channel_id: 'hold', auth: true }],
    ['does not go to a DMS MID', `auth: ${NOT_VALID}`, { channel_id: 'hold' }],
    ['goes nowhere by a channel that no account carries', `channel_id: ${NOT_VALID}`, { channel_id: 'nowhere' }],
    ['goes nowhere by a channel of other methods', `methods: ${NOT_VALID}`, { channel_id: 'web', methods: ['bank-a'] }],
    ['does not go by a channel of test MIDs with the live key', `channel_id: ${NOT_VALID}`, { channel_id: 'trial' }],
    ['goes to the test MID with the test key', 'trial', { merchant_key: merchant.testKey }],
    [
      'does not go to a live MID with the test key',
      `methods: ${NOT_VALID}`,
      { merchant_key: merchant.testKey, methods: ['crypto'] },
    ],
    [
      'is refused above a limit of the merchant',
      'order.amount: This value should be less than or equal to 20.00.',
      { methods: ['bank-a'] },
      { currency: 'EUR', amount: '20.01' },
    ],
  ])('%s', async (_, found, change, order) => {
    expect(await chargedBy(change, order)).toBe(found);
  });

  test('with the test key goes to a MID for both where there is none for tests, marked as a test', async () => {
    const before = provider.asked.length;
    expect(await chargedBy({ merchant_key: merchant.testKey, methods: ['bank-a'] }, {}, 'bank-a')).toBe('bank');
    expect(provider.asked.slice(before)).toMatchObject([{ test: true }]);
  });

  test('leads back with the parameters and into the window that the settings say', async () => {
    const { json } = await create({ channel_id: 'app', url_target: '_self' });
    const page = String(Reflect.get(Object(json), 'redirect_url'));
    await pressPay(page, { method: 'card' });
    const end = await (await fetch(page)).text();
    expect(end).toMatch(/href="https:\/\/shop\.example\/success\?a=1&amp;payment_method=card&amp;payment_id=/);
    expect(end).toMatch(/target="_top"/);
  });
});

describe('pre-routing rules', () => {
  const offered = async (change: object, order: Order) => {
    const { json } = await create({ methods: [], ...change }, order);
    const page = await fetch(String(Reflect.get(Object(json), 'redirect_url')));
    // As links to choose from, or as the one form there is.
    return [...(await page.text()).matchAll(/(?:\?method=|name="method"\s+value=")([^"&#]+)/g)].map(([, key]) => key);
  };

  test('show all methods where there are none, and what they say where one fits', async () => {
    expect((await offered({}, {})).toSorted()).toEqual(['bank-a', 'card', 'crypto']);
    await checkout.configure(
      catalogue({
        rules: [
          { amount: { currency: 'USD', max: '15.00' }, countries: ['DE'], methods: ['crypto', 'bank-a'] },
          { currencies: ['EUR'], mids: ['bank'] },
        ],
      }),
    );
    expect(await offered({ billing_address: { country: 'DE' } }, {})).toEqual(['crypto', 'bank-a']);
    expect(await offered({}, { currency: 'EUR' })).toEqual(['bank-a']);
    expect(await chargedBy({ billing_address: { country: 'DE' } })).toBe('small');
  });

  test('name only what the merchant has', async () => {
    await expect(checkout.configure(catalogue({ rules: [{ methods: ['pix'], mids: ['nowhere'] }] }))).rejects.toThrow(
      /rules\.0\.methods: the merchant does not offer "pix"\.[^]*rules\.0\.mids: there is no MID "nowhere"/,
    );
  });
});

describe('the exported profile', () => {
  const registry = createRegistry(
    [anyMethodConnector, instantConnector].flatMap(({ serves }) => serves.map(({ method }) => method)),
  );
  const today = new Date().toISOString().slice(0, 10);

  /** What a merchant's own check says, with the profile as it is sent to him. */
  function ownCheck(body: { merchant_key: unknown }): string[] {
    const exported = parseProfile(JSON.parse(JSON.stringify(checkout.profile(String(body.merchant_key)))));
    if (!exported.ok) throw new Error('The profile cannot be read.');
    const checked = registry.validate(body, { today, profile: exported.profile });
    return checked.ok ? [] : checked.issues.map(({ path, message }) => `${path}: ${message}`);
  }

  const REQUESTS: readonly (readonly [object, Order?])[] = [
    [{}],
    [{ methods: [] }],
    [{ methods: ['card', 'bank-a', 'crypto'] }],
    [{ methods: ['redirect'] }],
    [{ methods: ['no-such'], channel_id: 'nowhere' }],
    [{ methods: [], channel_id: 'nowhere' }],
    [{ methods: [], channel_id: 'web' }],
    [{ channel_id: 'app' }, { amount: '70.00', currency: 'BRL' }],
    [{ channel_id: 'web' }, { amount: '70.00', currency: 'EUR' }],
    [{ channel_id: 'hold' }],
    [{ channel_id: 'hold', auth: true }],
    [{ channel_id: 'hold', auth: true, methods: [] }],
    [{ methods: ['bank-a'] }, { amount: '1000.01' }],
    [{ methods: ['bank-a'] }, { amount: '20.01', currency: 'EUR' }],
    [{ methods: ['bank-a', 'card'], parameters: { card: { descriptor: 'x'.repeat(21) }, crypto: { colour: 'red' } } }],
    [{ parameters: { redirect: {} } }],
    [{ merchant_key: merchant.testKey }],
    [{ merchant_key: merchant.testKey, channel_id: 'trial' }],
    [{ merchant_key: merchant.testKey, channel_id: 'web' }],
    [{ merchant_key: merchant.testKey, methods: ['crypto'] }],
  ];

  async function expectEqual(): Promise<number> {
    let refused = 0;
    for (const [change, order] of REQUESTS) {
      const { body, status, json } = await create(change, order);
      const lines = ownCheck(body);
      expect(status === 200 ? [] : errorLines(json), JSON.stringify(change)).toEqual(lines);
      if (lines.length > 0) refused += 1;
    }
    return refused;
  }

  test('says of every request what the service says, also after a change', async () => {
    expect(await expectEqual()).toBe(11);
    await checkout.configure(
      catalogue({
        rules: [{ currencies: ['USD'], methods: ['bank-a'] }],
        methods: [
          { key: 'card', mid: ['hold'], limits: [{ currency: 'USD', max: '5.00' }] },
          { key: 'bank-a', method: 'redirect', mid: 'large', limits: [{ currency: 'USD', max: '4.00' }] },
        ],
      }),
    );
    expect(await expectEqual()).toBeGreaterThan(11);
  });

  test('says more of a request whose own fields are wrong: the service speaks of methods only to a caller who can sign', async () => {
    const { body, json } = await create({ success_url: 'nowhere', channel_id: 'nowhere' });
    expect(errorLines(json)).toEqual(['success_url: This value is not a valid URL.']);
    expect(ownCheck(body)).toEqual([...errorLines(json), `channel_id: ${NOT_VALID}`]);
  });

  test('holds no secret', () => {
    const text = JSON.stringify([checkout.profile(merchant.key), checkout.profile(merchant.testKey)]);
    for (const secret of [merchant.password, callbackSecret, provider.url]) expect(text).not.toContain(secret);
  });
});
