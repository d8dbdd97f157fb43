import { settled, visit } from '@railyard/core';
import type { CardPart } from '@railyard/core/driver';
import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  bodyWithoutCards,
  cardMask,
  eventWithoutCards,
  urlWithoutCodes,
  withoutLongNumbers,
} from '../src/card-mask.ts';
import { drive } from '../src/index.ts';
import { connectorOf, five, hostOf, json, runOf } from './support/sample.ts';

const held: Partial<Record<CardPart, string>> = {
  number: '4111111111111111',
  cvv: '737',
  'payee-number': '5555555555554444',
};
const mask = cardMask({ openCard: ({ part }) => held[part] });

test('a provider’s message is kept without the card', () => {
  expect(
    mask.reply({
      message: 'Card 4111 1111 1111 1111 with code 737 was refused.',
      echo: ['4111-1111-1111-1111', 4111111111111111],
      deep: { text: 'no 4111111111111111, no 737' },
      payee: '5555 5555 5555 4444',
    }),
  ).toEqual({
    message: 'Card ••• with code ••• was refused.',
    echo: ['•••', '•••'],
    deep: { text: 'no •••, no •••' },
    payee: '•••',
  });
});

test('a number that a provider uses as the name of a field is taken out of it, in replies, events and the log', () => {
  const named = { results: { '4111111111111111': 'refused', 'card 4111-1111-1111-1111': 1 } };
  expect(mask.reply(named)).toEqual({ results: { '•••': 'refused', 'card •••': 1 } });
  expect(withoutLongNumbers(named)).toEqual({ results: { '•••': 'refused', 'card •••': 1 } });
  const event = {
    id: 'e',
    kind: 'returned',
    providerReference: 'p',
    values: { '4111111111111111': 'a 4111111111111111' },
  } as const;
  expect(eventWithoutCards(event, (digits) => digits === held.number)).toEqual({
    ...event,
    values: { '•••': 'a •••' },
  });
});

test('amounts, ids and times with the digits of the code stay', () => {
  const reply = {
    amount: '737',
    id: 'c-737',
    at: '12:00:00.737 UTC',
    text: 'USD 737.00 or 1,737',
    count: 737,
    long: '04111111111111111',
  };
  expect(mask.reply(reply)).toEqual(reply);
});

test('a text that is only shown has no code anywhere', () => {
  expect(mask.text('{"cvv":"737","number":"4111111111111111"}')).toBe('{"cvv":"•••","number":"•••"}');
});

test('a number that is only recognised is masked however it is grouped, and digits beside it stay', () => {
  const recognising = cardMask({ isCardNumber: (digits) => digits === held.number });
  expect(
    recognising.reply({
      text: 'order 12 4111 1111-1111 1111 of 10 and 4111111111111111',
      digits: 4111111111111111,
      longer: ['41111111111111110', '4111 1111 1111 1111 1'],
    }),
  ).toEqual({
    text: 'order 12 ••• of 10 and •••',
    digits: '•••',
    longer: ['41111111111111110', '••• 1'],
  });
});

/** Names that say a security code, as providers write them; and values that its digits have there. */
const CODES = {
  cvv: '123',
  CVC: '1234',
  cvv2: 123,
  cvc2: ' 123 ',
  CVN: '123',
  cid: '1234',
  csc: '123',
  security_code: '123',
  securityCode: '123',
  'Card-Security-Code': '123',
  cardVerificationValue: '123',
  payer_card_cvv2: '123',
  cvv_result: '123',
  cvc_check: ['123', '1234'],
  card_cvv: { '#text': '123' },
};

/** Results of the check, references and other names, with the digits of a code or without. */
const NO_CODES = {
  cvv_result: 'M',
  cvc_check: 'pass',
  cvv: '',
  cvvCode: '12',
  cvc_token: 'tok-1234',
  security_code: null,
  cvc: true,
  cid: 'c-1234',
  incident: '1234',
  decision: '123',
  account: '1234',
  count: 1234,
};

test('a field that says a security code is masked in replies and events, also when no card is held', () => {
  const masked = { cvc_check: ['•••', '•••'], card_cvv: { '#text': '•••' } };
  const all = { ...Object.fromEntries(Object.keys(CODES).map((name) => [name, '•••'])), ...masked };
  const event = { id: 'e', kind: 'returned', providerReference: 'p' } as const;
  for (const each of [mask, cardMask({}), cardMask({ isCardNumber: () => false })])
    expect(each.reply({ deep: [CODES] })).toEqual({ deep: [all] });
  for (const name of Object.keys(CODES)) {
    const values: Record<string, string> = { [name]: '123' };
    expect(eventWithoutCards({ ...event, values }, () => false)).toEqual({ ...event, values: { [name]: '•••' } });
  }
  expect(cardMask({}).reply(NO_CODES)).toEqual(NO_CODES);
  expect(eventWithoutCards({ ...event, values: { cid: 'c-1234', cvv_result: 'M' } }, () => false)).toEqual({
    ...event,
    values: { cid: 'c-1234', cvv_result: 'M' },
  });
});

test('a code is masked by its object’s name too, and other codes stay', () => {
  const given = (code: string) => ({
    card: { code, brand: 'visa' },
    paymentCard: { Code: code, result: { code: '123' } },
    credit_cards: [{ code }],
    payer: { security: { code } },
    error: { code: '123' },
    cardholder: { code: '123' },
  });
  const event = { id: 'e', kind: 'returned', providerReference: 'p' } as const;
  expect(cardMask({}).reply(given('123'))).toEqual(given('•••'));
  const written = (code: string) => JSON.stringify(given(code));
  expect(bodyWithoutCards(written('123'), 'json', () => false)).toBe(written('•••'));
  expect(bodyWithoutCards('card[code]=123&code=123', 'form', () => false)).toBe(
    new URLSearchParams('card[code]=•••&code=123').toString(),
  );
  expect(eventWithoutCards({ ...event, values: { 'card.code': '123' } }, () => false).values).toEqual({
    'card.code': '•••',
  });
});

