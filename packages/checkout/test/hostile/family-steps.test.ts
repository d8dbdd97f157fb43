import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BANKS_TRIES, countingBank, RIGHT_CODE } from '../support/counting-bank.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

type Answer = Readonly<Record<string, string>>;

/** A payment whose payer answers questions after the button, in their order. */
interface Steps {
  readonly key: string;
  readonly currency: string;
  readonly country?: string;
  readonly typed?: Answer;
  readonly answers: readonly (Answer & { readonly step: string })[];
}

const ACCOUNT = '2850590940090418135201';
const rows: readonly Steps[] = [
  { key: 'debin', currency: 'ARS', answers: [{ step: 'account', account: ACCOUNT }] },
  {
    key: 'mobile-pull-pe',
    currency: 'PEN',
    answers: [{ step: 'code', phoneNumber: '987 654 321', otp: RIGHT_CODE }],
  },
  {
    key: 'bank-beneficiary',
    currency: 'EUR',
    answers: [
      { step: 'beneficiary', name: 'Example Shop', account: '1234567890' },
      { step: 'account', account: 'acc-2' },
      { step: 'code', code: RIGHT_CODE },
    ],
  },
  {
    key: 'bank-redirect',
    currency: 'CLP',
    country: 'CL',
    typed: { 'parameters.bank-redirect.document_number': '12.531.909-2' },
    answers: [{ step: 'bank', bank: 'B-01' }],
  },
];

/** What stands in an answer in the place of each of its values: blank, with what no line of text holds, or too long. */
const HOSTILE = ['', ' ', '\u0000', 'a\u0000b', '\u001b[2J', '<script>\r\n', 'x'.repeat(900), 'x'.repeat(5000)];

let service: Awaited<ReturnType<typeof countingBank>>;
beforeAll(async () => {
  service = await countingBank();
}, 60_000);
afterAll(() => service.stop());

const sessionOf = ({ key, currency, country }: Steps) =>
  sessionBody(
    { methods: [key], ...(country !== undefined && { billing_address: { country } }) },
    { currency, amount: '1500.00' },
  );

function rowOf(key: string): Steps {
  const row = rows.find((each) => each.key === key);
  if (row === undefined) throw new Error(`There is no row of ${key}.`);
  return row;
}

async function send(address: string, form: Answer) {
  const reply = await fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  return { status: reply.status, text: await reply.text() };
}

/** A page on which the first question is asked. */
async function begun(row: Steps) {
  const body = sessionOf(row);
  const page = await createPage(service.url, body);
  expect((await pressPay(page, { method: row.key, ...row.typed })).status).toBe(303);
  return { page, number: body.order.number };
}

const stepOf = async (page: string) => /name="step" value="([^"]+)"/.exec(await (await fetch(page)).text())?.[1];
const charges = () => service.simulator.payments().length;
const told = (number: string, status: string) =>
  service.shop.received.filter(({ fields }) => fields['order_number'] === number && fields['order_status'] === status)
    .length;

/** Settles the youngest payment, and waits until the merchant knows. */
async function settles(number: string) {
  service.simulator.settle(service.simulator.payments().at(-1)?.id ?? '');
  await service.shop.until(({ fields }) => fields['order_number'] === number && fields['order_status'] === 'settled');
  expect(told(number, 'settled')).toBe(1);
}

