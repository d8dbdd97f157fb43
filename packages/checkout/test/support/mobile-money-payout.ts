import { operators } from '@railyard/connector-mobile-money';
import file from '../../../connector-mobile-money/test/fixtures/bad-inputs.json' with { type: 'json' };
import { type Fields, signedPayout } from './commands.ts';
import { merchant } from './pix-config.ts';

/** The first operator of a country. */
export const firstIn = (country: string) => operators.find((each) => each.country === country)?.slug ?? '';

/** `{{op1}}-eg` is the first operator of Egypt. */
export const filled = (text: string) =>
  text
    .replace(/^\{\{op1\}\}-(\w\w)$/, (_all, code: string) => firstIn(code.toUpperCase()))
    .replace('{{client_key}}', merchant.key);

const BASE: Fields = Object.fromEntries(
  Object.entries(file.base.momo.params).map(([name, value]) => [name, filled(value)]),
);
let orders = 0;

/** The good payout of the list of bad inputs, with an order number of its own. */
export function mobileFields(change: Fields = {}): Fields {
  orders += 1;
  return signedPayout({ ...BASE, order_id: `mobile-${orders}`, ...change }, merchant.password);
}
