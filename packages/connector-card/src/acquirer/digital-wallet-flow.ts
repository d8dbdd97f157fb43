import {
  call,
  declined,
  type FlowContext,
  type Outcome,
  type PaymentInput,
  type PaymentWallet,
  type SpecOf,
  type Steps,
  type WireValue,
} from '@railyard/core';
import type { applePay } from '../methods.ts';
import { createAuthorization, createSale } from './create-endpoints.ts';
import { decided } from './flows.ts';
import { cardFields, forwarded, newPayment, payerFields, storedCredential } from './request-fields.ts';
import type { Settings } from './settings.ts';

type Purchase = FlowContext<Settings> & { readonly payment: PaymentInput<SpecOf<typeof applePay, 'purchase'>> };

/** A sale or a hold with a digital wallet: with the card of its token where the service has opened it, else with the token itself. */
export function* digitalWalletPurchase({ payment, urls }: Purchase): Steps<Outcome> {
  const { card, wallet, auth, parameters } = payment;
  if (wallet === undefined || (card === undefined && wallet.token === undefined))
    return declined('soft', 'details_missing', { reason: 'The wallet’s token is missing.' });
  const isVirtual = card === undefined && parameters.card_flow !== 'token';
  // Without the card there is nothing to hold or to charge again (protocol: Digital wallet methods, rule 3).
  if (isVirtual && (auth || payment.recurring_init))
    return declined('hard', 'not_supported', { reason: 'This wallet only takes sales.' });
  const fields = {
    ...(card && { card: cardFields(card) }),
    wallet: walletFields(wallet),
    payer: payerFields(payment),
    return_url: urls.return,
    stored_credential: storedCredential(payment),
    parameters: forwarded(parameters),
  };
  const request = newPayment(payment, payment.amount, urls, fields);
  return yield* decided(yield* call(auth ? createAuthorization : createSale, request), payment.merchantReference);
}

/** A card's own number comes without the payer's proof: the acquirer authenticates the payer, and is liable (protocol: rule 1). */
function walletFields({ kind, token, panType, cryptogram, eci }: PaymentWallet): Readonly<Record<string, WireValue>> {
  return {
    type: kind,
    token,
    pan_type: panType,
    cryptogram,
    eci,
    three_d_secure: panType === 'fpan' ? 'acquirer' : undefined,
  };
}
