import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, told } from '../support/acquirer-service.ts';
import {
  appleSettings,
  appleToken,
  CRYPTOGRAM,
  googleToken,
  payByWallet,
  walletPage,
  walletService,
} from '../support/wallet-service.ts';

let service: AcquirerService;
beforeAll(async () => {
  service = await walletService();
});
afterAll(() => service.stop());

/** What the acquirer is asked with while something is done. */
async function askedBy(work: () => Promise<unknown>) {
  const before = service.asked.length;
  await work();
  return service.asked
    .slice(before)
    .filter(({ method }) => method === 'POST')
    .map(({ url, body = '{}' }) => ({ path: new URL(url).pathname.replace(/^.*\/v1/, ''), body: JSON.parse(body) }));
}

/** Pays with a wallet. @returns the order's number, and what the acquirer was asked */
async function paid(method: string, token: string, change: object = {}) {
  const { page, number } = await walletPage(service, method, { ...change });
  const asked = await askedBy(async () =>
    expect(await payByWallet(page, method, token)).toMatchObject({ status: 303 }),
  );
  return { page, number, asked };
}

const masked = { card: '411111******1111', card_expiration_date: '01/2038' };

describe('a wallet in the card flow', () => {
  test('pays as a card does, with the cryptogram in place of a code, and is reported with its kind of number', async () => {
    const { number, asked } = await paid('apple-pay', appleToken());
    expect(asked).toMatchObject([
      {
        path: '/sales',
        body: {
          card: { number: '4111111111111111', expiry_month: '01', expiry_year: '2038', holder: 'Ada Example' },
          wallet: { type: 'applepay', pan_type: 'dpan', cryptogram: CRYPTOGRAM, eci: '05' },
        },
      },
    ]);
    expect(asked[0]?.body.card).not.toHaveProperty('cvv');
    const fields = await told(service, number, { order_status: 'settled' });
    expect(fields).toMatchObject({ ...masked, digital_wallet: 'applepay', pan_type: 'dpan' });
    expect(await service.status(fields.id ?? '')).toMatchObject({
      ...masked,
      digital_wallet: 'applepay',
      pan_type: 'dpan',
    });
  });

  test('leaves 3-D Secure to the acquirer for a card’s own number, and marks it so', async () => {
    const { number, asked } = await paid('google-pay', googleToken({ panOnly: true }));
    expect(asked[0]?.body.wallet).toEqual({ type: 'googlepay', pan_type: 'fpan', three_d_secure: 'acquirer' });
    expect(await told(service, number, { order_status: 'settled' })).toMatchObject({ pan_type: 'fpan' });
  });

  test('holds money, which is captured later', async () => {
    const { number, asked } = await paid('google-pay', googleToken(), { auth: true });
    expect(asked[0]).toMatchObject({ path: '/authorizations', body: { wallet: { cryptogram: CRYPTOGRAM } } });
    const { id = '' } = await told(service, number, { order_status: 'pending' });
    expect(await service.capture(id, '10.00')).toMatchObject({ status: 200 });
    await told(service, number, { type: 'capture', status: 'success' });
  });

  test('begins a mandate, whose later charges carry no card', async () => {
    const { number } = await paid('apple-pay', appleToken(), { recurring_init: true });
    const { recurring_init_trans_id = '', recurring_token = '' } = await told(service, number, {
      order_status: 'settled',
    });
    const order = { number: `${number}-2`, amount: '5.00', description: 'Again' };
    const asked = await askedBy(() => service.recurring({ recurring_init_trans_id, recurring_token }, order));
    expect(asked).toMatchObject([{ path: expect.stringMatching(/^\/agreements\/.*\/charges$/) }]);
    expect(asked[0]?.body).not.toHaveProperty('wallet');
    await told(service, order.number, { order_status: 'settled' });
  });

  test('is tried at the next account after a soft decline, with the same card and cryptogram', async () => {
    let first = true;
    service.state.answer = ({ url }) => {
      if (!first || !url.endsWith('/sales')) return undefined;
      first = false;
      return {
        status: 402,
        body: { id: 'd1', status: 'DECLINED', amount: 1000, currency: 'USD', response_code: '51' },
      };
    };
    const { number, asked } = await paid('apple-pay', appleToken());
    service.state.answer = () => undefined;
    expect(asked.map(({ body }) => [body.card.number, body.wallet.cryptogram])).toEqual([
      ['4111111111111111', CRYPTOGRAM],
      ['4111111111111111', CRYPTOGRAM],
    ]);
    expect(await told(service, number, { order_status: 'settled' })).toMatchObject({ pan_type: 'dpan' });
  });
});

