import { defineMethod, field, type Rule, text, TEXTS, wholeNumber } from '@railyard/core';
import * as z from 'zod';

/** Neither is stated by the protocol: a category tree is a line of text, a count has nine digits at most. */
const LONGEST_CATEGORY = 1024;
const MOST_ORDERS = 999_999_999;

/** RFC 3339 in UTC: `Z`, or an offset of nothing. `-00:00` says that the offset is not known. */
const utcMoment = () =>
  z.iso.datetime({ offset: true, error: TEXTS.datetime }).refine((moment) => /(?:Z|\+00:00)$/.test(moment), {
    error: `${TEXTS.datetime} Send it in UTC: 2020-01-31T12:00:00Z.`,
  });

const registeredBefore: Rule = {
  paths: ['buyer_registered_since'],
  level: 'warning',
  says: 'buyer_registered_since is not after today.',
  check: ({ buyer_registered_since: since }, { today }) =>
    today === undefined || String(since).slice(0, 10) <= today
      ? undefined
      : { path: 'buyer_registered_since', message: 'This moment is still to come.' },
};

/**
 * Pay later with facts about the buyer (2-methods.md, Pay-later method A).
 *
 * @example { parameters: { 'pay-later': { category: 'Books', buyer_registered_since: '2020-01-31T12:00:00Z' } } }
 */
export const payLater = defineMethod({
  key: 'pay-later',
  title: { en: 'Pay later', pt: 'Pague depois' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        category: field(text({ max: LONGEST_CATEGORY }), {
          label: 'Category of what is bought',
          help: 'Its name, its place in a tree of categories, or its id.',
          example: 'Books > Novels',
        }),
        buyer_registered_since: field(utcMoment(), {
          label: 'Since when the buyer is registered',
          help: 'ISO 8601 in UTC.',
          example: '2020-01-31T12:00:00Z',
        }),
        buyer_loyalty_level: field(wholeNumber(0, MOST_ORDERS).default(0), {
          label: 'Orders that the buyer has placed before',
          help: '0 unless given.',
          example: '12',
        }),
      }),
      completion: ['redirect'],
      rules: [registeredBefore],
    },
  },
});
