import { flag, publicUrl } from '@railyard/core';
import * as z from 'zod';
import { a2OrN3Country, a3, an, n, n10n2 } from './type-codes.ts';

const recipient = z.strictObject({
  salutation: an(5).optional(),
  firstName: an(48).optional(),
  lastName: an(48).optional(),
  middleName: an(50).optional(),
  apartment: an(100).optional(),
  street: an(100).optional(),
  address: an(100).optional(),
  city: an(80).optional(),
  state: an(50).optional(),
  postcode: an(16).optional(),
  country: a2OrN3Country().optional(),
  phone: n(25).optional(),
  email: an(128).optional(),
});

/** An item of the cart (protocol, Set 6). */
export const cartItem = z.strictObject({
  name: an(255).optional(),
  merchantItemId: an(255).optional(),
  type: an(255).optional(),
  quantity: n(5).optional(),
  sku: an(255).optional(),
  currency: a3().optional(),
  description: an(2048).optional(),
  commodityCode: n(8).optional(),
  commodityDescription: an(50).optional(),
  originalPrice: an(255).optional(),
  price: n(13).optional(),
  totalAmount: n(13).optional(),
  taxAmount: n(13).optional(),
  totalTaxAmount: n(13).optional(),
  discount: n(13).optional(),
  tax: an(6).optional(),
  taxCategory: an(2).optional(),
  shipping: n10n2().optional(),
  giftMessage: an(255).optional(),
  shippingMethod: an(255).optional(),
  shippingInstructions: an(255).optional(),
  shippingTrackingNumber: an(255).optional(),
  quantityUnit: z.enum(['M', 'CM', 'KG', 'G', 'COUNT']).optional(),
  productUrl: publicUrl({ http: true }).optional(),
  imageUrl: publicUrl({ http: true }).optional(),
  totalDiscountAmount: n10n2().optional(),
  productCode: an(30).optional(),
  partNumber: an(30).optional(),
  vatReferenceNumber: an(30).optional(),
  itemNumber: n(3).optional(),
  sellerId: an(255).optional(),
  deliveryDate: an(10).optional(),
  recipient: recipient.optional(),
});

/** What of the cart was paid otherwise (protocol, Set 6). */
export const cartPayment = z.strictObject({
  name: an(255).optional(),
  type: z.enum(['GIFTCARD', 'PROMOTION']).optional(),
  amount: n10n2().optional(),
  currency: a3().optional(),
  status: z.enum(['pending', 'authorized', 'captured']).optional(),
  brand: an(255).optional(),
  primary: flag().optional(),
});
