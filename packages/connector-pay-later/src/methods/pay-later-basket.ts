import { defineMethod, field, moneyOfMinor, parseMoney, type Rule, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { productText } from './product.ts';

const AMOUNTS = ['product_amount', 'shipping_amount', 'tax_amount'] as const;

/** A number of the order's currency, which JSON may write as a number: it becomes text before anything is computed. */
const basketAmount = () =>
  z
    .union([z.string(), z.number().transform(String)], { error: TEXTS.type('number') })
    .pipe(z.string().regex(/^(?:0|[1-9]\d{0,18})(?:\.\d{1,18})?$/, TEXTS.notValid));

const inCurrency = (name: (typeof AMOUNTS)[number]): Rule => ({
  paths: [name],
  level: 'error',
  says: `${name} is an amount of order.currency.`,
  check: ({ [name]: amount }, { currency }) =>
    currency === undefined || parseMoney(String(amount), currency).ok
      ? undefined
      : { path: name, message: `${TEXTS.notValid} It has more decimals than ${currency}.` },
});

/** The protocol asks for no such sum; where it differs, one of four numbers is wrong. */
const sumOfBasket: Rule = {
  paths: AMOUNTS,
  level: 'warning',
  says: `${AMOUNTS.join(', ')} add up to order.amount.`,
  check(parameters, { amount: order }) {
    if (order === undefined) return undefined;
    const read = AMOUNTS.map((name) => parseMoney(String(parameters[name]), order.currency));
    const sum = read.reduce((all, each) => all + (each.ok ? each.money.minor : 0n), 0n);
    if (read.some(({ ok }) => !ok) || sum === order.minor) return undefined;
    const text = moneyOfMinor(sum, order.currency).text;
    return { path: 'product_amount', message: `The three amounts add up to ${text}, order.amount is ${order.text}.` };
  },
};

/**
 * Pay later with facts about the basket (2-methods.md, Pay-later method B).
 *
 * @example { parameters: { 'pay-later-basket': { product_amount: '8.50', shipping_amount: '1.00', tax_amount: '0.50',
 *   product_reference_id: 'ref-1', product_type: 'physical', product_sku: 'BK-2' } } }
 */
export const payLaterBasket = defineMethod({
  key: 'pay-later-basket',
  title: { en: 'Pay later', pt: 'Pague depois' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        product_amount: field(basketAmount(), { label: 'Price of the products', example: '8.50' }),
        shipping_amount: field(basketAmount(), { label: 'Price of the shipping', example: '1.00' }),
        tax_amount: field(basketAmount(), { label: 'Tax', example: '0.50' }),
        product_reference_id: field(productText(), { label: 'Reference of the product', example: 'ref-1' }),
        product_type: field(productText(), { label: 'Kind of product', example: 'physical' }),
        product_sku: field(productText(), { label: 'Stock number of the product', example: 'BK-2' }),
      }),
      completion: ['redirect'],
      rules: [...AMOUNTS.map(inCurrency), sumOfBasket],
    },
  },
});
