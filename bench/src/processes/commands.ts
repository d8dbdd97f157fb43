import { cardDigits, signCommand } from '@railyard/core/protocol';
import { merchant, typicalSession } from '../typical.ts';

type Form = Readonly<Record<string, string>>;

/** Ways to begin a payment: the session and the button of its page, or one command. */
export type Way = 'hosted' | 'apm' | 'card';

/** How a payment begins, from the first request to the payer's or the merchant's answer. @param post sends, and answers with the text */
export const ways = (post: (url: string, body: string, type: string) => Promise<string>) => {
  const form = (url: string, fields: Form) =>
    post(url, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');
  const command = async (url: string, fields: Form, holds: string) => {
    const answer = await form(url, fields);
    if (!answer.includes(holds)) throw new Error(`The command was refused: ${answer}`);
  };
  return {
    async hosted(url: string, number: string) {
      const created: unknown = JSON.parse(
        await post(`${url}/api/v1/session`, JSON.stringify(typicalSession(number)), 'application/json'),
      );
      await form(`${String(Reflect.get(Object(created), 'redirect_url'))}/pay`, { method: 'pix' });
    },
    apm: (url: string, number: string) => command(`${url}/post-va`, apmSale(number), '"trans_id"'),
    card: (url: string, number: string) => command(`${url}/post`, cardSale(number), '"status":"SETTLED"'),
  } satisfies Record<Way, (url: string, number: string) => Promise<void>>;
};

function apmSale(order_id: string): Form {
  const signed = { identifier: 'NA', order_id, order_amount: '10.00', order_currency: 'BRL' };
  return {
    action: 'SALE',
    client_key: merchant.key,
    brand: 'pix',
    ...signed,
    order_description: 'Important gift',
    payer_ip: '192.0.2.1',
    return_url: 'https://shop.example/back',
    hash: signCommand('collection', signed, merchant.password),
  };
}

const payer_email = 'maria@example.com';
const card_number = '4111111111111111';

/** The hash of a command that names payer and card. */
export const signedByCard = (password: string): string =>
  signCommand('card', { payer_email, card: cardDigits(card_number) }, password);

/** A sale by card. */
export function cardSale(order_id: string, { key, password } = merchant): Form {
  return {
    action: 'SALE',
    client_key: key,
    order_id,
    order_amount: '10.00',
    order_currency: 'BRL',
    order_description: 'Important gift',
    card_number,
    card_exp_month: '01',
    card_exp_year: '2038',
    card_cvv2: '123',
    payer_first_name: 'Maria',
    payer_last_name: 'Silva',
    payer_address: 'Avenida Paulista 1000',
    payer_country: 'BR',
    payer_city: 'Sao Paulo',
    payer_zip: '01310-100',
    payer_email,
    payer_phone: '+5511987654321',
    payer_ip: '192.0.2.1',
    term_url_3ds: 'https://shop.example/back',
    hash: signedByCard(password),
  };
}
