import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mangledService } from '../support/mangled-service.ts';
import { answerWith, type Mangle, withFields } from '../support/mangling-provider.ts';

/** NUL, both halves of a surrogate pair the wrong way round, and a control: JSON carries them all, escaped. */
const POISON = '\0\udc00\ud800\u001b[31m';

const poisoned =
  (change: (truth: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): Mangle =>
  ({ status, text }, response) =>
    answerWith(response, status, withFields(text, change(Object(JSON.parse(text)))));

const refusing =
  (problem: Readonly<Record<string, string>>): Mangle =>
  (_truth, response) =>
    answerWith(response, 422, JSON.stringify(problem));

/** What is told at once, by where the poison stands in the answer to a charge. */
const WAYS = {
  'a status word': poisoned(({ status }) => ({ status: `${String(status)}${POISON}` })),
  'a reference': poisoned(({ qr_code_id }) => ({ qr_code_id: `${String(qr_code_id)}${POISON}` })),
  'the echo of our reference': poisoned(({ external_id }) => ({ external_id: `${String(external_id)}${POISON}` })),
  'an amount': poisoned(({ amount }) => ({ amount: `${String(amount)}${POISON}` })),
  'a time': poisoned(() => ({ expires_at: POISON })),
  'the content of a QR code': poisoned(() => ({ pix_copy_and_paste: POISON })),
  'a field that is not asked for, and its name': poisoned(() => ({ [POISON]: { [POISON]: [POISON] } })),
  'the code of a refusal': refusing({ code: POISON, message: 'No.' }),
  'the message of a refusal': refusing({ code: 'no', message: POISON }),
} satisfies Record<string, Mangle>;

const TOLD = {
  'a status word': 'undefined',
  'a reference': 'undefined',
  'the echo of our reference': 'undefined',
  'an amount': 'undefined',
  'a time': 'undefined',
  'the content of a QR code': 'fail',
  'a field that is not asked for, and its name': 'waiting',
  'the code of a refusal': 'fail',
  'the message of a refusal': 'fail',
} satisfies Record<keyof typeof WAYS, string>;

let service: Awaited<ReturnType<typeof mangledService<keyof typeof WAYS>>>;

beforeAll(async () => {
  service = await mangledService(WAYS);
});

afterAll(() => service.stop());

const failures = () => service.lines.filter((line) => /request-failed|notification-failed|job-failed/.test(line));

describe('a provider’s text that no database keeps', () => {
  test.each(Object.entries(TOLD))('in %s leads to a page and to a callback of %s', async (way, status) => {
    const name = service.names.find((each) => each === way);
    if (name === undefined) throw new Error(`There is no way ${way}.`);
    const { page, number, status: pressed } = await service.pay(name);
    expect(pressed).toBe(303);
    expect((await fetch(page)).status).toBe(200);
    const { body, fields } = await service.shop.until((callback) => callback.fields.order_number === number);
    expect(fields.status).toBe(status);
    expect(body).not.toContain('%00');
    expect(failures()).toEqual([]);
  });

  test('is looked up later, so that a payment whose answer held it settles', async () => {
    service.mangling.state.mangles = true;
    const { number, charge } = await service.pay('a reference');
    await service.told(number, 'undefined');
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    service.mangling.state.mangles = false;
    service.time.passed += 3_600_000;
    await service.told(number, 'success');
    expect(service.provider.ledger.filter(({ external_id }) => external_id === charge.external_id)).toHaveLength(1);
  });
});

describe('a signed notification', () => {
  /** Signed over its bytes as the provider signs. */
  async function notify(body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) {
    const seconds = String(Math.floor((Date.now() + service.time.passed) / 1000));
    const signature = createHmac('sha256', service.provider.webhookSecret)
      .update(`${seconds}.`)
      .update(body)
      .digest('hex');
    const signed = { 'x-timestamp': seconds, 'x-signature': `sha256=${signature}` };
    const address = service.notifyUrlOf('a field that is not asked for, and its name');
    return (await fetch(address, { method: 'POST', headers: { ...headers, ...signed }, body })).status;
  }

  test('with it is answered once and not tried again; the one after it settles the payment', async () => {
    service.mangling.state.mangles = false;
    const { number, charge, page } = await service.pay('a field that is not asked for, and its name');
    if (charge === undefined) throw new Error('The provider was not called.');
    const data = { id: charge.id, external_id: charge.external_id, status: 'PAID', amount: '10.00', currency: 'BRL' };
    const event = (change: object, event_id = `evt-${number}`) =>
      JSON.stringify({ event_id, data: { ...data, ...change } });
    const answers = [
      await notify(event({ status: `PAID${POISON}` }, 'evt-status')),
      await notify(event({ id: `${charge.id}${POISON}` }, 'evt-id')),
      await notify(event({ external_id: POISON }, 'evt-ours')),
      await notify(event({}, POISON)),
      await notify(event({ [POISON]: POISON, amount: POISON }, 'evt-amount')),
      await notify(Uint8Array.from([0, 0xed, 0xa0, 0x80, 0xff])),
    ];
    for (const answer of answers) expect([204, 400, 401]).toContain(answer);
    expect((await fetch(page)).status).toBe(200);
    const kept = () => service.lines.filter((line) => line.includes('notification'));
    const before = kept().length;
    service.time.passed += 3_600_000;
    expect(await notify(event({}), { 'x-more': '\u0080\u00ed\u00a0\u00ff' })).toBe(204);
    await service.told(number, 'success');
    expect(
      kept()
        .slice(before)
        .filter((line) => line.includes('notification-failed')),
    ).toEqual([]);
    expect(failures()).toEqual([]);
  });
});