describe.each(rows)('the questions of $key', (row) => {
  const { key, answers } = row;

  test('are asked again after every hostile answer, which no provider gets', async () => {
    const { page, number } = await begun(row);
    for (const answer of answers) {
      const { step, ...values } = answer;
      expect(await stepOf(page)).toBe(step);
      for (const name of Object.keys(values))
        for (const text of HOSTILE) {
          const { status, text: html } = await send(`${page}/answer`, { ...answer, [name]: text });
          expect
            .soft([status < 500, html.includes('<script>')], `${name}: ${text.slice(0, 20)}`)
            .toEqual([true, false]);
        }
      const asked = await stepOf(page);
      expect(asked === undefined ? undefined : asked.replace(/#\d+$/, '')).toBe(step);
      expect((await send(`${page}/answer`, { ...answer, step: asked ?? '' })).status).toBe(303);
    }
    await settles(number);
  });

  test('are answered once each, when they are answered at once, again, too early or at the page of another payer', async () => {
    const [before, codes] = [charges(), service.codes.length];
    const [own, other] = [await begun(row), await begun(row)];
    for (const [index, answer] of answers.entries()) {
      // Later questions first, and those of before once more.
      for (const wrong of answers.filter((_each, at) => at !== index)) await send(`${own.page}/answer`, wrong);
      expect(await stepOf(own.page)).toBe(answer.step);
      const all = await Promise.all(Array.from({ length: 6 }, () => send(`${own.page}/answer`, answer)));
      for (const { status } of all) expect(status).toBeLessThan(500);
    }
    expect(await stepOf(own.page)).toBeUndefined();
    expect(service.codes.length - codes).toBe(answers.filter((answer) => answer.step === 'code').length);
    expect(await stepOf(other.page)).toBe(answers[0]?.step);
    for (const answer of answers) await send(`${own.page}/answer`, answer);
    const last = service.simulator.payments().at(-1);
    await Promise.all(Array.from({ length: 4 }, () => send(`${own.page}/pay`, { method: key, ...row.typed })));
    const opensAtOnce = key === 'bank-beneficiary';
    expect(charges()).toBe(before + (opensAtOnce ? 2 : 1));
    const mine = opensAtOnce ? service.simulator.payments().at(-2) : last;
    service.simulator.settle(mine?.id ?? '');
    await service.shop.until(
      ({ fields }) => fields['order_number'] === own.number && fields['order_status'] === 'settled',
    );
    expect([told(own.number, 'settled'), told(other.number, 'settled')]).toEqual([1, 0]);
  });
});

/** Codes that are wrong, one after the other, to whatever step the page asks for. */
async function guess(page: string, name: string, times: number) {
  for (let at = 0; at < times; at += 1)
    await send(`${page}/answer`, { step: (await stepOf(page)) ?? 'code', [name]: `${1000 + at}` });
}

/** The right code, to each step that there was and some more. */
async function laterRight(page: string, name: string) {
  for (const step of ['code', 'code#2', 'code#3', 'code#4', 'code#5'])
    await send(`${page}/answer`, { step, [name]: RIGHT_CODE });
}

/** How many codes reach the provider before the payment is declined, and in which ways the merchant was told of its end. */
async function declines({ number, before }: { readonly number: string; readonly before: number }) {
  await service.shop.until(({ fields }) => fields['order_number'] === number && fields['order_status'] === 'decline');
  return { codes: service.codes.length - before, declined: told(number, 'decline'), settled: told(number, 'settled') };
}

describe('a payer who guesses the code', () => {
  test('of a transfer in steps is let guess as often as the bank lets them, and the right code comes too late', async () => {
    const before = service.codes.length;
    const { page, number } = await begun(rowOf('bank-beneficiary'));
    for (const answer of rowOf('bank-beneficiary').answers.slice(0, -1)) await send(`${page}/answer`, answer);
    await guess(page, 'code', BANKS_TRIES + 4);
    await laterRight(page, 'code');
    expect(await declines({ number, before })).toEqual({ codes: BANKS_TRIES, declined: 1, settled: 0 });
  });

  test('of a wallet that is debited is let guess four times, though the provider counts none', async () => {
    const [before, held] = [service.codes.length, charges()];
    const { page, number } = await begun(rowOf('mobile-pull-pe'));
    await send(`${page}/answer`, { step: 'code', phoneNumber: '987 654 321', otp: '0000' });
    await guess(page, 'otp', 8);
    await laterRight(page, 'otp');
    expect(await declines({ number, before })).toEqual({ codes: 4, declined: 1, settled: 0 });
    expect(charges()).toBe(held);
  });
});

test('no request has failed inside the service, and no code or key is in its log', () => {
  expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
  expect(service.lines.filter((line) => line.includes(RIGHT_CODE) || line.includes('the-api-key'))).toEqual([]);
});