/** Each of another payment at the acquirer. */
const decline = () => ({
  status: 402,
  body: { id: crypto.randomUUID(), status: 'DECLINED', amount: 1000, currency: 'USD', response_code: '51' },
});

describe('a wallet whose token the provider opens', () => {
  test('pays in the virtual flow with the token as it came, and no card is kept', async () => {
    const token = googleToken();
    const { number, asked } = await paid('google-virtual', token);
    expect(asked[0]?.body.wallet).toEqual({ type: 'googlepay', token });
    expect(asked[0]?.body).not.toHaveProperty('card');
    const fields = await told(service, number, { order_status: 'settled' });
    expect(fields).toMatchObject({ digital_wallet: 'googlepay' });
    for (const name of ['pan_type', 'card', 'card_expiration_date']) expect(fields).not.toHaveProperty(name);
  });

  test.each([{ auth: true }, { recurring_init: true }])(
    'is refused in the virtual flow with %o, before anything is sent',
    async (change) => {
      const { page } = await walletPage(service, 'google-virtual', change);
      expect(await (await fetch(page)).text()).toContain('This wallet only takes sales here');
      const asked = await askedBy(async () =>
        expect(await payByWallet(page, 'google-virtual', googleToken())).toMatchObject({ status: 422 }),
      );
      expect(asked).toEqual([]);
    },
  );

  test('pays with the token where cards are kept and not taken, can be held, and the card is reported', async () => {
    const token = googleToken();
    const { number, asked } = await paid('google-token', token, { auth: true });
    expect(asked[0]).toMatchObject({
      path: '/authorizations',
      body: { wallet: { type: 'googlepay', token, pan_type: 'dpan' } },
    });
    expect(asked[0]?.body).not.toHaveProperty('card');
    expect(await told(service, number, { order_status: 'pending' })).toMatchObject({ ...masked, pan_type: 'dpan' });
  });

  test.each(['google-virtual', 'google-token'])('is not tried at another account: %s', async (method) => {
    service.state.answer = ({ url }) => (url.endsWith('/sales') ? decline() : undefined);
    const { number, asked } = await paid(method, googleToken());
    service.state.answer = () => undefined;
    expect(asked).toHaveLength(1);
    await told(service, number, { status: 'fail' });
  });
});

describe('a token', () => {
  test('pays once: for another order, and for the same one pressed twice', async () => {
    const token = appleToken({ id: 'ab'.repeat(32) });
    const { page, number } = await walletPage(service, 'apple-pay');
    const asked = await askedBy(async () => {
      const presses = [1, 2, 3].map(() => payByWallet(page, 'apple-pay', token));
      // Whoever pressed twice is told of the payment, and of nothing that went wrong.
      for (const reply of await Promise.all(presses)) expect(reply.status).toBe(303);
    });
    expect(asked).toHaveLength(1);
    await told(service, number, { order_status: 'settled' });
    expect(await payByWallet(page, 'apple-pay', token)).toMatchObject({ status: 303 });
    const other = await walletPage(service, 'apple-pay');
    const again = await askedBy(async () => {
      const reply = await payByWallet(other.page, 'apple-pay', token);
      expect(reply.status).toBe(422);
      expect(reply.text).toContain('The wallet could not be used');
    });
    expect(again).toEqual([]);
    expect(service.lines.join('\n')).toContain('replayed');
    // The order can be paid with another token.
    expect(await payByWallet(other.page, 'apple-pay', appleToken())).toMatchObject({ status: 303 });
  });

  test.each([
    ['other-amount', () => appleToken({ amount: 999 })],
    ['other-currency', () => appleToken({ currency: '978' })],
    ['malformed', () => '{}'],
    ['malformed', () => 'text'],
  ])('is refused as %s, and the payer is told in words of the page', async (reason, token) => {
    const { page } = await walletPage(service, 'apple-pay');
    const asked = await askedBy(async () =>
      expect(await payByWallet(page, 'apple-pay', token())).toMatchObject({ status: 422 }),
    );
    expect(asked).toEqual([]);
    const line = service.lines.findLast((each) => each.includes('wallet-refused')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ method: 'apple-pay', state: reason });
  });

  test('of a payment that was declined is refused for the same order too, which another one pays', async () => {
    service.state.answer = ({ url }) => (url.endsWith('/sales') ? decline() : undefined);
    const token = googleToken();
    const { page, number } = await paid('google-token', token);
    service.state.answer = () => undefined;
    await told(service, number, { status: 'fail' });
    const asked = await askedBy(async () =>
      expect(await payByWallet(page, 'google-token', token)).toMatchObject({ status: 422 }),
    );
    expect(asked).toEqual([]);
    expect(await payByWallet(page, 'google-token', googleToken())).toMatchObject({ status: 303 });
    await told(service, number, { order_status: 'settled' });
  });

  test('that is missing, or belongs to another wallet, begins nothing', async () => {
    const { page } = await walletPage(service, 'apple-pay');
    for (const token of ['', googleToken()])
      expect(await payByWallet(page, 'apple-pay', token)).toMatchObject({ status: 422 });
  });
});

