import { flag, publicUrl } from '@railyard/core';
import * as z from 'zod';
import { a2OrN3Country, a3, an, n, n10n2 } from './type-codes.ts';

const recipient = z.strictObject({
  salutation: an(5),
  firstName: an(48),
  lastName: an(48),
  middleName: an(50),
  apartment: an(100),
  street: an(100),
  address: an(100),
  city: an(80),
  state: an(50),
  postcode: an(16),
  country: a2OrN3Country,
  phone: n(25),
  email: an(128),
});

/** An item of the cart (protocol, Set 6). */
export const cartItem = z.strictObject({
  name: an(255),
  merchantItemId: an(255),
  type: an(255),
  quantity: n(5),
  sku: an(255),
  currency: a3,
  description: an(2048),
  commodityCode: n(8),
  commodityDescription: an(50),
  originalPrice: an(255),
  price: n(13),
  totalAmount: n(13),
  taxAmount: n(13),
  totalTaxAmount: n(13),
  discount: n(13),
  tax: an(6),
  taxCategory: an(2),
  shipping: n10n2,
  giftMessage: an(255),
  shippingMethod: an(255),
  shippingInstructions: an(255),
  shippingTrackingNumber: an(255),
  quantityUnit: z.enum(['M', 'CM', 'KG', 'G', 'COUNT']).optional(),
  productUrl: publicUrl({ http: true }).optional(),
  imageUrl: publicUrl({ http: true }).optional(),
  totalDiscountAmount: n10n2,
  productCode: an(30),
  partNumber: an(30),
  vatReferenceNumber: an(30),
  itemNumber: n(3),
  sellerId: an(255),
  deliveryDate: an(10),
  recipient: recipient.optional(),
});

/** A part of the cart that was paid in another way (protocol, Set 6). */
export const cartPayment = z.strictObject({
  name: an(255),
  type: z.enum(['GIFTCARD', 'PROMOTION']).optional(),
  amount: n10n2,
  currency: a3,
  status: z.enum(['pending', 'authorized', 'captured']).optional(),
  brand: an(255),
  primary: flag().optional(),
});
