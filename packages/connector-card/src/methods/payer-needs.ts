import { field } from '@railyard/core';
import { countriesWithStates, sessionSchema } from '@railyard/core/protocol';
import type * as z from 'zod';

/** A field of the session, with its own rule, that the payer is asked for where the request does not carry it. */
const asked = <S extends z.ZodType>(schema: z.ZodOptional<S>, label: string, autocomplete: string): S =>
  field(schema.unwrap(), { label, autocomplete, sources: ['payer'] });

const customer = sessionSchema.shape.customer.unwrap().shape;
const billing = sessionSchema.shape.billing_address.unwrap().shape;

const email = asked(customer.email, 'E-mail', 'email');
const address = asked(billing.address, 'Address line', 'street-address');
const country = field(billing.country.unwrap(), {
  label: 'Country',
  input: 'country',
  autocomplete: 'country',
  sources: ['payer'],
});
const city = asked(billing.city, 'City', 'address-level2');
const zip = asked(billing.zip, 'Zip code', 'postal-code');
/** Only addresses of these countries carry one (protocol: billing_address.state). */
const state = field(billing.state.unwrap(), {
  label: 'State/Region',
  autocomplete: 'address-level1',
  when: { path: 'billing_address.country', in: [...countriesWithStates] },
  sources: ['payer'],
});
const stateAndPhone = {
  'billing_address.state': state.optional(),
  'billing_address.phone': asked(billing.phone, 'Phone number', 'tel').optional(),
};

/** Fields of the payer for address checks and 3-D Secure. The payer is asked only for those that the account requires. */
export const payerNeeds = () => ({
  'customer.email': email.optional(),
  'billing_address.address': address.optional(),
  'billing_address.country': country.optional(),
  'billing_address.city': city.optional(),
  'billing_address.zip': zip.optional(),
  ...stateAndPhone,
});

/** Fields that the wallet-style methods require of every payer (protocol: Wallet-style card methods). */
export const walletNeeds = () => ({
  'customer.name': asked(customer.name, 'Cardholder', 'name'),
  'customer.email': email,
  'billing_address.address': address,
  'billing_address.country': country,
  'billing_address.city': city,
  'billing_address.zip': zip,
  ...stateAndPhone,
});
