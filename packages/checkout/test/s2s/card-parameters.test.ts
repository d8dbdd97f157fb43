import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { CARD_NUMBER, saleFields } from '../support/card-commands.ts';
import { type Fields, refusalLines, sendCommand } from '../support/commands.ts';
import { merchant } from '../support/service.ts';

let service: AcquirerService;
let aliased: AcquirerService;

beforeAll(async () => {
  [service, aliased] = await Promise.all([
    acquirerService(),
    acquirerService({ methods: [{ key: 'visa.and-more', method: 'card', mid: 'cards' }] }),
  ]);
});
afterAll(() => Promise.all([service.stop(), aliased.stop()]));

let orders = 0;
const order = () => {
  orders += 1;
  return {
    client_key: merchant.key,
    order_id: `parameters-${process.pid}-${orders}`,
    order_amount: '3.00',
    order_currency: 'USD',
    order_description: 'Tea',
  };
};
const byNumber = (card_number: string) =>
  signCommand('card', { payer_email: '', card: cardDigits(card_number) }, merchant.password);

/** The commands that say of a card what its account asks for. */
const COMMANDS: Readonly<Record<string, (more: Fields) => Fields>> = {
  SALE: (more) => saleFields(more),
  DEBIT: (more) => saleFields({ action: 'DEBIT', ...more }),
  CREDIT2CARD: (more) => ({
    ...order(),
    action: 'CREDIT2CARD',
    card_number: CARD_NUMBER,
    payee_first_name: 'Jane',
    payee_last_name: 'Roe',
    hash: byNumber(CARD_NUMBER),
    ...more,
  }),
  CARD2CARD: (more) => ({
    ...order(),
    action: 'CARD2CARD',
    payer_card_number: CARD_NUMBER,
    payer_card_exp_month: '01',
    payer_card_exp_year: '2038',
    payer_card_cvv2: '123',
    payer_ip: '192.0.2.1',
    payee_card_number: '4601541833776519',
    payee_first_name: 'Jane',
    payee_last_name: 'Roe',
    term_url_3ds: 'https://shop.example/back',
    hash: byNumber(CARD_NUMBER),
    ...more,
  }),
};
const NAMES = Object.keys(COMMANDS);
const command = (name: string, more: Fields) => COMMANDS[name]?.(more) ?? expect.fail(`There is no ${name}.`);

test.each(NAMES)('parameters of %s reach the account', async (name) => {
  for (const { url, asked } of [service, aliased]) {
    const { json } = await sendCommand(url, command(name, { 'parameters[descriptor]': 'SHOP BOOKS' }));
    expect(json).toMatchObject({ action: name, result: 'SUCCESS', status: 'SETTLED' });
    expect(JSON.parse(asked.at(-1)?.body ?? '{}')).toMatchObject({ parameters: { descriptor: 'SHOP BOOKS' } });
  }
});

test('nested parameters of a sale reach the account', async () => {
  const more = { 'parameters[shipping][country]': 'BR', 'parameters[shipping][cost]': '100' };
  const { json } = await sendCommand(service.url, command('SALE', more));
  expect(json).toMatchObject({ result: 'SUCCESS' });
  expect(JSON.parse(service.asked.at(-1)?.body ?? '{}')).toMatchObject({
    parameters: { shipping: { country: 'BR', cost: '100' } },
  });
});

test.each(NAMES)(
  'a parameter of %s that cards do not have is refused by its name, and nothing is sent',
  async (name) => {
    for (const { url, asked } of [service, aliased]) {
      const before = asked.length;
      const refused = await sendCommand(url, command(name, { 'parameters[nonsense]': '1' }));
      expect([refused.status, refusalLines(refused)]).toEqual([
        400,
        ['parameters[nonsense]: This field was not expected.'],
      ]);
      const long = await sendCommand(url, command(name, { 'parameters[descriptor]': 'x'.repeat(21) }));
      expect([long.status, refusalLines(long)]).toEqual([
        400,
        ['parameters[descriptor]: This value is too long. It should have 20 characters or less.'],
      ]);
      expect(asked.length).toBe(before);
    }
  },
);
