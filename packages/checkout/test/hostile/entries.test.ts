import { request } from 'node:http';
import * as fc from '../../../../test/support/properties.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankTransferPage, openBankingService } from '../support/open-banking-service.ts';

/** `npm run test:soak` asks for more. */
const RUNS = Number(process.env['RAILYARD_SOAK'] ?? 12);
const SECONDS_EACH = 2;

let service: Awaited<ReturnType<typeof openBankingService>>;

beforeAll(async () => {
  service = await openBankingService();
});

afterAll(() => service.stop());

/** Percent-encoded: NUL, controls, halves of a surrogate pair, what is no UTF-8, and what is. */
const hostile = fc
  .array(
    fc.constantFrom('%00', '%01', '%1B', '%7F', '%C2%85', '%ED%A0%80', '%ED%B0%80', '%FF', '%EF%BF%BF', 'a', '%'),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((pieces) => pieces.join(''));
/** Bytes that Node's client lets into a header. */
const header = fc.array(fc.constantFrom('\t', '\u0080', '\u00a0', '\u00ed', '\u00ff', 'a', ','), { maxLength: 8 });

const names = ['method', 'step', 'amount', 'card.number', 'card.name', 'firstname', 'email', 'wallet.token', 'resend'];
const attack = fc.record({
  name: fc.oneof(fc.constantFrom(...names), hostile),
  value: hostile,
  header: header.map((pieces) => `x${pieces.join('')}x`),
});

function send(url: string, method: string, said: string, body: string): Promise<number> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': said,
    'accept-language': said,
    'x-forwarded-for': said,
    'idempotency-key': said,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (reply) => resolve(reply.resume().statusCode ?? 0));
    sent.on('error', reject);
    sent.end(body);
  });
}

test(
  `${RUNS} forms, queries and headers with what no database keeps are answered, none with 5xx`,
  { timeout: 60_000 + RUNS * SECONDS_EACH * 1000 },
  async () => {
    const open = await bankTransferPage(service);
    const visiting = await bankTransferPage(service);
    await send(`${visiting}/pay`, 'POST', 'x', 'method=online-bank-transfer&firstname=Ann&lastname=Lee');
    await fc.assert(
      fc.asyncProperty(attack, async ({ name, value, header: said }) => {
        const form = `${name}=${value}`;
        const answers = [
          await send(`${open}/check`, 'POST', said, form),
          await send(`${open}/pay`, 'POST', said, form),
          await send(`${open}?${form}`, 'GET', said, ''),
          await send(`${visiting}/answer`, 'POST', said, `step=${value}&${form}`),
          await send(`${visiting}/back?${form}`, 'GET', said, ''),
          await send(`${visiting}/back?${form}`, 'POST', said, form),
          await send(`${service.url}/auth/${value}`, 'GET', said, ''),
          await send(`${service.url}/notify/${value}?${form}`, 'POST', said, form),
          await send(`${service.url}/post`, 'POST', said, `action=CREDIT2VIRTUAL&client_key=${value}&${form}`),
          await send(`${service.url}/api/v1/session`, 'POST', said, form),
        ];
        for (const status of answers) expect(status).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
    expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
  },
);
