import type { ContextOf, Money, PaymentAuthentication, PaymentCard } from '@railyard/core';
import { isoState } from '@railyard/core/formats';
import type { card } from './methods.ts';
import { type Settings, units } from './stripe-endpoints.ts';

export type Purchase = ContextOf<Settings, typeof card, 'purchase'>;

/** The networks of co-badged cards (`PaymentMethodCreateParams.Card.Networks.preferred`), by the same names. */
export const NETWORKS = ['cartes_bancaires', 'visa', 'mastercard'] as const;

export const networkOf = ({ coBranded, brand }: PaymentCard) =>
  coBranded ? NETWORKS.find((name) => name === brand) : undefined;

export const cardFields = (
  { payment: { billing_address: billing, customer, needed } }: Purchase,
  paid: PaymentCard,
) => {
  const billed = (name: 'address' | 'city' | 'state' | 'zip' | 'country') =>
    needed[`billing_address.${name}`] ?? billing?.[name];
  const address = {
    line1: billed('address'),
    city: billed('city'),
    state: isoState(billed('country'), billed('state')),
  };
  const { number, cvv: cvc, expiryMonth, expiryYear, holder: name } = paid;
  const preferred = networkOf(paid);
  return {
    type: 'card' as const,
    card: {
      number,
      cvc,
      exp_month: Number(expiryMonth),
      exp_year: Number(expiryYear),
      // For the later charges of a mandate, which name none.
      ...(preferred && { networks: { preferred } }),
    },
    billing_details: {
      name,
      email: needed['customer.email'] ?? customer?.email,
      phone: needed['billing_address.phone'] ?? billing?.phone,
      address: { ...address, postal_code: billed('zip'), country: billed('country') },
    },
  };
};

export const customerFields = ({ payment: { customer, merchantReference: reference, needed } }: Purchase) => ({
  name: customer?.name,
  email: needed['customer.email'] ?? customer?.email,
  metadata: { reference },
});

export interface NewIntent {
  readonly merchantReference: string;
  readonly amount: Money;
  readonly auth: boolean;
  readonly authentication?: PaymentAuthentication;
  readonly card?: PaymentCard;
}

/** A merchant's own 3-D Secure (`PaymentMethodOptions.Card.ThreeDSecure`). After a challenge its first answer was C. */
const threeDSecure = (done: PaymentAuthentication) => ({
  cryptogram: done.cryptogram,
  electronic_commerce_indicator: done.eci,
  transaction_id: done.dsTransID,
  version: done.protocolVersion,
  ares_trans_status: done.authenticationFlow === 'Challenge' ? 'C' : done.transStatus,
});

/** Confirmed at once. */
export const intentFields = (
  { merchantReference: reference, amount, auth, authentication, card }: NewIntent,
  method: string,
) => {
  const network = card && networkOf(card);
  return {
    amount: units(amount),
    currency: amount.currency.toLowerCase(),
    confirm: true as const,
    allowed_payment_method_types: ['card' as const],
    capture_method: auth ? ('manual' as const) : ('automatic' as const),
    payment_method: method,
    metadata: { reference },
    ...((authentication || network) && {
      payment_method_options: {
        card: {
          ...(authentication && { three_d_secure: threeDSecure(authentication) }),
          ...(network && { network }),
        },
      },
    }),
  };
};

/** The first payment of a mandate keeps its card with a customer of its own. */
export const payerFields = ({ payment, urls }: Purchase, customer: string | undefined) => ({
  description: payment.order.description,
  return_url: urls.return,
  statement_descriptor_suffix: payment.parameters.descriptor,
  customer,
  setup_future_usage: customer === undefined ? undefined : ('off_session' as const),
});

/** The metadata name the capture, so that a lookup sees whether it took place. A hold is captured once: Stripe lets go of the rest. */
export const captureFields = ({ id, amount }: { id: string; amount: Money }) => ({
  amount_to_capture: units(amount),
  metadata: { capture: id },
});

export const refundFields = (payment_intent: string, reference: string, amount: Money) => ({
  payment_intent,
  amount: units(amount),
  metadata: { reference },
});
