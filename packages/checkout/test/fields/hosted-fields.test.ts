import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { DatabaseUnavailableError } from '../../src/storage/index.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { useDatabase } from '../support/database.ts';
import { serviceContext } from '../support/service-context.ts';
import { errorLines, postRaw } from '../support/any-method-service.ts';
import { acquirerService } from '../support/acquirer-service.ts';
import { cardConfig } from '../support/card-config.ts';
import { cardProvider } from '../support/card-provider.ts';
import { cardBody, cardService, type CardService } from '../support/card-service.ts';
import { hostedFields, PAYMENT, tokenBody, TYPED } from '../support/hosted-fields.ts';
import { statusOf } from '../support/killed-payment.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, post, startOn } from '../support/service.ts';

const database = useDatabase();
let service: CardService;
let fields: ReturnType<typeof hostedFields>;
let last = 0;
/** The payer has left the bank's page of the last payment. */
async function backFromBank({ asked: all }: CardService['provider']): Promise<void> {
  const { id, return_url } = all.at(-1) ?? {};
  await fetch(return_url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ cres: `cres-${id}` }),
    redirect: 'manual',
  });
}
/** Orders are named by their test. */
const order = (): string => `fields-${randomUUID()}`;

beforeAll(async () => {
  service = await cardService(
    {},
    {
      fieldOrigins: ['https://shop.example'],
      callbackData: ['browser_accept_headers', 'browser_screen_width', 'payer_ip'],
      maxDeclines: 3,
    },
    { cardBrands: ['visa', 'mastercard', 'maestro'] },
  );
  fields = hostedFields(service.url);
});

afterAll(() => service.stop());

const told = (number: string, status = 'success') =>
  service.shop.until(({ fields: each }) => each.order_number === number && each.status === status);
const asked = (reference: string) =>
  service.provider.asked.filter((each) => each.return_url.includes(`/auth/${reference}/`));

