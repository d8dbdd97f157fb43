import * as z from 'zod';
import { anyText, inSet } from './card-set.ts';

const inDelivery = inSet('delivery');

const textOf = (label: string) => inDelivery(anyText, { label }).optional();

const postcode = z.string().regex(/^\d{1,9}$/, 'This value should have at most 9 digits.');
const numericCountry = z.string().regex(/^\d{3}$/, 'This value should have exactly 3 digits.');

/** Set 4 of the protocol. */
export const delivery = {
  customer_phone: textOf('Phone of the customer'),
  customer_telnocc: textOf('Country calling code of the phone'),
  shipping_street1: textOf('Street'),
  shipping_city: textOf('City'),
  shipping_state: textOf('State'),
  shipping_postcode: inDelivery(postcode, { label: 'Postcode', help: 'At most nine digits.' }).optional(),
  shipping_country: inDelivery(numericCountry, {
    label: 'Country',
    help: 'Three digits of ISO 3166-1.',
    example: '076',
  }).optional(),
};
