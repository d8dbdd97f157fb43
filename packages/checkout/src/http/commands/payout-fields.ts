import { TEXTS } from '@railyard/core';
import * as z from 'zod';
import { orderDescription, positiveAmount, requiredText } from '../basics/signed-request.ts';
import { nested, payeeNames, payerFields } from './shared-fields.ts';

/**
 * The fields of CREDIT2VIRTUAL and CREDIT2CRYPTO that only these commands have, or that others depend on (protocol: Mobile money payout via S2S APM; reference:
 * CREDIT2VIRTUAL). The rest goes where `SESSION_PATHS` says and is checked there.
 */
export const payoutSchema = z
  .looseObject({
    client_key: requiredText,
    brand: requiredText.max(36, TEXTS.tooLong(36)),
    order_id: requiredText,
    order_amount: positiveAmount,
    order_currency: requiredText,
    crypto_network: requiredText.max(50, TEXTS.tooLong(50)).optional(),
    parameters: nested.optional(),
    custom_data: nested.optional(),
    callback_url: requiredText.optional(),
    ...payeeNames,
    payee_email: requiredText.optional(),
    ...payerFields,
    hash: requiredText,
  })
  .check(({ value, issues }) => {
    const { payee_first_name, payee_last_name, payee_middle_name, payee_email } = value;
    const names = { payee_first_name, payee_last_name };
    // One who is named is named in full.
    if ([...Object.values(names), payee_middle_name, payee_email].every((each) => each === undefined)) return;
    for (const [name, part] of Object.entries(names))
      if (part === undefined) issues.push({ code: 'custom', input: value, path: [name], message: TEXTS.blank });
  });

/** A payout of coins has a description (reference: CREDIT2CRYPTO). */
export const cryptoPayoutSchema = payoutSchema.safeExtend({ order_description: orderDescription });

export type PayoutFields = z.output<typeof payoutSchema>;
