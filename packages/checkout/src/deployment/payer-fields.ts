import { PAYER_FIELDS } from '@railyard/core/payment';
import * as z from 'zod';

/** Whether a field of the payer must be sent. */
const rules = z.partialRecord(z.enum(PAYER_FIELDS), z.enum(['required', 'optional']));

/** The rules of a merchant's mapping, by protocol (protocol: S2S CARD payer fields). */
export const payerFieldsSchema = z.strictObject({ card: rules.default({}), apm: rules.default({}) });

/**
 * The rules unless a merchant's mapping says otherwise: what the reference marks as required (S2S CARD, SALE and DEBIT; S2S APM, SALE). Fields
 * that are not here are optional.
 */
export const DEFAULT_PAYER_RULES = {
  card: {
    payer_first_name: 'required',
    payer_last_name: 'required',
    payer_address: 'required',
    payer_country: 'required',
    payer_city: 'required',
    payer_zip: 'required',
    payer_email: 'required',
    payer_phone: 'required',
    payer_ip: 'required',
  },
  debit: { payer_ip: 'required' },
  apm: { payer_ip: 'required' },
} as const satisfies z.output<typeof payerFieldsSchema> & { readonly debit: z.output<typeof rules> };
