import {
  call,
  declined,
  type FlowContext,
  isZero,
  type Outcome,
  type PaymentInput,
  pending,
  type SpecOf,
  type Steps,
  visit,
} from '@railyard/core';
import * as z from 'zod';
import type { card, cardRedirect } from '../methods.ts';
import {
  completePayment,
  createAuthorization,
  createDebit,
  createPayout,
  createSale,
  createTransfer,
  createVerification,
  createWalletPayment,
} from './create-endpoints.ts';
import { getPayment } from './lookup-endpoints.ts';
import { outcomeOfPayment, refusal, wordOf } from './outcomes.ts';
import type { AcquirerPayment, ChallengedPayment, Problem } from './replies.ts';
import { cardFields, forwarded, newPayment, payerFields, storedCredential } from './request-fields.ts';
import type { Settings } from './settings.ts';

type Context = FlowContext<Settings>;
type Purchase = Context & { readonly payment: PaymentInput<SpecOf<typeof card, 'purchase'>> };
type Debit = Context & { readonly payment: PaymentInput<SpecOf<typeof card, 'debit'>> };
type Credit = Context & { readonly payment: PaymentInput<SpecOf<typeof card, 'credit'>> };
type Transfer = Context & { readonly payment: PaymentInput<SpecOf<typeof card, 'transfer'>> };
type WalletPurchase = Context & { readonly payment: PaymentInput<SpecOf<typeof cardRedirect, 'purchase'>> };

/** The acquirer's reply to a request that opens a payment. */
type Opened =
  | { readonly reply: 'created' | 'declined'; readonly body: AcquirerPayment }
  | { readonly reply: 'challenge'; readonly body: ChallengedPayment }
  | { readonly reply: 'refused'; readonly body: Problem };

/** A sale, or with `auth` a hold; with a zero amount a check of the card. */
export function* purchase(context: Purchase): Steps<Outcome> {
  const { auth, amount } = context.payment;
  if (isZero(amount)) return yield* verification(context);
  return yield* decided(
    yield* call(auth ? createAuthorization : createSale, cardPayment(context)),
    context.payment.merchantReference,
  );
}

export function* debit(context: Debit): Steps<Outcome> {
  if (isZero(context.payment.amount)) return yield* verification(context);
  return yield* decided(yield* call(createDebit, cardPayment(context)), context.payment.merchantReference);
}

function* verification(context: Purchase | Debit): Steps<Outcome> {
  // The session was taken when the account still did.
  if (context.payment.parameters.zero_amount !== 'verified')
    return declined('hard', 'not_supported', { reason: 'This account verifies no cards with a zero amount.' });
  return yield* decided(yield* call(createVerification, cardPayment(context)), context.payment.merchantReference);
}

/** A payout to a card, of which the number is enough. */
export function* credit({ payment, urls }: Credit): Steps<Outcome> {
  const { card, payee, payee_billing_address: address } = payment;
  const { number, expiry_month, expiry_year } = cardFields(card);
  const fields = {
    card: { number, expiry_month, expiry_year },
    payee: {
      name: payee?.name,
      email: payee?.email,
      country: address?.country,
      city: address?.city,
      address: address?.address,
      zip: address?.zip,
    },
    parameters: forwarded(payment.parameters),
  };
  return yield* decided(
    yield* call(createPayout, newPayment(payment, payment.amount, urls, fields)),
    payment.merchantReference,
  );
}

export function* transfer({ payment, urls }: Transfer): Steps<Outcome> {
  const fields = {
    card: cardFields(payment.card),
    payee: { card: { number: payment.payeeCard.number }, name: payment.payee?.name, email: payment.payee?.email },
    payer: payerFields(payment),
    return_url: urls.return,
    parameters: forwarded(payment.parameters),
  };
  return yield* decided(
    yield* call(createTransfer, newPayment(payment, payment.amount, urls, fields)),
    payment.merchantReference,
  );
}

/** The payer pays on the wallet's own page: with a card that was entered here, or by the wallet's type in the virtual flow. */
export function walletPurchase(walletType: string) {
  return function* ({ payment, urls }: WalletPurchase): Steps<Outcome> {
    const { parameters, card } = payment;
    // The wallets charge at once and check no cards (protocol: virtual flow, DMS and recurring are limited).
    if (payment.auth || isZero(payment.amount))
      return declined('hard', 'not_supported', { reason: 'This wallet only takes sales.' });
    if (parameters.flow === 'card' && card === undefined)
      return declined('soft', 'details_missing', { reason: 'The card is missing.' });
    const fields = {
      ...(card === undefined ? { wallet_type: walletType } : { card: cardFields(card) }),
      subdomain: parameters.subdomain,
      payer: payerFields(payment),
      return_url: urls.return,
    };
    return yield* decided(
      yield* call(createWalletPayment, newPayment(payment, payment.amount, urls, fields)),
      payment.merchantReference,
    );
  };
}

/** The request of a payment with a card that the payer brings. */
function cardPayment({ payment, urls }: Purchase | Debit) {
  return newPayment(payment, payment.amount, urls, {
    card: cardFields(payment.card),
    payer: payerFields(payment),
    return_url: urls.return,
    stored_credential: storedCredential(payment),
    parameters: forwarded(payment.parameters),
  });
}

/** Goes on with what the acquirer answered, by way of the payer's challenge where it wants one. */
export function* decided(answer: Opened, reference: string): Steps<Outcome> {
  if (answer.reply === 'refused') return refusal(answer.body);
  return answer.reply === 'challenge'
    ? yield* challenge(answer.body, reference)
    : outcomeOfPayment(answer.body, { reference });
}

function* challenge({ id, action }: ChallengedPayment, reference: string): Steps<Outcome> {
  if (action.type === 'redirect') {
    yield* visit({ url: action.url, reference: id, until: z.object({ payment_id: z.string() }) });
    // The values that come back are a hint: the lookup decides.
    const answer = yield* call(getPayment, id);
    return answer.reply === 'found' ? outcomeOfPayment(answer.body, { id, reference }) : pending(id);
  }
  const { cres } = yield* visit({
    url: action.url,
    method: 'POST',
    fields: action.fields,
    reference: id,
    until: z.object({ cres: z.string() }),
    // The acquirer waits for a request about the result.
    mayTurnBack: true,
  });
  const answer = yield* call(completePayment, { id, cres });
  return answer.reply === 'refused'
    ? pending(id, undefined, wordOf(answer.body))
    : outcomeOfPayment(answer.body, { id, reference });
}
