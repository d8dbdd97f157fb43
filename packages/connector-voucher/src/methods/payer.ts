import { email, field, limitsTable, phone, text } from '@railyard/core';

/** The session values that Conekta requires of a payer (2.3.0, customer_info). */
export const payer = {
  'customer.name': field(text({ max: 255 }), {
    label: 'Name',
    input: 'text',
    autocomplete: 'name',
    sources: ['payer'],
    example: 'Ana Torres',
  }),
  'customer.email': field(email(), { label: 'E-mail', input: 'email', autocomplete: 'email', sources: ['payer'] }),
  'billing_address.phone': field(phone(), {
    label: { en: 'Phone number', pt: 'Telefone' },
    input: 'tel',
    autocomplete: 'tel',
    sources: ['payer'],
    example: '+525522997233',
  }),
};

export const inPesos = {
  currencies: ['MXN'],
  countries: ['MX'],
  limits: limitsTable('Conekta 2.3.0, product.unit_price: cents as a 32-bit integer', [
    { currency: 'MXN', min: '0.01', max: '21474836.47' },
  ]),
};