describe('a payment of hosted fields', () => {
  test('takes the card from the fields and the rest from the merchant, and is called back and looked up as any other', async () => {
    const number = order();
    const token = await fields.token({ customer: { email: 'ada@example.com', ip: '203.0.113.7' } }, { number });
    expect(await fields.enter(token)).toMatchObject({
      status: 200,
      json: { result: 'success', card: { brand: 'visa', last_four: '1111' } },
    });
    const browser_info = { accept_headers: 'text/html,x', user_agent: 'UA', language: 'en', screen_width: '1920' };
    const { status, json } = await fields.pay(token, { ...PAYMENT, browser_info });
    const { fields: callback } = await told(number);
    expect([status, json]).toEqual([
      200,
      {
        result: 'success',
        public_id: callback.id,
        return_url_query_params: {
          payment_id: callback.id,
          trans_id: expect.any(String),
          order_id: number,
          hash: expect.stringMatching(/^[0-9a-f]{40}$/),
        },
      },
    ]);
    expect(callback).toMatchObject({
      type: 'sale',
      order_status: 'settled',
      card: '411111******1111',
      customer_ip: '203.0.113.7',
      browser_accept_headers: 'text/html,x',
      browser_screen_width: '1920',
      payer_ip: '203.0.113.7',
    });
    expect(asked(token)).toMatchObject([
      {
        card: { number: '4111111111111111', cvv: '123', expiry: '01/2038', holder: 'Ada Example' },
        client: { ip: '203.0.113.7', accept: 'text/html,x', userAgent: 'UA', language: 'en', screenWidth: 1920 },
      },
    ]);
    expect(await statusOf(service.url, callback.id ?? '')).toMatchObject({ status: 'settled' });
  });

  test('of which no address of the payer was sent has that of the system that asked for the token', async () => {
    const number = order();
    const token = await fields.token({}, { number });
    await fields.enter(token);
    await fields.pay(token, { ...PAYMENT, browser_info: { accept_header: 'text/html' }, selected_language: 'pt-BR' });
    expect((await told(number)).fields).toMatchObject({ customer_ip: '127.0.0.1' });
    expect(asked(token)).toMatchObject([{ client: { ip: '127.0.0.1', accept: 'text/html', language: 'pt-BR' } }]);
  });

  test('goes to the bank by the redirect of the answer, and comes back to return_url with its parameters', async () => {
    const number = order();
    const token = await fields.token({}, { number });
    await fields.enter(token, { ...TYPED, expiry: '05/38' });
    const { json } = await fields.pay(token);
    expect(json).toMatchObject({
      result: 'redirect',
      redirect_url: `${service.provider.url}/acs`,
      redirect_method: 'POST',
      redirect_params: { creq: expect.stringMatching(/^creq-/) },
      return_url_query_params: { order_id: number },
    });
    // The redirect once more, where the merchant's server lost the answer.
    expect((await fields.pay(token)).json).toEqual(json);
    expect((await told(number)).fields).toMatchObject({ type: '3ds', order_status: '3ds' });
    const [payment] = asked(token);
    const back = await fetch(payment?.return_url ?? '', {
      method: 'POST',
      body: new URLSearchParams({ cres: `cres-${payment?.id}` }),
      redirect: 'manual',
    });
    const to = new URL(back.headers.get('location') ?? '');
    expect([back.status, to.origin + to.pathname, to.searchParams.get('a')]).toEqual([
      303,
      'https://shop.example/return',
      '1',
    ]);
    expect(Object.fromEntries(to.searchParams)).toMatchObject(Object(json).return_url_query_params);
    await service.shop.until(({ fields: each }) => each.order_number === number && each.order_status === 'settled');
    expect(asked(token)).toHaveLength(1);
  });

  test('to a page by GET has its parameters in the address, because clients submit others by POST', async () => {
    const token = await fields.token();
    await fields.enter(token, { ...TYPED, expiry: '12/38' });
    const { json } = await fields.pay(token);
    expect(json).toMatchObject({ result: 'redirect', redirect_method: 'GET', redirect_params: {} });
    expect(Object(json).redirect_url).toMatch(/\/acs\?creq=creq-/);
  });

  test.each([
    [
      'of the request for the token',
      { customer: { email: 'ada@example.com' }, billing_address: { language: 'pt' } },
      'en',
    ],
    ['of the merchant’s page', {}, 'pt-BR'],
  ])('that is declined tells the payer why in the language %s', async (_whose, change, selected_language) => {
    const token = await fields.token(change);
    await fields.enter(token, { ...TYPED, expiry: '02/38' });
    expect((await fields.pay(token, { ...PAYMENT, selected_language })).json).toMatchObject({
      result: 'decline',
      decline_message: 'Seu cartão foi recusado. Fale com seu banco ou use outro cartão.',
    });
  });

  test('to a page by GET leaves the query of the address as the bank wrote it', async () => {
    onTestFinished(() => void (service.provider.state.bankQuery = ''));
    service.provider.state.bankQuery = '?sig=a%20b%7Ec+d';
    const token = await fields.token();
    await fields.enter(token, { ...TYPED, expiry: '12/38' });
    const { json } = await fields.pay(token);
    expect(json).toMatchObject({
      result: 'redirect',
      redirect_url: expect.stringMatching(/\/acs\?sig=a%20b%7Ec\+d&creq=creq-/),
    });
  });

  test('that is asked about by its public_id is answered, and begins none with a card that was entered since', async () => {
    const token = await fields.token();
    await fields.enter(token, { ...TYPED, expiry: '12/38' });
    const first = Object((await fields.pay(token)).json);
    const asks = { ...PAYMENT, public_id: first.public_id };
    expect((await fields.pay(token, asks)).json).toEqual(first);
    expect((await fields.enter(token, { ...TYPED, cvv: '321' })).status).toBe(200);
    expect((await fields.pay(token, asks)).json).toMatchObject({ result: 'decline', public_id: first.public_id });
    expect(asked(token)).toHaveLength(1);
    const other = await fields.token();
    expect(await fields.pay(other, asks)).toMatchObject({
      status: 400,
      lines: [expect.stringMatching(/^public_id: No payment of this token/)],
    });
    expect((await fields.pay(token)).json).toMatchObject({ result: 'success' });
    expect(asked(token)).toHaveLength(2);
  });

  test('that is declined says why, and another card pays with the same token', async () => {
    const number = order();
    const token = await fields.token({}, { number });
    await fields.enter(token, { ...TYPED, expiry: '02/38' });
    const declined = await fields.pay(token);
    expect(declined).toMatchObject({
      status: 200,
      json: {
        result: 'decline',
        // The provider's own words are for the merchant.
        decline_message: 'Your card was declined. Contact your bank, or use another card.',
      },
    });
    // The same request once more has no card of its own.
    expect((await fields.pay(token)).json).toEqual(declined.json);
    await fields.enter(token);
    const paid = await fields.pay(token);
    expect(paid.json).toMatchObject({ result: 'success' });
    expect(Object(paid.json).public_id).not.toBe(Object(declined.json).public_id);
    expect(asked(token)).toHaveLength(2);
    expect((await fields.enter(token, { ...TYPED, expiry: '02/38' })).status).toBe(409);
  });

  test('is made once of any number of requests at once', async () => {
    const token = await fields.token();
    await fields.enter(token);
    const answers = await Promise.all(Array.from({ length: 8 }, () => fields.pay(token)));
    expect(asked(token)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ json }) => Object(json).public_id)).size).toBe(1);
  });

  test('that is declined asks the account once of any number of requests at once', async () => {
    const token = await fields.token();
    await fields.enter(token, { ...TYPED, expiry: '02/38' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => fields.pay(token)));
    expect(asked(token)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('of a debit has its own address, and saves the card for a later purchase', async () => {
    const number = order();
    const token = await fields.token({ operation: 'debit', req_token: true }, { number });
    await fields.enter(token);
    expect((await fields.pay(token)).lines).toEqual(['operation: The value you selected is not a valid choice.']);
    expect((await fields.pay(token, PAYMENT, 'debit')).json).toMatchObject({ result: 'success' });
    const { card_token: saved } = (await told(number)).fields;
    const again = await fields.token({ card_token: [saved] });
    expect((await fields.described(again)).json).toMatchObject({
      saved: [{ key: '0', brand: 'visa', last_four: '1111', expires: '01/2038' }],
      entered: null,
    });
    // A saved card is proved by its code as well.
    expect((await fields.pay(again)).status).toBe(400);
    await fields.enter(again, { saved: '0', cvv: '321' });
    expect((await fields.pay(again, { ...PAYMENT, name: '4111111111111111' })).lines).toEqual([
      'name: The name on card field Must contain at least 2 words: first name and last name.',
    ]);
    expect((await fields.pay(again)).json).toMatchObject({ result: 'success' });
    expect(asked(again)).toMatchObject([{ card: { number: '4111111111111111', cvv: '321', stored: true } }]);
  });

  test('that only holds the money and begins a mandate is captured and refunded as any other', async () => {
    const at = await acquirerService();
    onTestFinished(() => at.stop());
    const number = order();
    const own = hostedFields(at.url);
    const token = await own.token({ auth: true, recurring_init: true }, { number });
    await own.enter(token);
    const { public_id: id } = Object((await own.pay(token)).json);
    const { capture, refund } = merchantActs(at.url);
    const until = (type: string, status: string) =>
      at.shop.until(({ fields: each }) => each.type === type && each.order_status === status);
    await until('sale', 'pending');
    expect(await capture(id, '10.00')).toMatchObject({ json: { result: 'accepted' } });
    expect((await until('capture', 'settled')).fields).toMatchObject({
      recurring_token: expect.any(String),
      recurring_init_trans_id: expect.any(String),
    });
    expect(await refund(id, '4.00')).toMatchObject({ json: { result: 'accepted' } });
    await until('refund', 'settled');
  });
});

describe('the request for a token', () => {
  const create = (body: unknown) => post(`${service.url}/api/v1/session/token`, body);

  test('says of each field what is wrong, as a session does', async () => {
    expect(errorLines((await create(tokenBody({ return_url: undefined }))).json)).toEqual([
      'return_url: This value should not be blank.',
    ]);
    expect(
      errorLines((await create(tokenBody({ return_url: '1.com', success_url: 'x', customer: { ip: '1.2' } }))).json),
    ).toEqual([
      'success_url: This value is not a valid URL.',
      'return_url: This value is not a valid URL.',
      'customer.ip: This value is not a valid IP address.',
    ]);
    expect(errorLines((await create(tokenBody({ operation: 'transfer', payee: { name: 'Ada' } }))).json)).toEqual([
      'operation: The value you selected is not a valid choice.',
    ]);
    expect(errorLines((await create(tokenBody({ hash: '0'.repeat(40) }))).json)).toEqual(['hash: Hash is not valid.']);
    const consent = { recurring_consent_required: true, recurring_init: true, schedule_id: 'any' };
    expect(errorLines((await create(tokenBody(consent))).json)).toEqual([
      'recurring_consent_required: This field was not expected.',
    ]);
    const form = { form_id: '57fddecf-17b9-4d38-9320-a670f0c29ec0' };
    expect(errorLines((await create(tokenBody(form))).json)).toEqual(['form_id: This field was not expected.']);
  });

  test('is answered with the same token under its key for repeats', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': order() };
    const body = JSON.stringify(tokenBody());
    const send = () => postRaw(`${service.url}/api/v1/session/token`, body, headers);
    const first = await send();
    expect(first.json).toEqual({ token: expect.any(String) });
    expect((await send()).json).toEqual(first.json);
  });

  test('of the same order within 15 seconds is a duplicate', async () => {
    const body = tokenBody();
    expect((await create(body)).status).toBe(200);
    expect(await create(body)).toMatchObject({
      status: 400,
      json: { error_code: '400', error_message: 'Duplicate request.' },
    });
  });

  test('gives no page of ours, and a page’s token pays in no fields', async () => {
    const token = await fields.token();
    expect((await fetch(`${service.url}/auth/${token}`)).status).toBe(404);
    const page = (await createPage(service.url, cardBody())).split('/').at(-1) ?? '';
    expect([(await fields.enter(page)).status, (await fields.pay(page)).status]).toEqual([401, 401]);
  });
});

