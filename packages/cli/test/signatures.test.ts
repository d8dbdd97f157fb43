import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestSignature, webhookSignature } from '@railyard/core/merchant';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runAtTerminal, runInPipe } from './support/memory-io.ts';
import { fixtureJson, runCli } from './support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'railyard-signatures-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const hashed = (text: string) => digest('sha1', digest('md5', text));

const password = 'Pa55-word-of-tests';
const env = { RAILYARD_PASSWORD: password };
const order = { number: 'order-7', amount: '1100.50', currency: 'USD', description: "Tea & biscuits, O'Neill" };
const { number, amount, currency, description } = order;

interface Vector {
  readonly number: string;
  readonly amount: string | null;
  readonly currency: string;
  readonly description: string;
  readonly password: string;
  readonly unicode_upper: string;
  readonly ascii_upper: string;
}
const vectors: readonly Vector[] = fixtureJson('hash-vectors.json').vectors;

describe('railyard verify', () => {
  test.each(vectors.map((vector) => [vector.number, vector] as const))(
    'knows vector %s in both dialects and its formula',
    async (_number, { password: own, unicode_upper, ascii_upper, amount: given, ...rest }) => {
      const formula = given === null ? 'session_without_amount' : 'session';
      const body = { order: { ...rest, ...(given !== null && { amount: given }) } };
      for (const [dialect, hash] of [
        ['unicode', unicode_upper],
        ['ascii', ascii_upper],
      ]) {
        const path = file(`${rest.number}-${dialect}.json`, { ...body, hash });
        const { code, answer } = await jsonInPipe(['verify', 'session', path], { env: { RAILYARD_PASSWORD: own } });
        const expected = unicode_upper === ascii_upper ? 'either' : dialect;
        expect({ code, answer }).toMatchObject({
          code: 0,
          answer: { ok: true, formula, digest: 'md5', dialect: expected },
        });
        expect(answer.hashed).toMatch(/•••$/);
        expect(JSON.stringify(answer).toLowerCase()).not.toContain(own);
      }
    },
  );

  test('has the twelve vectors', () => expect(vectors).toHaveLength(12));

  const text = `${number}${amount}${currency}${description}${password}`;
  const upper = text.toUpperCase();
  test.each<[string, string, string]>([
    [
      'amount-format',
      hashed(`${number}1100.5${currency}${description}${password}`.toUpperCase()),
      'without zeros at its end',
    ],
    ['amount-format', hashed(`${number}110050${currency}${description}${password}`.toUpperCase()), 'in minor units'],
    ['case', hashed(text), 'without raising the text to upper case'],
    [
      'case',
      hashed(`${number}${amount}${currency}${description}`.toUpperCase() + password),
      'added after the upper-casing',
    ],
    [
      'field-order',
      hashed(`${number}${currency}${amount}${description}${password}`.toUpperCase()),
      'in the order number, currency, amount, description',
    ],
    [
      'field-order',
      hashed(`${password}${number}${amount}${currency}${description}`.toUpperCase()),
      'with the password first',
    ],
    ['missing-field', hashed(`${number}${amount}${currency}${password}`.toUpperCase()), 'without description'],
    ['password-whitespace', hashed(`${upper}\n`), 'white space around the password'],
    ['password-missing', hashed(`${number}${amount}${currency}${description}`.toUpperCase()), 'without the password'],
    [
      'text-bytes',
      hashed(`${number}${amount}${currency}Tea &amp; biscuits, O&#039;Neill${password}`.toUpperCase()),
      'escaped for HTML',
    ],
    [
      'separator',
      hashed([number, amount, currency, description, password].join('|').toUpperCase()),
      'with "|" between the fields',
    ],
    ['digest', digest('sha1', upper), 'with SHA-1 alone'],
    ['digest', digest('sha1', digest('md5', upper).toUpperCase()), 'upper-case hex'],
    ['extra-field', hashed(`11111111${upper}`), 'with merchant_key before the other fields'],
    ['currency-form', hashed(`${number}${amount}840${description}${password}`.toUpperCase()), 'currency as its number'],
    ['other-formula', hashed(`PAY-1${upper}`), 'by the formula callback'],
    [
      'other-formula',
      digest('md5', `${'pay-1'.split('').toReversed().join('')}${password}`.toUpperCase()),
      'payment_id backwards',
    ],
    ['stray-text', ` sha1=${hashed(upper)}\n`, 'a prefix stand around it'],
  ])('finds %s behind a hash that does not match', async (mistake, hash, says) => {
    const path = file('wrong.json', { merchant_key: '11111111', payment_id: 'pay-1', order, hash });
    const { code, answer } = await jsonInPipe(['verify', 'session', path], { env });
    expect({ code, mistakes: answer.mistakes }).toEqual({ code: 1, mistakes: [mistake] });
    expect(answer.says).toContain(says);
    expect(answer.advice).toMatch(/\.$/);
    expect(JSON.stringify(answer)).not.toMatch(/55-word/i);
  });

  test('finds two mistakes made together', async () => {
    const hash = hashed(`${number}1100.5${currency}${description}${password}`);
    const { answer } = await jsonInPipe(['verify', 'session', file('two.json', { order, hash })], { env });
    expect(answer.mistakes).toEqual(['amount-format', 'case']);
  });

  test('where nothing leads to the hash, says what to compare', async () => {
    const { code, said } = await runInPipe(['verify', 'session', file('none.json', { order, hash: 'f'.repeat(40) })], {
      env,
    });
    expect(code).toBe(1);
    expect(said).toContain(`should be hashed: ${`${number}${amount}${currency}${description}`.toUpperCase()}•••`);
    expect(said).toContain('Most likely the password is another one');
  });

  test('distinguishes SHA-256 and MD5, and when the other one was agreed', async () => {
    const hash = digest('sha1', digest('sha256', upper));
    const path = file('sha256.json', { order, hash });
    const { code, said } = await runInPipe(['verify', 'session', path], { env });
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('digest: SHA-1 over SHA-256') });
    const other = await jsonInPipe(['verify', 'session', path, '--digest', 'md5'], { env });
    expect(other).toMatchObject({ code: 1, answer: { mistakes: ['digest-setting'] } });
  });

  test.each<[string, unknown, string]>([
    ['capture', { payment_id: 'p1', amount: '5.00' }, 'P15.00'],
    ['refund', { payment_id: 'p1', amount: '5.00' }, 'P15.00'],
    ['void', { payment_id: 'p1' }, 'P1'],
    ['retry', { payment_id: 'p1' }, 'P1'],
    ['status', { payment_id: 'p1' }, 'P1'],
    ['status', { order_id: 'o1' }, 'O1'],
    [
      'recurring',
      {
        recurring_init_trans_id: 't1',
        recurring_token: 'k1',
        order: { number: 'n', amount: '1.00', description: 'd' },
      },
      'T1K1N1.00D',
    ],
    [
      'card-credit',
      { order_id: 'o1', order_amount: '1.00', order_currency: 'EUR', order_description: 'd' },
      'O11.00EURD',
    ],
    [
      'callback',
      'id=p1&order_number=n&order_amount=1.00&order_currency=EUR&order_description=d&status=success',
      'P1N1.00EURD',
    ],
  ])('signs and verifies %s %j', async (kind, message, covered) => {
    const path = file('message', message);
    const { said } = await runInPipe(['sign', kind, path], { env });
    expect(said).toBe(`${hashed(covered + password.toUpperCase())}\n`);
    const checked = await jsonInPipe(['verify', kind, path, '--hash', said.trim()], { env });
    expect(checked).toMatchObject({ code: 0, answer: { hashed: `${covered}•••` } });
  });

  test('checks the address of a return against one’s own record of the order', async () => {
    const record = file('order.json', { order });
    const hash = hashed(`p1${upper}`.toUpperCase());
    const address = `https://shop.example/thanks?payment_id=p1&trans_id=t1&order_id=${number}&hash=${hash}`;
    const input = async () => address;
    const right = await jsonInPipe(['verify', 'return', '-', '--order', record], { env, readInput: input });
    expect(right).toMatchObject({ code: 0, answer: { formula: 'return' } });
    const without = await runInPipe(['verify', 'return', '-'], { env, readInput: input });
    expect(without.code).toBe(2);
    expect(without.complained).toContain('Give your record of the order with --order FILE.');
  });
});

