import { field } from '@railyard/core';
import { addressFields, countriesWithStates, customerFields } from '@railyard/core/payer';
import type * as z from 'zod';

/** A field of the session, with its own rule, that the payer is asked for where the request does not carry it. */
export const asked = <S extends z.ZodType>(schema: S, label: string, autocomplete: string): S =>
  field(schema, { label, autocomplete, sources: ['payer'] });

export const email = asked(customerFields.email, 'E-mail', 'email');
export const address = asked(addressFields.address, 'Address line', 'street-address');
export const country = field(addressFields.country, {
  label: 'Country',
  input: 'country',
  autocomplete: 'country',
  sources: ['payer'],
});
export const city = asked(addressFields.city, 'City', 'address-level2');
export const zip = asked(addressFields.zip, 'Zip code', 'postal-code');
/** Only addresses of these countries carry one (protocol: billing_address.state). */
const state = field(addressFields.state, {
  label: 'State/Region',
  autocomplete: 'address-level1',
  when: { path: 'billing_address.country', in: [...countriesWithStates] },
  sources: ['payer'],
});
export const stateAndPhone = {
  'billing_address.state': state.optional(),
  'billing_address.phone': field(addressFields.phone, {
    label: 'Phone number',
    input: 'tel',
    autocomplete: 'tel',
    sources: ['payer'],
  }).optional(),
};

/** Fields of the payer for address checks and 3-D Secure. The payer is asked only for those that the account requires. */
export const payerNeeds = {
  'customer.email': email.optional(),
  'billing_address.address': address.optional(),
  'billing_address.country': country.optional(),
  'billing_address.city': city.optional(),
  'billing_address.zip': zip.optional(),
  ...stateAndPhone,
};