describe('a request for a payment', () => {
  test.each([
    ['no name', { with_hosted_fields: true }, ['name: This value should not be blank.']],
    [
      'a name of one word, where the merchant named two',
      { name: 'Ada' },
      ['name: The name on card field Must contain at least 2 words: first name and last name.'],
    ],
    [
      'another way to pay',
      { ...PAYMENT, with_hosted_fields: false },
      ['with_hosted_fields: The value you selected is not a valid choice.'],
    ],
    [
      'wrong fields of the payer',
      { ...PAYMENT, email: 'xx', birth_date: '1990', billing_address: { country: 'XX', state: '' }, browser_info: 1 },
      [
        'email: This value is not a valid email address.',
        'birth_date: This value is not a valid date.',
        'billing_address.country: This value is not a valid country.',
        'browser_info: This value should be of type object.',
      ],
    ],
    ['no object', '[]', ['body: This value should be of type object.']],
    ['a name twice', '{"name":"Ada Example","name":"Eve Example"}', ['name: This value is not valid.']],
  ])('with %s is refused, and the card is still there', async (_what, body, lines) => {
    const token = await fields.token({ customer: { name: 'Ada Example' } });
    await fields.enter(token);
    expect(await fields.pay(token, body)).toMatchObject({ status: 400, lines });
    expect(asked(token)).toHaveLength(0);
    const { status, json } = await fields.pay(token, { ...PAYMENT, birth_date: '', billing_address: { city: '' } });
    expect([status, Object(json).result]).toEqual([200, 'success']);
  });

  test('before a card was entered says so', async () => {
    const token = await fields.token();
    expect(await fields.pay(token)).toMatchObject({
      status: 400,
      lines: [
        'card.number: No card was entered into the payment fields. Have the payer enter it, and send this request again.',
      ],
    });
  });

  test('whose outcome the database has not told is to be sent again, with no word of a key for repeats', async () => {
    const provider = await cardProvider();
    const given = { providerUrl: provider.url, callbackUrl: 'http://127.0.0.1:1', port: 0 };
    const { context, close } = serviceContext(database.db, cardConfig(given), Date.now);
    onTestFinished(() => Promise.all([close(), provider.close()]).then(() => undefined));
    context.stores.sessions.findByTokenHash = () =>
      Promise.reject(new DatabaseUnavailableError('unknown', new Error('away')));
    const app = createApp(context, createChanges());
    const sent = await app.request('/api/v1/processing/purchase/card', { method: 'POST', headers: { token: 'tok-1' } });
    expect([sent.status, sent.headers.get('retry-after'), Object(await sent.json()).error_message]).toEqual([
      503,
      '2',
      'The service is not available at the moment. Whether a payment has begun is not known. After the time in Retry-After send the same request again with the same token: a card that was entered pays once.',
    ]);
  });

  test('with a token that is unknown, missing or over is 401', async () => {
    const missing = await fetch(`${service.url}/api/v1/processing/purchase/card`, { method: 'POST' });
    expect(await missing.json()).toMatchObject({
      http_code: 401,
      error_code: '401',
      error_message: 'The token is invalid or expired. Get a new one by POST /api/v1/session/token.',
    });
    expect((await fields.pay('tok-1')).status).toBe(401);
    const token = await fields.token();
    const frame = async () => (await fetch(`${service.url}/fields/frame/form/${token}`)).status;
    expect(await frame()).toBe(200);
    for (const _each of [1, 2, 3]) {
      await fields.enter(token, { ...TYPED, expiry: '02/38' });
      expect((await fields.pay(token)).json).toMatchObject({ result: 'decline' });
    }
    expect((await fields.enter(token)).status).toBe(401);
    expect(await frame()).toBe(401);
    expect((await fields.pay(token)).json).toMatchObject({ result: 'decline' });
    expect(asked(token)).toHaveLength(3);
  });
});