describe('railyard verify webhook', () => {
  const secret = `whsec_${Buffer.from('thirty-two-bytes-of-a-test-secret').toString('base64')}`;
  const webhookEnv = { RAILYARD_PASSWORD: secret };
  const body = '{"id": "p1",\n "status": "success"}';
  const signed = (id: string, timestamp: string, over: string) =>
    webhookSignature(secret, { id, timestamp }, new TextEncoder().encode(over));
  const check = (signature: string, timestamp = '1795219200') => {
    const headers = file(
      'headers.txt',
      `Webhook-Id: msg_1\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}\n`,
    );
    return jsonInPipe(['verify', 'webhook', file('body.json', body), '--headers', headers], { env: webhookEnv });
  };

  test('accepts a right signature, however old', async () => {
    expect(await check(`v1,other ${signed('msg_1', '1795219200', body)}`)).toMatchObject({
      code: 0,
      answer: { ok: true, hashed: `msg_1.1795219200.<body of ${Buffer.byteLength(body)} bytes>` },
    });
  });

  test.each<[string, string]>([
    ['body-changed', signed('msg_1', '1795219200', JSON.stringify(JSON.parse(body)))],
    ['timestamp', signed('msg_1', '1795219200000', body)],
    ['no-signature', ''],
  ])('finds %s', async (mistake, signature) => {
    expect(await check(signature)).toMatchObject({ code: 1, answer: { ok: false, mistakes: [mistake] } });
  });

  test('says that a time in milliseconds is none in seconds', async () => {
    expect(await check('v1,x', '1795219200000')).toMatchObject({ code: 1, answer: { mistakes: ['timestamp'] } });
  });

  test('signs what it verifies', async () => {
    const path = file('callback.json', body);
    const made = await runInPipe(['sign', 'webhook', path, '--id', 'msg_1', '--timestamp', '1795219200'], {
      env: webhookEnv,
    });
    expect(made.said).toBe(
      `webhook-id: msg_1\nwebhook-timestamp: 1795219200\nwebhook-signature: ${signed('msg_1', '1795219200', body)}\n`,
    );
  });
});

