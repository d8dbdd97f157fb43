import { defineMethod, email, field, text, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { fullName } from './person.ts';

const LONGEST_EMAIL = 60;

/** A payout that its receiver takes by a link, once they answer a question (2-methods.md, Payout method with security question). */
export const linkPayout = defineMethod({
  key: 'link-payout',
  title: { en: 'Payout by a link', pt: 'Pagamento por um link' },
  operations: {
    credit: {
      needs: {
        'customer.name': field(fullName(60), { label: 'First and last name of the payer', example: 'Ana Horvat' }),
        'customer.email': field(
          email()
            .refine((address) => address.length <= LONGEST_EMAIL, TEXTS.tooLong(LONGEST_EMAIL))
            .meta({ minLength: 2, maxLength: LONGEST_EMAIL }),
          { label: 'E-mail of the payer' },
        ),
        'order.description': field(text({ min: 5, max: 200 }), { label: 'Description of the order' }),
      },
      parameters: z.strictObject({
        SecurityQuestion: field(text({ min: 10, max: 40 }), {
          label: 'Question to the receiver',
          example: 'Where did we meet first?',
        }),
        // Blanks are forbidden in the answers of the methods that send links to payers, and not in these (methods-catalogue.md, A18).
        SecurityQuestionAnswer: field(text({ min: 3, max: 40 }), {
          label: 'Answer to the question',
          help: 'The receiver who gives it takes the money.',
          secret: true,
          example: 'At the sea',
        }),
      }),
      completion: [],
    },
  },
});
