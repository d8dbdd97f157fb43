import { defineMethod, type PayerText } from '@railyard/core';
import type { PhoneCountry } from '@railyard/identifiers/phone';
import * as z from 'zod';
import { askedPhone, numberOf } from '../phones.ts';

interface Network {
  readonly title: PayerText;
  readonly country: PhoneCountry;
  readonly example: string;
}

/** One network of Benin or Togo: the payer's phone is asked for, and confirms (protocol: Completion behaviour, Mobile money). */
function network<const K extends string>(key: K, { title, country, example }: Network) {
  return defineMethod({
    key,
    title,
    operations: {
      purchase: {
        parameters: z.strictObject({ mobile_number: askedPhone({ example }) }),
        completion: ['confirm-on-device'],
        rules: [numberOf(country)],
      },
    },
    currencies: ['XOF'],
    countries: [country],
  });
}

const BENIN = { country: 'BJ', example: '2290195123456' } as const;
const TOGO = { country: 'TG', example: '22890112345' } as const;

export const mobileMoneyBeninA = network('mobile-money-bj-a', {
  title: { en: 'Mobile money Benin, first network', pt: 'Dinheiro móvel Benim, primeira rede' },
  ...BENIN,
});
export const mobileMoneyBeninB = network('mobile-money-bj-b', {
  title: { en: 'Mobile money Benin, second network', pt: 'Dinheiro móvel Benim, segunda rede' },
  ...BENIN,
});
export const mobileMoneyTogoA = network('mobile-money-tg-a', {
  title: { en: 'Mobile money Togo, first network', pt: 'Dinheiro móvel Togo, primeira rede' },
  ...TOGO,
});
export const mobileMoneyTogoB = network('mobile-money-tg-b', {
  title: { en: 'Mobile money Togo, second network', pt: 'Dinheiro móvel Togo, segunda rede' },
  ...TOGO,
});
