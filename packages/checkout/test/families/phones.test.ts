import { createServer } from 'node:http';
import { bankCollectionConnector } from '@railyard/connector-bank-transfer';
import { promptConnector } from '@railyard/connector-mobile-money';
import { promptSimulation } from '@railyard/connector-mobile-money/simulation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankTransferAccounts } from '../support/bank-transfer-accounts.ts';
import { type Family, familyConfig, familyProviders } from '../support/family-service.ts';
import { apmSaleFields } from '../support/apm-commands.ts';
import { sendCommand } from '../support/commands.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, post, pressPay, sessionBody, startOn } from '../support/service.ts';
import { walletGatewayAccount } from '../support/wallet-gateway-account.ts';

const KEY = 'mobile-money-otp';
const INPUT = `parameters.${KEY}.mobile_number`;
const families: readonly Family[] = [
  {
    connector: promptConnector,
    simulation: promptSimulation,
    settings: { api_key: 'the-api-key', webhook_secret: 'a-secret-that-signs' },
  },
  walletGatewayAccount,
  ...bankTransferAccounts.filter(({ connector }) => connector === bankCollectionConnector),
];

/** The providers, before which stands a record of what they were sent. */
async function start() {
  const shop = await receiver();
  const [recordPort, providerPort] = [await freePort(), await freePort()];
  const sent: string[] = [];
  const record = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const body = Buffer.concat(parts);
    if (body.length > 0) sent.push(body.toString());
    const answer = await fetch(`http://127.0.0.1:${providerPort}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        ['host', 'connection', 'content-length', 'transfer-encoding'].includes(name) ? [] : [[name, String(value)]],
      ),
      ...(body.length > 0 && { body }),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  await new Promise<void>((resolve) => record.listen(recordPort, '127.0.0.1', resolve));
  const service = await startOn((port) =>
    familyConfig(families, { callbackUrl: shop.url, port, providerPort: recordPort }),
  );
  const simulator = await familyProviders(families, service.url, providerPort);
  return {
    ...service,
    sent,
    async stop() {
      await service.stop();
      record.closeAllConnections();
      await simulator.close();
      await shop.close();
    },
  };
}

let service: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  service = await start();
}, 60_000);
afterAll(() => service.stop());

/** The number within the requests since. */
const numbersAfter = (before: number) =>
  service.sent.slice(before).flatMap((body) => /"(?:number|phone|phoneNumber)":\s*"([^"]+)"/.exec(body)?.[1] ?? []);

const NUMBERS: readonly (readonly [country: string, currency: string, e164: string, ...written: string[]])[] = [
  ['BR', 'BRL', '5511987654321', '(11) 98765-4321', '011 98765-4321', '11987654321', '+55 (0)11 98765 4321'],
  ['MX', 'MXN', '525522997233', '55 2299 7233', '(55) 2299-7233', '5522997233', '0052 55 2299 7233'],
  ['KE', 'KES', '254712345678', '0712 345 678', '712345678', '+254 (0)712 345 678', '٠٧١٢٣٤٥٦٧٨'],
  ['GH', 'GHS', '233551234987', '0551234987', '055 123 4987', '551234987', '00233 55 123 4987'],
  ['UG', 'UGX', '256772123456', '0772123456', '0772 123-456', '772 123456', '０７７２１２３４５６'],
  ['TZ', 'TZS', '255621234567', '0621 234 567', '621234567', '255621234567', '+255 621 234 567 ext. 12'],
  ['EG', 'EGP', '201001234567', '010 0123 4567', '01001234567', '1001234567', '٠١٠٠١٢٣٤٥٦٧'],
  ['CO', 'COP', '573211234567', '321 123 4567', '3211234567', '(321) 123-4567', '+57 321.123.4567'],
  ['TR', 'TRY', '905012345678', '0501 234 56 78', '501 234 56 78', '05012345678', '0090 501 234 56 78'],
  ['ID', 'IDR', '62812345678', '0812-345-678', '0812 345 678', '812345678', '+62 812-345-678'],
];
const rows = NUMBERS.flatMap(([country, currency, e164, ...written]) =>
  written.map((number) => ({ country, currency, e164, number })),
);

describe.each(rows)('$number in $country', ({ country, currency, e164, number }) => {
  test('typed on the page reaches its owner: by the country of the session', async () => {
    const before = service.sent.length;
    const body = sessionBody({ methods: [KEY], billing_address: { country } }, { currency: 'USD', amount: '1000.00' });
    const pressed = await pressPay(await createPage(service.url, body), { method: KEY, [INPUT]: number });
    expect([pressed.status, numbersAfter(before)]).toEqual([303, [e164]]);
  });

  test('sent in a session reaches its owner: by the currency of the order', async () => {
    const before = service.sent.length;
    const parameters = { [KEY]: { mobile_number: number } };
    const body = sessionBody({ methods: [KEY], parameters }, { currency, amount: '1000.00' });
    const pressed = await pressPay(await createPage(service.url, body), { method: KEY });
    expect([pressed.status, numbersAfter(before)]).toEqual([303, [e164]]);
  });

  test('sent in a command reaches its owner: by the currency of the order', async () => {
    const before = service.sent.length;
    const fields = apmSaleFields({
      brand: KEY,
      order_currency: currency,
      order_amount: '1000.00',
      'parameters[mobile_number]': number,
    });
    await sendCommand(service.url, fields);
    expect(numbersAfter(before)).toEqual([e164]);
  });
});

describe('a number that may be of several countries', () => {
  const GB = 'Write it with the country code, as +44 7400 123456.';

  test.each([
    ['0712 345 678', 'EUR', undefined, GB],
    ['254712345678', 'USD', undefined, GB],
    ['(202) 555-0123', 'XOF', undefined, GB],
    ['0772 123 456', 'KES', 'UG', 'Write it with the country code, as +256 712 345678.'],
    ['(11) 98765-4321', 'BRL', 'KE', undefined],
    ['12', 'KES', undefined, 'Write it as 0712 123456, or with the country code, as +254 712 123456.'],
    ['256772123456', 'KES', undefined, 'Write it as 0712 123456, or with the country code, as +254 712 123456.'],
  ])('%s, typed on the page of an order in %s with country %s: %s', async (number, currency, country, said) => {
    const before = service.sent.length;
    const where = country === undefined ? {} : { billing_address: { country } };
    const body = sessionBody({ methods: [KEY], ...where }, { currency, amount: '1000.00' });
    const pressed = await pressPay(await createPage(service.url, body), { method: KEY, [INPUT]: number });
    expect(pressed.status).toBe(said === undefined ? 303 : 422);
    expect(numbersAfter(before)).toEqual(said === undefined ? ['5511987654321'] : []);
    if (said !== undefined) expect(await pressed.text()).toContain(said);
  });

  test('is refused in a session and a command that name no country, unless its digits begin with the calling code', async () => {
    const before = service.sent.length;
    const session = (mobile_number: string) =>
      post(
        `${service.url}/api/v1/session`,
        sessionBody({ methods: [KEY], parameters: { [KEY]: { mobile_number } } }, { currency: 'USD' }),
      );
    const command = (number: string) =>
      sendCommand(
        service.url,
        apmSaleFields({ brand: KEY, order_currency: 'USD', 'parameters[mobile_number]': number }),
      );
    const refused = await session('0712 345 678');
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([400, expect.stringContaining(`not valid. ${GB}`)]);
    expect(JSON.stringify((await command('0712 345 678')).json)).toContain(GB);
    expect(numbersAfter(before)).toEqual([]);
    expect((await session('254712345678')).status).toBe(200);
    await command('254712345678');
    expect(numbersAfter(before)).toEqual(['254712345678']);
  });
});

describe('the number of the payer’s address', () => {
  const LINK = 'link-sms';

  test.each([
    ['BR', '(11) 98765-4321', '+5511987654321', '+55 11 •••••-4321'],
    ['IE', '+353 86 123 4567', '+353861234567', '+353 •••••-4567'],
    ['DE', '+49 151/23456789', '+4915123456789', '+49 15 •••••-6789'],
  ])('in %s, %s, is sent the link, and shown as it was understood', async (country, phone, e164, shown) => {
    const before = service.sent.length;
    const bodies = [
      [sessionBody({ methods: [LINK], billing_address: { country, phone } }, { currency: 'USD' }), {}],
      [
        sessionBody({ methods: [LINK], billing_address: { country } }, { currency: 'USD' }),
        { 'billing_address.phone': phone },
      ],
    ] as const;
    for (const [body, typed] of bodies) {
      const page = await createPage(service.url, body);
      expect((await pressPay(page, { method: LINK, ...typed })).status).toBe(303);
      expect(await (await fetch(page)).text()).toContain(`We sent it to ${shown}.`);
    }
    expect(numbersAfter(before)).toEqual([e164, e164]);
  });

  test('is read by the calling code that the request names beside it', async () => {
    const before = service.sent.length;
    const billing_address = { phone: '712 345 678', phone_country_code: '+254' };
    const page = await createPage(service.url, sessionBody({ methods: [LINK], billing_address }, { currency: 'USD' }));
    await pressPay(page, { method: LINK });
    expect(numbersAfter(before)).toEqual(['+254712345678']);
  });
});

describe('a number that one of several methods cannot read', () => {
  const LINK = 'link-sms';
  const GB = 'Write it with the country code, as +44 7400 123456.';

  test.each([
    ['of the payer’s address', LINK, KEY, { billing_address: { phone: '0712 345 678' } }, 'billing_address.phone'],
    ['of the method', KEY, LINK, { parameters: { [KEY]: { mobile_number: '0712 345 678' } } }, INPUT],
  ])('%s, leaves the others: the page offers them, and a warning names it', async (_of, unfit, other, sent, path) => {
    const body = sessionBody({ methods: [unfit, other], ...sent }, { currency: 'USD', amount: '1000.00' });
    const made = await post(`${service.url}/api/v1/session`, body);
    expect(made.status).toBe(200);
    const said = JSON.stringify(made.json);
    expect(said).toContain(`methods: ${unfit} is not shown. ${path}: `);
    expect(said).toContain(GB);
    const { redirect_url: page } = Object(made.json);
    const before = service.sent.length;
    const number = { [other === KEY ? INPUT : 'billing_address.phone']: '+254 712 345 678' };
    expect((await pressPay(page, { method: unfit, ...number })).status).toBe(422);
    expect((await pressPay(page, { method: other, ...number })).status).toBe(303);
    expect(numbersAfter(before)).toEqual([expect.stringMatching(/^\+?254712345678$/)]);
  });

  test('leaves no session where none of the methods can be paid by', async () => {
    const sent = {
      billing_address: { phone: '0712 345 678' },
      parameters: { [KEY]: { mobile_number: '0712 345 678' } },
    };
    const body = sessionBody({ methods: [LINK, KEY], ...sent }, { currency: 'USD', amount: '1000.00' });
    const made = await post(`${service.url}/api/v1/session`, body);
    expect(made.status).toBe(400);
    for (const path of ['billing_address.phone', INPUT]) expect(JSON.stringify(made.json)).toContain(`${path}: `);
  });
});

describe('the number for which a step asks after the button', () => {
  const PULL = 'mobile-pull-pe';
  const asked = async (sent: object = {}) => {
    const page = await createPage(
      service.url,
      sessionBody({ methods: [PULL], ...sent }, { currency: 'PEN', amount: '15.00' }),
    );
    expect((await pressPay(page, { method: PULL })).status).toBe(303);
    return page;
  };
  const answer = async (page: string, phoneNumber: string) => {
    const body = new URLSearchParams({ step: 'code', phoneNumber, otp: '123456' });
    return fetch(`${page}/answer`, { method: 'POST', body, redirect: 'manual' });
  };

  test.each(['987 654 321', '(987) 654-321', '٩٨٧٦٥٤٣٢١', '0051 987 654 321', '+51 987 654 321 ext. 4'])(
    '%s reaches its owner',
    async (number) => {
      const page = await asked();
      const before = service.sent.length;
      expect((await answer(page, number)).status).toBe(303);
      expect(numbersAfter(before)).toEqual(['+51987654321']);
    },
  );

  test('is asked for again with an example where it cannot be read, and nothing is sent', async () => {
    const page = await asked();
    const before = service.sent.length;
    const refused = await answer(page, '98765');
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('Write it as 912 345 678, or with the country code, as +51 912 345 678.'),
    ]);
    expect(numbersAfter(before)).toEqual([]);
  });

  test('is read the same where the request carries it within an object', async () => {
    const before = service.sent.length;
    const bankDetails = { phoneNumber: '987 654 321', otp: '123456' };
    await asked({ parameters: { [PULL]: { bankDetails } } });
    expect(numbersAfter(before)).toEqual(['+51987654321']);
  });
});
