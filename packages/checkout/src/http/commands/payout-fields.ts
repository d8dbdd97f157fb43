import { TEXTS } from '@railyard/core';
import type { Issue } from '@railyard/core/protocol';
import * as z from 'zod';
import { positiveAmount, requiredText } from '../basics/signed-request.ts';

/** A part of a person's name: any letters (reference: S2S APM, SALE; the session's Latin letters are the page's rule). */
const namePart = requiredText.max(32, TEXTS.tooLong(32)).optional();
const nested = z.record(z.string(), z.unknown(), TEXTS.type('object')).optional();

/**
 * The fields of CREDIT2VIRTUAL that only this command has, or that others depend on (protocol: Mobile money payout via S2S APM; reference:
 * CREDIT2VIRTUAL). The rest goes where `SESSION_PATHS` says and is checked there.
 */
export const payoutSchema = z
  .looseObject({
    client_key: requiredText,
    brand: requiredText.max(36, TEXTS.tooLong(36)),
    order_id: requiredText,
    order_amount: positiveAmount,
    order_currency: requiredText,
    parameters: nested,
    custom_data: nested,
    callback_url: requiredText.optional(),
    payee_first_name: namePart,
    payee_middle_name: namePart,
    payee_last_name: namePart,
    payee_email: requiredText.optional(),
    payer_first_name: namePart,
    payer_last_name: namePart,
    payer_address2: requiredText.max(255, TEXTS.tooLong(255)).optional(),
    payer_ip: z.union([z.ipv4(), z.ipv6()], { error: TEXTS.ip }).optional(),
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

export type PayoutFields = z.output<typeof payoutSchema>;

/** Field → its place in a session request. */
export const SESSION_PATHS = {
  order_id: 'order.number',
  order_amount: 'order.amount',
  order_currency: 'order.currency',
  order_description: 'order.description',
  payee_email: 'payee.email',
  payee_country: 'payee_billing_address.country',
  payee_state: 'payee_billing_address.state',
  payee_city: 'payee_billing_address.city',
  payee_district: 'payee_billing_address.district',
  payee_address: 'payee_billing_address.address',
  payee_house_number: 'payee_billing_address.house_number',
  payee_zip: 'payee_billing_address.zip',
  payee_phone: 'payee_billing_address.phone',
  payer_email: 'customer.email',
  payer_birth_date: 'customer.birth_date',
  payer_country: 'billing_address.country',
  payer_state: 'billing_address.state',
  payer_city: 'billing_address.city',
  payer_district: 'billing_address.district',
  payer_address: 'billing_address.address',
  payer_house_number: 'billing_address.house_number',
  payer_zip: 'billing_address.zip',
  payer_phone: 'billing_address.phone',
  payer_phone_country_code: 'billing_address.phone_country_code',
} as const;

const SENT_AS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(SESSION_PATHS).map(([field, path]) => [path, [field]] as const),
  ['methods', ['brand']],
  ['payee', ['payee_first_name', 'payee_last_name']],
  ['payee.name', ['payee_first_name', 'payee_last_name']],
  ['customer.name', ['payer_first_name', 'payer_last_name']],
]);

/** An issue of a session request as this command names its fields: `parameters.pix.key` is `parameters[key]`. */
export function asSent({ path, message, code }: Issue, brand: string): Issue[] {
  const within = `parameters.${brand}.`;
  const fields = path.startsWith(within)
    ? [
        path
          .slice(within.length)
          .split('.')
          .reduce((name, part) => `${name}[${part}]`, 'parameters'),
      ]
    : (SENT_AS.get(path) ?? [path]);
  return fields.map((field) => ({ path: field, message, code }));
}