describe('the fields', () => {
  test('check what is typed by the rules of the page, and keep nothing that is wrong', async () => {
    const token = await fields.token();
    const { status, json } = await fields.enter(token, { number: '4111 1111 1111 1112', expiry: '01/20', cvv: '12' });
    expect([status, json]).toEqual([
      422,
      {
        result: 'error',
        problems: [
          { name: 'card.number', text: expect.stringContaining('card number') },
          { name: 'card.expiry', text: expect.any(String) },
          { name: 'card.cvv', text: expect.any(String) },
        ],
      },
    ]);
    const amex = { number: '378282246310005', expiry: '01/38', cvv: '1234' };
    expect((await fields.enter(token, amex)).json).toMatchObject({ problems: [{ name: 'card.number' }] });
    expect((await fields.enter(token, { cvv: '123' })).json).toMatchObject({ result: 'error' });
    expect((await fields.pay(token)).status).toBe(400);
  });

  test('are told what they may show, and hold the last card that was entered', async () => {
    const token = await fields.token();
    await fields.enter(token);
    await fields.enter(token, { ...TYPED, number: '5555 5555 5555 4444', cvv: '999' });
    expect((await fields.described(token)).json).toEqual({
      operation: 'purchase',
      amount: '10.00',
      currency: 'USD',
      brands: ['visa', 'mastercard', 'maestro'],
      saved: [],
      entered: { brand: 'mastercard', last_four: '4444' },
      origins: ['https://shop.example'],
    });
    await fields.pay(token);
    expect(asked(token)).toMatchObject([{ card: { number: '5555555555554444', cvv: '999' } }]);
  });

  test('take a card whose network has cards without a code', async () => {
    const token = await fields.token();
    await fields.enter(token, { number: '6759649826438453', expiry: '01/38', cvv: '' });
    expect(Object((await fields.pay(token)).json).result).toBe('success');
    expect(asked(token)[0]?.card.cvv).toBeUndefined();
  });

  test('take a saved card by its code alone, also one of a network that has cards without a code', async () => {
    const number = order();
    const first = await fields.token({ req_token: true }, { number });
    await fields.enter(first, { number: '6759649826438453', expiry: '01/38', cvv: '' });
    await fields.pay(first);
    const token = await fields.token({ card_token: [(await told(number)).fields.card_token] });
    for (const cvv of ['', undefined])
      expect(await fields.enter(token, { saved: '0', cvv })).toMatchObject({
        status: 422,
        json: { problems: [{ name: 'card.cvv' }] },
      });
    expect((await fields.pay(token)).status).toBe(400);
    // The payer types such a card once more.
    await fields.enter(token, { number: '6759649826438453', expiry: '01/38', cvv: '' });
    expect((await fields.pay(token)).json).toMatchObject({ result: 'success' });
  });

  test('are refused to pages of other origins', async () => {
    const token = await fields.token();
    const other = { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' };
    expect((await fetch(`${service.url}/fields/session`, { headers: { token, ...other } })).status).toBe(403);
    const sent = await fetch(`${service.url}/fields/card`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json', ...other },
      body: JSON.stringify(TYPED),
    });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect((await fields.described(token)).json).toMatchObject({ entered: null });
  });
});

