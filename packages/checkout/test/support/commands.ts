import { type CommandFormula, signCommand, type SignedCommandFields } from '@railyard/core/protocol';
import type { Receiver } from './receiver.ts';
import { merchant } from './service.ts';

export type Fields = Readonly<Record<string, string>>;

/** Who signs: the merchant, unless another one is given. */
type Signer = Pick<typeof merchant, 'key' | 'password'>;

export interface CommandReply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

let orders = 0;

/** The fields of a payout by Pix; `change` is put in before it is signed. */
export function payoutFields(change: Fields = {}, { key, password }: Signer = merchant): Fields {
  orders += 1;
  const fields = {
    action: 'CREDIT2VIRTUAL',
    client_key: key,
    brand: 'pix',
    order_id: `payout-${process.pid}-${orders}`,
    order_amount: '10.00',
    order_currency: 'BRL',
    'parameters[key]': 'maria@example.com',
    ...change,
  };
  return signedPayout(fields, password);
}

/** The fields of a payout, signed. */
export function signedPayout(fields: Fields, password: string): Fields {
  const { order_id = '', order_amount = '', order_currency = '' } = fields;
  return signed('payout', { order_id, order_amount, order_currency }, fields, password);
}

/** The fields of a lookup by transaction. */
export function statusFields(trans_id: string, { key, password }: Signer = merchant): Fields {
  const fields = { action: 'GET_TRANS_STATUS', client_key: key, trans_id };
  return signed('transaction', { trans_id }, fields, password);
}

/** A hash that is there already stays. */
function signed<F extends CommandFormula>(
  formula: F,
  covered: SignedCommandFields<F>,
  fields: Fields,
  password: string,
): Fields {
  return { hash: signCommand(formula, covered, password), ...fields };
}

/** Sends a command as a form. */
export async function sendCommand(
  url: string,
  fields: Fields | URLSearchParams | FormData,
  headers: Fields = {},
  path = '/post',
): Promise<CommandReply> {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
  const reply = await fetch(`${url}${path}`, { method: 'POST', body, headers });
  return { status: reply.status, json: Object(await reply.json()) };
}

/** The lines of a refusal. */
export function refusalLines({ json }: CommandReply): string[] {
  const errors: unknown = json['errors'];
  const each = Array.isArray(errors) ? errors : [json];
  return each.map((error) => String(Reflect.get(Object(error), 'error_message')));
}

/** Waits for the callback of an order with this status. */
export async function toldCommand(shop: Receiver, order: string | undefined, status: string): Promise<Fields> {
  const { fields } = await shop.until((each) => each.fields['order_id'] === order && each.fields['status'] === status);
  return fields;
}
