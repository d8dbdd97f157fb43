import { countryCode, email, field, latinText, text } from '@railyard/core';
import type * as z from 'zod';

const asked = <S extends z.ZodType>(schema: S, label: string, autocomplete: string) =>
  field(schema, { label, autocomplete, sources: ['payer'] });

const address = {
  address: () => asked(text({ min: 2, max: 255 }), 'Address line', 'street-address'),
  country: () => asked(countryCode(), 'Country', 'country'),
  city: () => asked(text({ min: 2, max: 40 }), 'City', 'address-level2'),
  zip: () => asked(text({ min: 2, max: 10 }), 'Zip code', 'postal-code'),
  state: () => asked(text({ min: 2, max: 32 }), 'State/Region', 'address-level1'),
  phone: () => asked(text({ max: 32, pattern: /^[0-9+()-]+$/ }), 'Phone number', 'tel'),
};

/** What an acquirer may want of the payer for checks of the address and 3-D Secure: only what the account requires is asked. */
export const payerNeeds = () => ({
  'customer.email': asked(email(), 'E-mail', 'email').optional(),
  'billing_address.address': address.address().optional(),
  'billing_address.country': address.country().optional(),
  'billing_address.city': address.city().optional(),
  'billing_address.zip': address.zip().optional(),
  'billing_address.state': address.state().optional(),
  'billing_address.phone': address.phone().optional(),
});

/** What the wallet-style methods want of every payer (protocol: Wallet-style card methods). */
export const walletNeeds = () => ({
  'customer.name': asked(latinText({ min: 2, max: 200 }), 'Cardholder', 'name'),
  'customer.email': asked(email(), 'E-mail', 'email'),
  'billing_address.address': address.address(),
  'billing_address.country': address.country(),
  'billing_address.city': address.city(),
  'billing_address.zip': address.zip(),
  'billing_address.state': address.state().optional(),
  'billing_address.phone': address.phone().optional(),
});