describe('requests without a token', () => {
  test('are 401 however many there are, and are counted for no token', async () => {
    const [provider, shop] = [await cardProvider(), await receiver()];
    const testing = await startOn((port) => ({
      ...cardConfig({ providerUrl: provider.url, callbackUrl: shop.url, port }),
      rateLimits: { forms: { requests: 1, seconds: 600 }, views: { requests: 1, seconds: 600 } },
    }));
    onTestFinished(() => Promise.all([testing.stop(), shop.close(), provider.close()]).then(() => undefined));
    const own = hostedFields(testing.url);
    const ask = async () => [await own.pay(''), await own.enter(''), await own.described('')];
    const answers = [...(await ask()), ...(await ask())];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    const token = await own.token();
    expect([(await own.enter(token)).status, (await own.enter(token)).status]).toEqual([200, 429]);
  });
});

describe('card testing', () => {
  const SHOP = 'https://shop.example';
  const limited = async () => {
    const [provider, shop] = [await cardProvider(), await receiver()];
    const given = (port: number) => ({
      ...cardConfig({ providerUrl: provider.url, callbackUrl: shop.url, port }, { fieldOrigins: [SHOP] }),
      rateLimits: { declines: { requests: 2, seconds: 600 } },
      trustedProxies: ['127.0.0.1'],
    });
    const testing = await startOn(given);
    onTestFinished(() => Promise.all([testing.stop(), shop.close(), provider.close()]).then(() => undefined));
    return { ...hostedFields(testing.url), provider };
  };
  const declined = { ...TYPED, expiry: '02/38' };
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test.each([
    ['no address', () => ({})],
    ['another address each time', () => ({ customer: { email: 'ada@example.com', ip: `203.0.113.${(last += 1)}` } })],
  ])('is refused to the browser that cards were entered in, where the merchant sends %s', async (_sent, change) => {
    const { provider, ...own } = await limited();
    // Entered before the first decline, and paid after the last that is allowed.
    const before = await own.token(change());
    await own.enter(before, TYPED, from('198.51.100.1'));
    for (const typed of [declined, { ...TYPED, expiry: '06/38' }]) {
      const token = await own.token(change());
      await own.enter(token, typed, from('198.51.100.1'));
      const { json } = await own.pay(token);
      // The decline after the bank's page counts too, whichever address the payer comes back from.
      if (Object(json).result === 'redirect') await backFromBank(provider);
      // A repeat is answered as the payment stands, and counts for nothing.
      expect((await own.pay(token)).json).toMatchObject({ result: 'decline' });
    }
    const token = await own.token(change());
    expect((await own.enter(token, TYPED, from('198.51.100.1'))).status).toBe(429);
    expect((await own.pay(before)).status).toBe(429);
    expect(provider.asked).toHaveLength(2);
    // Another payer of the same merchant pays.
    await own.enter(token, TYPED, from('198.51.100.2'));
    expect((await own.pay(token)).json).toMatchObject({ result: 'success' });
  });

  test('leaves the repeats of a paid request answered as the payment stands', async () => {
    const { provider, ...own } = await limited();
    const change = { customer: { email: 'ada@example.com', ip: '203.0.113.200' } };
    const paid = await own.token(change);
    await own.enter(paid, TYPED, from('198.51.100.1'));
    const first = await own.pay(paid);
    for (const address of ['198.51.100.2', '198.51.100.3']) {
      const token = await own.token(change);
      await own.enter(token, declined, from(address));
      await own.pay(token);
    }
    expect(await own.pay(paid)).toMatchObject({ status: 200, json: first.json });
    expect(provider.asked).toHaveLength(3);
  });
});