test('a body that is not read is masked as a text', () => {
  const broken = '{"card":{"number":"4111111111111111","code":"123","cvv":"123"},"id":"123"';
  expect(bodyWithoutCards(broken, 'json', () => false)).toBe(
    '{"card":{"number":"4111111111111111","code":"123","cvv":"•••"},"id":"123"',
  );
});

test.each([
  ['/notify/a?id=123&cvv=123#x', '/notify/a?id=123&cvv=•••#x'],
  [
    'https://a.example/n?card%5Bcode%5D=123&card%5Bcvc%5D=1234',
    'https://a.example/n?card%5Bcode%5D=•••&card%5Bcvc%5D=•••',
  ],
  ['/n?security+code=123&cid=123&cvv=12345&%=1', '/n?security+code=•••&cid=123&cvv=12345&%=1'],
])('an address is kept without the codes of its query: %s', (url, masked) => {
  expect(urlWithoutCodes(url)).toBe(masked);
});

test.each([
  ['{"card":{"code":"123"}, "code":"123"}', '{"card":{"code":"•••"}, "code":"123"}'],
  ['CVV 123 was wrong, of 100 known', 'CVV ••• was wrong, of 100 known'],
  ['security code: 1234.', 'security code: •••.'],
  ['a=1&card[cvv2]=123&b=1234', 'a=1&card[cvv2]=•••&b=1234'],
  ['{"card":{"securityCode":"123"},"amount":"123"}', '{"card":{"securityCode":"•••"},"amount":"123"}'],
  ['{"cvc": 123, "n": 123}', '{"cvc": •••, "n": 123}'],
  ['<Cvv2>123</Cvv2><Id>123</Id>', '<Cvv2>•••</Cvv2><Id>123</Id>'],
])('a text that says a security code is masked: %s', (text, masked) => {
  expect(cardMask({}).text(text)).toBe(masked);
  expect(cardMask({}).reply({ text })).toEqual({ text: masked });
});

test.each([
  'https://bank.example/3ds?cid=1234&csc=123',
  'cvv_result=123',
  'CVV mismatch, 123 tries',
  'cvv 12345',
  'cvv 1.234',
  'xcvv1 12',
])('a text that says none stays: %s', (text) => {
  expect(cardMask({}).text(text)).toBe(text);
});

test('a form that repeats a name has the name again after a code was masked', () => {
  expect(bodyWithoutCards('a=1&a=2&cvv=123&b[c]=3', 'form', () => false)).toBe(
    new URLSearchParams('a=1&a=2&cvv=•••&b[c]=3').toString(),
  );
});

test('without a card nothing is changed', () => {
  expect(cardMask({}).reply({ text: 'code 737' })).toEqual({ text: 'code 737' });
  expect(cardMask({ openCard: () => undefined }).text('737')).toBe('737');
});

test.each(['number', 'payee-number', 'cvv', 'cryptogram', 'wallet-token'] as const)('a %s alone is masked', (which) => {
  const value = which === 'cvv' ? '737' : '4111111111111111';
  const { text, reply } = cardMask({ openCard: ({ part }) => (part === which ? value : undefined) });
  expect(text(`Refused: ${value}.`)).toBe('Refused: •••.');
  expect(reply({ why: `Refused: ${value}.` })).toEqual({ why: 'Refused: •••.' });
});

test('what a wallet gave is masked however it is written', () => {
  const token = JSON.stringify({ signature: 'MEUCIQCjqYS6T/29qQ27ZS5laoC9MeNodPauX1uNtUa9dmiL6gIh', version: 'ECv2' });
  const opened: Partial<Record<CardPart, string>> = {
    cryptogram: 'AMwBRjPWDnAgAA7Rls7mAoABFA==',
    'wallet-token': token,
  };
  const { text } = cardMask({ openCard: ({ part }) => opened[part] });
  expect(text(`Refused: ${JSON.stringify({ token, cryptogram: opened.cryptogram, eci: '05' })}`)).toBe(
    String.raw`Refused: {"token":"{\"signature\":\"•••\",\"version\":\"ECv2\"}","cryptogram":"•••","eci":"05"}`,
  );
});

test('what a payer brings back from the bank reaches the flow and the journal without the card', async () => {
  let read: unknown;
  const connector = connectorOf(function* () {
    read = yield* visit({
      purpose: 'authenticate',
      url: 'https://bank.example/',
      reference: 'r-1',
      until: z.looseObject({ cres: z.string() }),
    });
    return settled('c-1', five);
  }, []);
  const { host } = hostOf(() => json(200, {}));
  const run = runOf(connector);
  const at = { ...host, openCard: ({ part }: { readonly part: CardPart }) => held[part] };
  await drive(run, at);
  const values = {
    cres: 'of 4111 1111 1111 1111',
    pan: '4111111111111111',
    '4111111111111111': 'x',
    code: 'code 737',
    cvv: '737',
  };
  expect(await drive(run, at, { step: 'visit', values })).toMatchObject({ kind: 'done' });
  expect(read).toEqual({ cres: 'of •••', pan: '•••', '•••': 'x', code: 'code •••', cvv: '•••' });
  const [{ reply } = { reply: undefined }] = await host.journal.load(run.id);
  expect(reply).toEqual(read);
});
