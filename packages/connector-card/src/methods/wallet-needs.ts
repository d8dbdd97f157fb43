import { customerFields } from '@railyard/core/payer';
import { address, asked, city, country, email, stateAndPhone, zip } from './payer-needs.ts';

/** Fields that the wallet-style methods require of every payer (protocol: Wallet-style card methods). */
export const walletNeeds = {
  'customer.name': asked(customerFields.name, 'Cardholder', 'name'),
  'customer.email': email,
  'billing_address.address': address,
  'billing_address.country': country,
  'billing_address.city': city,
  'billing_address.zip': zip,
  ...stateAndPhone,
};
