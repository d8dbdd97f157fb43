import { inOneLine, type PaymentAuthentication, type PaymentCard, type PaymentWallet } from '@railyard/core';
import type { PayeeCard, PayerClient } from '@railyard/core/driver';
import type { SessionRequest } from '@railyard/core/protocol';
import type { Resolved } from '@railyard/core/registry';

export interface PaymentFacts {
  readonly session: SessionRequest;
  /** The method's values, as the registry resolved them. */
  readonly resolved: Resolved;
  /** The public payment id. */
  readonly id: string;
  /** Our reference for this attempt. */
  readonly merchantReference: string;
  readonly test: boolean;
  readonly card?: PaymentCard;
  readonly wallet?: PaymentWallet;
  readonly authentication?: PaymentAuthentication;
  readonly payeeCard?: PayeeCard;
  readonly client?: PayerClient;
  /** Whether the account supports Card-on-File. Default: no. */
  readonly cardOnFile?: boolean;
  /** Whether the payer is there, where the merchant has said it. */
  readonly payerPresent?: boolean | undefined;
}

/** The payment as a flow sees it: the session's blocks under their wire names, the method's values resolved. */
export function paymentInput({
  session,
  resolved,
  id,
  merchantReference,
  test,
  card,
  wallet,
  authentication,
  payeeCard,
  client,
  cardOnFile = false,
  payerPresent,
}: PaymentFacts) {
  const { customer, billing_address, payee, payee_billing_address, order } = session;
  return {
    id,
    merchantReference,
    operation: session.operation,
    amount: session.amount,
    auth: session.auth,
    recurring_init: session.recurring_init,
    req_token: session.req_token,
    card_on_file: cardOnFile,
    ...(payerPresent !== undefined && { payer_present: payerPresent }),
    order: { number: order.number, currency: order.currency, description: inOneLine(order.description) },
    ...(customer && { customer }),
    ...(billing_address && { billing_address }),
    ...(payee && { payee }),
    ...(payee_billing_address && { payee_billing_address }),
    ...(card && { card }),
    ...(wallet && { wallet }),
    ...(authentication && { authentication }),
    ...(payeeCard && { payeeCard }),
    ...(client && { client }),
    test,
    variant: resolved.variant,
    parameters: resolved.parameters,
    needed: resolved.needed,
  };
}
