import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mangledService } from '../support/mangled-service.ts';
import { answerWith, type Mangle, withFields } from '../support/mangling-provider.ts';

const spoilt =
  (change: (text: string) => string, type?: string): Mangle =>
  ({ status, text }, response) =>
    answerWith(response, status, change(text), type);

const packed =
  (bytes: (text: string) => Buffer): Mangle =>
  ({ status, text }, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bytes(text));
  };

/** With one field more, as long or as deep as is given. */
const withMore = (text: string, json: string) => `${text.slice(0, -1)},"more":${json}}`;
const DEEP = 100_000;

/** Replies of a provider who took the charge. */
const GARBAGE = {
  'an empty body': spoilt(() => ''),
  'an HTML page': spoilt(() => '<!doctype html><title>Maintenance</title>', 'text/html'),
  'a good reply of 10 MB': spoilt((text) => withMore(text, `"${'x'.repeat(10_000_000)}"`)),
  'a form under another content type': spoilt(
    (text) => new URLSearchParams(Object(JSON.parse(text))).toString(),
    'application/x-www-form-urlencoded',
  ),
  'JSON that is cut off': spoilt((text) => text.slice(0, text.length / 2)),
  'JSON of 100,000 levels': spoilt((text) => withMore(text, '['.repeat(DEEP) + ']'.repeat(DEEP))),
  'an array around the object': spoilt((text) => `[${text}]`),
  null: spoilt(() => 'null'),
  'a text': spoilt(() => '"PAID"'),
  'numbers where texts are due': spoilt((text) => withFields(text, { qr_code_id: 17, status: 5 })),
  'an object where a text is due': spoilt((text) => withFields(text, { status: { is: 'PAID' } })),
  'a time that is none': spoilt((text) => withFields(text, { expires_at: 'soon' })),
  'an empty reference': spoilt((text) => withFields(text, { qr_code_id: '' })),
  'no status': spoilt((text) => withFields(text, { status: undefined })),
  'no amount': spoilt((text) => withFields(text, { amount: undefined })),
  'a currency that is a number': spoilt((text) => withFields(text, { currency: 986 })),
  'an amount that is a list': spoilt((text) => withFields(text, { amount: ['10.00'] })),
  'a packed reply that was not asked for': packed((text) => gzipSync(text)),
  'a packed bomb': packed(() => gzipSync(Buffer.alloc(64 * 1024 * 1024))),
  'a reply that drips without end': ({ status }, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  },
} satisfies Record<string, Mangle>;

const DRIPS = 'a reply that drips without end';

/** The account that is given up sooner than a provider would be, while its replies have no end. */
const hurried = { url: '' };

const start = () =>
  mangledService(GARBAGE, (http) => ({
    send: (request) =>
      http.send(
        hurried.url !== '' && request.url.startsWith(`${hurried.url}/`) ? { ...request, timeoutMs: 500 } : request,
      ),
  }));

let service: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  service = await start();
  hurried.url = service.mangling.urlOf(DRIPS);
});

afterAll(() => service.stop());

describe('a charge that is answered with garbage', () => {
  test('is unknown to payer and merchant, and settles once a lookup is understood', async () => {
    const { mangling, provider, shop, time } = service;
    const started = [];
    for (const name of service.names) {
      const payment = await service.pay(name);
      expect(payment.status, name).toBe(303);
      started.push({ ...payment, name });
    }
    expect(provider.ledger).toHaveLength(service.names.length);
    for (const { name, page, number } of started) {
      const { fields } = await shop.until((callback) => callback.fields.order_number === number);
      expect(fields.status, name).toBe('undefined');
      expect((await fetch(page)).status, name).toBe(200);
    }
    expect(new Set(shop.received.map(({ fields }) => fields.status))).toEqual(new Set(['undefined']));
    mangling.state.mangles = false;
    hurried.url = '';
    for (const entry of provider.ledger) entry.status = 'PAID';
    time.passed += 3_600_000;
    for (const { number } of started) await service.told(number, 'success');
    expect(provider.ledger).toHaveLength(service.names.length);
    expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
  });
});
