import { anyText, inSet } from './card-set.ts';

const inParties = inSet('parties');

const party = (label: string) => inParties(anyText, { label }).optional();

/** Set 5 of the protocol, for debits: who pays and who receives. */
export const parties = {
  payer_identity_type: party('Payer: kind of the identity document'),
  payer_identity_id: party('Payer: number of the identity document'),
  payer_identity_country: party('Payer: country of the identity document'),
  payer_identity_exp_date: party('Payer: expiry of the identity document'),
  payer_nationality: party('Payer: nationality'),
  payer_country_of_birth: party('Payer: country of birth'),
  payee_first_name: party('Payee: first name'),
  payee_last_name: party('Payee: last name'),
  payee_middle_name: party('Payee: middle name'),
  payee_address: party('Payee: address'),
  payee_city: party('Payee: city'),
  payee_state: party('Payee: state'),
  payee_country: party('Payee: country'),
  payee_zip: party('Payee: postcode'),
  payee_phone: party('Payee: phone'),
  payee_birth_date: party('Payee: date of birth'),
  payee_identity_type: party('Payee: kind of the identity document'),
  payee_identity_id: party('Payee: number of the identity document'),
  payee_identity_country: party('Payee: country of the identity document'),
  payee_identity_exp_date: party('Payee: expiry of the identity document'),
  payee_nationality: party('Payee: nationality'),
  payee_country_of_birth: party('Payee: country of birth'),
};
