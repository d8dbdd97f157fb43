import { text } from '@railyard/core';
import * as z from 'zod';
import { inSet } from './card-set.ts';

const inDelivery = inSet('delivery');

/** The protocol gives these texts no length of their own. */
const anyText = (label: string) => inDelivery(text({ max: 255 }), { label }).optional();

const postcode = z.string().regex(/^\d{1,9}$/, 'This value should have at most 9 digits.');
const numericCountry = z.string().regex(/^\d{3}$/, 'This value should have exactly 3 digits.');

/** Set 4 of the protocol. */
export const delivery = {
  customer_phone: anyText('Phone of the customer'),
  customer_telnocc: anyText('Country calling code of the phone'),
  shipping_street1: anyText('Street'),
  shipping_city: anyText('City'),
  shipping_state: anyText('State'),
  shipping_postcode: inDelivery(postcode, { label: 'Postcode', help: 'At most nine digits.' }).optional(),
  shipping_country: inDelivery(numericCountry, {
    label: 'Country',
    help: 'Three digits of ISO 3166-1.',
    example: '076',
  }).optional(),
};
