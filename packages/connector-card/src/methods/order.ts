import * as z from 'zod';
import { inSet } from './card-set.ts';
import { cartItem, cartPayment } from './cart.ts';
import { a2Country, an, n } from './type-codes.ts';

const inOrder = inSet('order');

const shipping = z.strictObject({
  street1: an(100).optional(),
  street2: an(100).optional(),
  houseNumber1: an(100).optional(),
  houseNumber2: an(100).optional(),
  city: an(80).optional(),
  state: an(50).optional(),
  postcode: an(16).optional(),
  country: a2Country().optional(),
  method: an(30).optional(),
  cost: n(13).optional(),
  comment: an(160).optional(),
  expectedDate: an(10).optional(),
  logisticsProvider: an(255).optional(),
  trackingNumber: an(255).optional(),
  returnTrackingNumber: an(255).optional(),
  normalized: an(255).optional(),
  validationStatus: an(255).optional(),
  warehouse: an(100).optional(),
  preference: an(21).optional(),
  middleName: an().optional(),
  companyName: an(60).optional(),
  phone: an(25).optional(),
  workPhone: an(25).optional(),
  mobile: an(25).optional(),
  email: an(128).optional(),
  type: z.enum(['return', 'shipment']).optional(),
});

const cart = z.strictObject({ items: z.array(cartItem).optional(), payments: z.array(cartPayment).optional() });

const seller = z.strictObject({ id: an(255).optional(), amount: n(13).optional() });

const marketPlace = z.strictObject({ sellers: z.array(seller).optional() });

/** Set 6 of the protocol. Which of its conditional parameters an account requires, its `required` says: `cart.items.name`. */
export const order = () => ({
  shipping: inOrder(shipping, { label: 'Shipping', help: 'See below.' }).optional(),
  cart: inOrder(cart, { label: 'Cart', help: 'Lists of items and payments, see below.' }).optional(),
  marketPlace: inOrder(marketPlace, { label: 'Marketplace', help: 'A list of sellers, see below.' }).optional(),
});
