import { defineMethod, email, field, type Rule, text, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { mobileMoneyLimits } from '../limits.ts';
import { countryOfCurrency, operatorCountries, operatorCurrencies, operatorOf, operators } from '../operators.ts';
import { askedPhone, maybeOf, receiverPhone } from '../phones.ts';

const slugs = operators.map(({ slug }) => slug);

const credit = z.strictObject({
  mobile_money_operator: field(z.enum(slugs), {
    label: 'Operator',
    help: 'Of the country whose currency the order has.',
    example: 'safaricom-ke',
  }),
  mobile_number: receiverPhone('254712345678'),
  customer_email: field(email(), { label: 'E-mail of the receiver', example: 'ada@example.com' }),
  customer_name: field(text({ max: 255 }), {
    label: 'Name of the receiver',
    help: 'The payee’s unless given.',
  }).optional(),
});

/** Operators whose country has another currency are none of the choices. */
const operatorTakesCurrency: Rule = {
  paths: ['mobile_money_operator'],
  level: 'error',
  says: 'The operator is one of the country of order.currency.',
  check: ({ mobile_money_operator: slug }, { currency }) =>
    currency === undefined || operatorOf(String(slug))?.currency === currency
      ? undefined
      : { path: 'mobile_money_operator', message: TEXTS.choice },
};

/** Calling code and length, nothing stricter: numbers are portable, and wallets without a network have no prefixes. */
const numberOfOperator: Rule = {
  paths: ['mobile_money_operator', 'mobile_number'],
  level: 'error',
  says: 'mobile_number, in E.164, has the calling code and the length of the operator’s country.',
  check: ({ mobile_money_operator: slug, mobile_number: number }, { currency }) => {
    const operator = operatorOf(String(slug));
    // A wrong operator is said once, at the operator.
    if (operator === undefined || (currency !== undefined && operator.currency !== currency)) return undefined;
    return maybeOf(operator.country, number) ? undefined : { path: 'mobile_number', message: TEXTS.notValid };
  },
};

/** Payouts of these are only made in multiples of five (reference/methods-facts.md, 1). */
const IN_FIVES: ReadonlySet<string> = new Set(['XAF', 'XOF']);

const inFives: Rule = {
  paths: ['mobile_money_operator'],
  level: 'document',
  says: 'An amount in XAF or XOF is a multiple of 5.',
  check: (_parameters, { amount }) =>
    amount !== undefined && IN_FIVES.has(amount.currency) && amount.minor % 5n !== 0n
      ? { of: 'session', path: 'order.amount', message: TEXTS.multipleOf(5) }
      : undefined,
};

export const numberOfCurrency: Rule = {
  paths: ['mobile_number'],
  level: 'error',
  says: 'mobile_number, in E.164, has the calling code and the length of the country of order.currency.',
  check: ({ mobile_number: number }, { currency }) => {
    const country = currency === undefined ? undefined : countryOfCurrency(currency);
    return country === undefined || maybeOf(country, number)
      ? undefined
      : { path: 'mobile_number', message: TEXTS.notValid };
  },
};

/**
 * Mobile money in six countries: collection from a payer's phone (purchase), and payout to a phone (credit).
 *
 * @example { parameters: { 'mobile-money': { mobile_money_operator: 'safaricom-ke', mobile_number: '254712345678', customer_email: 'ada@example.com' } } }
 */
export const mobileMoney = defineMethod({
  key: 'mobile-money',
  title: { en: 'Mobile money', pt: 'Dinheiro móvel' },
  operations: {
    purchase: {
      parameters: z.strictObject({ mobile_number: askedPhone() }),
      needs: {
        'customer.email': field(email(), {
          label: 'E-mail',
          input: 'email',
          autocomplete: 'email',
          sources: ['payer'],
        }),
      },
      completion: ['collect', 'confirm-on-device', 'redirect'],
      rules: [numberOfCurrency],
    },
    credit: {
      parameters: credit,
      needs: {
        'payee.name': field(text({ max: 255 }), { label: 'Name of the payee' }),
        'payee.email': field(email(), { label: 'E-mail of the payee' }),
      },
      completion: [],
      rules: [operatorTakesCurrency, numberOfOperator, inFives],
    },
  },
  currencies: operatorCurrencies,
  countries: operatorCountries,
  limits: mobileMoneyLimits,
  operator: 'mobile_money_operator',
});
