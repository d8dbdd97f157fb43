import * as z from 'zod';
import { inSet } from './card-set.ts';
import { cartItem, cartPayment } from './cart.ts';
import { a2Country, an, n } from './type-codes.ts';

const inOrder = inSet('order');

const shipping = z.strictObject({
  street1: an(100),
  street2: an(100),
  houseNumber1: an(100),
  houseNumber2: an(100),
  city: an(80),
  state: an(50),
  postcode: an(16),
  country: a2Country,
  method: an(30),
  cost: n(13),
  comment: an(160),
  expectedDate: an(10),
  logisticsProvider: an(255),
  trackingNumber: an(255),
  returnTrackingNumber: an(255),
  normalized: an(255),
  validationStatus: an(255),
  warehouse: an(100),
  preference: an(21),
  middleName: an(255),
  companyName: an(60),
  phone: an(25),
  workPhone: an(25),
  mobile: an(25),
  email: an(128),
  type: z.enum(['return', 'shipment']).optional(),
});

const cart = z.strictObject({ items: z.array(cartItem).optional(), payments: z.array(cartPayment).optional() });

const seller = z.strictObject({ id: an(255), amount: n(13) });

const marketPlace = z.strictObject({ sellers: z.array(seller).optional() });

/** Set 6 of the protocol. Which of its conditional parameters an account requires, its `required` says: `cart.items.name`. */
export const order = {
  shipping: inOrder(shipping, { label: 'Shipping' }).optional(),
  cart: inOrder(cart, { label: 'Cart', help: 'Items and payments.' }).optional(),
  marketPlace: inOrder(marketPlace, { label: 'Marketplace', help: 'Sellers.' }).optional(),
};
