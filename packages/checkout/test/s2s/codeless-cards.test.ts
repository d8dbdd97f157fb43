import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardDigits, signCommand } from '@railyard/core/protocol';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { PAYER_EMAIL, saleFields } from '../support/card-commands.ts';
import { payByCard } from '../support/card-service.ts';
import { refusalLines, sendCommand } from '../support/commands.ts';
import { createPage, merchant, sessionBody } from '../support/service.ts';

let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService();
});
afterAll(() => service.stop());

const lastCard = () => JSON.parse(service.asked.at(-1)?.body ?? '{}').card;

/** A sale by a card without its code. */
function codeless(card_number: string) {
  const { card_cvv2: _code, ...fields } = saleFields({ card_number });
  const of = { payer_email: PAYER_EMAIL, card: cardDigits(card_number) };
  return { ...fields, hash: signCommand('card', of, merchant.password) };
}

describe.each(['501800000009', '6759649826438453', '6200000000000005'])('a card without a code, %s,', (number) => {
  test('pays on the page', async () => {
    const page = await createPage(service.url, sessionBody({ methods: ['card'] }, { currency: 'USD' }));
    const entries = { 'card.number': number, 'card.expiry': '01 / 38', 'card.cvv': '', 'card.name': 'ACME & CO LTD' };
    expect((await payByCard(page, entries)).status).toBe(303);
    expect(lastCard()).toMatchObject({ number });
    expect(lastCard()).not.toHaveProperty('cvv');
  });

  test('pays by a command', async () => {
    const { json } = await sendCommand(service.url, codeless(number));
    expect(json).toMatchObject({ result: 'SUCCESS' });
    expect(lastCard()).not.toHaveProperty('cvv');
  });
});

/** A transfer from a card without its code. */
function transfer(payer_card_number: string) {
  const { card_number: _number, card_exp_month, card_exp_year, card_cvv2: _code, ...fields } = saleFields();
  const of = { payer_email: PAYER_EMAIL, card: cardDigits(payer_card_number) };
  return {
    ...fields,
    action: 'CARD2CARD',
    payer_card_number,
    payer_card_exp_month: card_exp_month ?? '',
    payer_card_exp_year: card_exp_year ?? '',
    payee_card_number: '4601541833776519',
    hash: signCommand('card', of, merchant.password),
  };
}

test('a transfer from a card without a code is made, and one from a card that has a code is refused without it', async () => {
  expect((await sendCommand(service.url, transfer('501800000009'))).json).toMatchObject({ result: 'SUCCESS' });
  expect(refusalLines(await sendCommand(service.url, transfer('4111111111111111')))).toEqual([
    'payer_card_cvv2: This value should not be blank.',
  ]);
});

test('a card that has a code is refused without it, by page and by command', async () => {
  const asked = service.asked.length;
  const page = await createPage(service.url, sessionBody({ methods: ['card'] }, { currency: 'USD' }));
  const entries = { 'card.number': '4111111111111111', 'card.expiry': '01 / 38', 'card.name': 'Ada Example' };
  expect((await payByCard(page, entries)).status).toBe(422);
  expect(refusalLines(await sendCommand(service.url, codeless('4111111111111111')))).toEqual([
    'card_cvv2: This value should not be blank.',
  ]);
  expect(service.asked).toHaveLength(asked);
});