describe('the password', () => {
  const path = file('order-only.json', { order });
  const right = hashed(`${number}${amount}${currency}${description}${password}`.toUpperCase());

  test('comes from standard input, a line break at its end left out', async () => {
    expect(await runCli(['sign', 'session', path], { input: `${password}\n` })).toEqual({
      code: 0,
      said: `${right}\n`,
      complained: '',
    });
  });

  test('comes from a variable that is named', async () => {
    const ran = await runCli(['sign', 'session', path, '--password-env', 'SHOP'], { env: { SHOP: password } });
    expect(ran.said).toBe(`${right}\n`);
    const absent = await runCli(['sign', 'session', path, '--password-env', 'ABSENT']);
    expect(absent).toMatchObject({
      code: 2,
      complained: expect.stringContaining('The environment variable ABSENT is not set.'),
    });
  });

  test('is asked for at a terminal, and the answer shows what was hashed without it', async () => {
    const { said } = await runAtTerminal(['sign', 'session', path], { canAsk: true, askSecret: async () => password });
    expect(said).toContain(right);
    expect(said).toContain('formula: session (number + amount + currency + description + password)');
    expect(said).not.toMatch(/55-word/i);
  });

  test('is needed, and no option takes it', async () => {
    const { code, complained } = await runCli(['sign', 'session', path]);
    expect({ code, complained }).toEqual({
      code: 2,
      complained: expect.stringContaining('The merchant password is needed: set RAILYARD_PASSWORD'),
    });
    expect((await runCli(['sign', 'session', path, '--password', 'x'])).code).toBe(2);
  });
});

test('a request is signed with its headers, for the path that it is sent to', async () => {
  const secret = `whsec_${btoa('a secret of thirty-two characters')}`;
  const path = file('request.json', '{"a":1}');
  const words = ['sign', 'request', path, '--key', 'shop', '--path', '/api/v1/session'];
  const given = { env: { RAILYARD_PASSWORD: secret } };
  const made = await runInPipe([...words, '--id', 'req-00000001', '--timestamp', '1795219200'], given);
  const body = new TextEncoder().encode('{"a":1}');
  const signed = { id: 'req-00000001', timestamp: '1795219200', method: 'POST', path: '/api/v1/session', body };
  expect(made.said.trim().split('\n')).toEqual([
    'request-key: shop',
    'request-id: req-00000001',
    'request-timestamp: 1795219200',
    `request-signature: ${requestSignature(secret, signed)}`,
  ]);
  expect((await runInPipe(words.slice(0, 5), given)).code).toBe(2);
});
