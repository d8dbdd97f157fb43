import { defineMethod } from '@railyard/core';
import type { PhoneCountry } from '@railyard/identifiers/phone';
import * as z from 'zod';
import { askedPhone } from '../phones.ts';

interface Network {
  readonly title: string;
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
        parameters: z.strictObject({ mobile_number: askedPhone({ label: 'Mobile number', country, example }) }),
        completion: ['confirm-on-device'],
      },
    },
    currencies: ['XOF'],
    countries: [country],
  });
}

const BENIN = { country: 'BJ', example: '2290195123456' } as const;
const TOGO = { country: 'TG', example: '22890112345' } as const;

export const mobileMoneyBeninA = network('mobile-money-bj-a', { title: 'Mobile money Benin, first network', ...BENIN });
export const mobileMoneyBeninB = network('mobile-money-bj-b', {
  title: 'Mobile money Benin, second network',
  ...BENIN,
});
export const mobileMoneyTogoA = network('mobile-money-tg-a', { title: 'Mobile money Togo, first network', ...TOGO });
export const mobileMoneyTogoB = network('mobile-money-tg-b', { title: 'Mobile money Togo, second network', ...TOGO });