describe('a token that two orders bring at the same moment', () => {
  test('pays one of them', async () => {
    const token = appleToken();
    const orders = await Promise.all([1, 2, 3].map(() => walletPage(service, 'apple-pay')));
    const asked = await askedBy(async () => {
      const replies = await Promise.all(orders.map(({ page }) => payByWallet(page, 'apple-pay', token)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 422, 422]);
    });
    expect(asked).toHaveLength(1);
  });
});

describe('the vendor of Apple Pay', () => {
  const ask = async (url: string) => {
    const { page } = await walletPage(service, 'apple-pay');
    const before = service.asked.length;
    const reply = await fetch(`${page}/wallet`, {
      method: 'POST',
      body: new URLSearchParams({ method: 'apple-pay', url }),
    });
    return { status: reply.status, text: await reply.text(), sent: service.asked.slice(before) };
  };

  test('is asked for its sheet’s session with the merchant’s certificate, and its answer is passed on', async () => {
    service.state.answer = ({ url }) => (url.includes('apple') ? { status: 200, body: { nonce: 'n1' } } : undefined);
    const url = 'https://apple-pay-gateway-nc-pod1.apple.com/paymentservices/startSession';
    const { status, text, sent } = await ask(url);
    service.state.answer = () => undefined;
    expect({ status, text }).toEqual({ status: 200, text: '{"nonce":"n1"}' });
    expect(sent).toMatchObject([
      { method: 'POST', url, tls: { cert: appleSettings.certificate, key: appleSettings.private_key } },
    ]);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      merchantIdentifier: 'merchant.example.shop',
      displayName: 'Card shop',
      initiative: 'web',
      initiativeContext: '127.0.0.1',
    });
  });

  test.each([
    'http://apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession',
    'https://evil.example/apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com@evil.example/paymentservices/startSession',
    'https://user:word@apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com:8443/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com/paymentservices/../admin',
    'https://apple-pay-gateway.apple.com/paymentservices/startSession?to=evil',
    'https://evil-apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://127.0.0.1/paymentservices/startSession',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '',
  ])('is the only one who is asked: not %s', async (url) => {
    const { status, sent } = await ask(url);
    expect({ status, sent }).toEqual({ status: 400, sent: [] });
  });

  test('is asked in the one spelling of its address', async () => {
    service.state.answer = ({ url }) => (url.includes('apple') ? { status: 200, body: { nonce: 'n1' } } : undefined);
    const { sent } = await ask(' HTTPS:\\\\@apple-pay-gateway.apple.com:443/x/..\\paymentservices/start\tSession? ');
    service.state.answer = () => undefined;
    expect(sent.map(({ url }) => url)).toEqual(['https://apple-pay-gateway.apple.com/paymentservices/startSession']);
  });

  test.each([
    ['the page is closed', 'apple-pay', {}],
    ['the wallet cannot be used for the request', 'apple-virtual', { auth: true }],
  ])('is not asked where %s', async (_why, method, change) => {
    const { page } = await walletPage(service, method, change);
    if (method === 'apple-pay') await fetch(`${page}/cancel`, { method: 'POST', redirect: 'manual' });
    const url = 'https://apple-pay-gateway.apple.com/paymentservices/startSession';
    const asked = await askedBy(async () => {
      const body = new URLSearchParams({ method, url });
      expect(await fetch(`${page}/wallet`, { method: 'POST', body })).toMatchObject({ status: 400 });
    });
    expect(asked).toEqual([]);
  });

  test('that refuses the merchant is written to the log, and its answer goes no further', async () => {
    service.state.answer = ({ url }) => (url.includes('apple') ? { status: 417, body: { secret: 'word' } } : undefined);
    const { status, text } = await ask('https://apple-pay-gateway.apple.com/paymentservices/paymentSession');
    service.state.answer = () => undefined;
    expect(status).toBe(502);
    expect(text).not.toContain('word');
    expect(service.lines.join('\n')).toContain('It answered 417.');
  });

  test('finds the file that says whose the domain is', async () => {
    const reply = await fetch(`${service.url}/.well-known/apple-developer-merchantid-domain-association`);
    expect([reply.status, await reply.text()]).toEqual([200, 'whose-this-domain-is']);
  });
});