describe('a payment that a page sends itself', () => {
  const preflight = (origin: string) =>
    fetch(`${service.url}/api/v1/processing/purchase/card`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'token' },
    });

  test('is taken from an origin that the merchant lists, and its answer may be read there', async () => {
    const asks = await preflight('https://shop.example');
    expect([asks.status, Object.fromEntries(asks.headers)]).toEqual([
      204,
      expect.objectContaining({
        'access-control-allow-origin': 'https://shop.example',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, token',
        vary: 'origin',
      }),
    ]);
    const token = await fields.token();
    await fields.enter(token);
    const paid = await fields.pay(token, PAYMENT, 'purchase', { origin: 'https://shop.example' });
    expect([paid.status, paid.headers.get('access-control-allow-origin')]).toEqual([200, 'https://shop.example']);
  });

  test('may read there why it was refused, and when to send it again', async () => {
    const provider = await cardProvider();
    const given = { providerUrl: provider.url, callbackUrl: 'http://127.0.0.1:1', port: 0 };
    const { context, close } = serviceContext(
      database.db,
      cardConfig(given, { fieldOrigins: ['https://shop.example'] }),
      Date.now,
    );
    onTestFinished(() => Promise.all([close(), provider.close()]).then(() => undefined));
    const path = '/api/v1/processing/purchase/card';
    const send = async (
      app: ReturnType<typeof createApp>,
      { token = 'tok-1', origin = 'https://shop.example', method = 'POST' } = {},
    ) => {
      const { status, headers } = await app.request(path, { method, headers: { token, origin } });
      const names = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'];
      return [status, ...names.map((name) => headers.get(name))];
    };
    const readable = ['https://shop.example', 'retry-after, x-request-id', 'origin'];
    const app = createApp(context, createChanges());
    expect(await send(app)).toEqual([401, ...readable]);
    expect(await send(app, { method: 'GET' })).toEqual([405, ...readable]);
    expect(await send(app, { origin: 'https://evil.example' })).toEqual([401, null, null, 'origin']);
    for (const spent of ['forms', 'address']) {
      const limits = { ...context.limits, wait: async (kind: string) => (kind === spent ? 7 : undefined) };
      expect(await send(createApp({ ...context, limits }, createChanges()))).toEqual([429, ...readable]);
    }
    expect(await send(createApp(context, createChanges(), undefined, 0))).toEqual([503, ...readable]);
    const { sessions } = context.stores;
    sessions.findByTokenHash = () => Promise.reject(new Error('away'));
    expect(await send(app)).toEqual([500, ...readable]);
  });

  test('is refused from any other origin, and from one of another merchant', async () => {
    const asks = await preflight('https://evil.example');
    expect([asks.status, asks.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    await service.configure((merchants) =>
      merchants.map((each, index) => (index === 0 ? each : { ...each, fieldOrigins: ['https://other.example'] })),
    );
    expect((await preflight('https://other.example')).status).toBe(204);
    const token = await fields.token();
    await fields.enter(token);
    for (const [origin, readableBy] of [
      ['https://evil.example', null],
      ['https://other.example', 'https://other.example'],
    ] as const) {
      const sent = await fields.pay(token, PAYMENT, 'purchase', { origin });
      expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([403, readableBy]);
    }
    expect(asked(token)).toHaveLength(0);
  });
});
