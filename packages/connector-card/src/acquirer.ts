import {
  call,
  declined,
  defineConnector,
  type FlowContext,
  type FollowUpFlows,
  isOfAnother,
  isZero,
  type Money,
  notFound,
  type OriginalPayment,
  type Outcome,
  type PaymentInput,
  pending,
  type SpecOf,
  type Steps,
  visit,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as acquirer from './acquirer-endpoints.ts';
import { eventsOf, modified, namesOf, notifications, outcomeOf, paymentOutcome, refusal } from './acquirer-outcomes.ts';
import {
  cardFields,
  forwarded,
  newPayment,
  payerPayment,
  storedCredential,
  walletFields,
} from './acquirer-requests.ts';
import { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from './methods.ts';

type Settings = z.output<typeof acquirer.settings>;

// The connector.

type Context = FlowContext<Settings>;
type Sale = Context & {
  readonly payment: PaymentInput<SpecOf<typeof card, 'purchase'>> | PaymentInput<SpecOf<typeof card, 'debit'>>;
};
type WalletPurchase = Context & { readonly payment: PaymentInput<SpecOf<typeof cardRedirect, 'purchase'>> };
type DigitalWalletPurchase = Context & { readonly payment: PaymentInput<SpecOf<typeof applePay, 'purchase'>> };

type Modifying = Context & { readonly payment: OriginalPayment; readonly id: string; readonly amount: Money };

/** The acquirer's reply to a request that opens a payment. */
type Opened =
  | { readonly reply: 'created' | 'declined'; readonly body: acquirer.Payment }
  | { readonly reply: 'refused'; readonly body: acquirer.Problem };

/** Opens a payment with a card that the payer brings; a zero amount checks the card. */
function* sale(endpoint: typeof acquirer.createSale, { payment, urls }: Sale): Steps<Outcome> {
  const { merchantReference, parameters } = payment;
  const verifies = isZero(payment.amount);
  // The session was taken when the account still did.
  if (verifies && parameters.zero_amount !== 'verified')
    return declined('hard', 'not_supported', { reason: 'This account verifies no cards with a zero amount.' });
  const fields = {
    card: cardFields(payment.card),
    stored_credential: storedCredential(payment),
    parameters: forwarded(parameters),
  };
  const opened = yield* call(verifies ? acquirer.createVerification : endpoint, payerPayment(payment, urls, fields));
  return yield* decided(opened, merchantReference);
}

/** The payer pays on the wallet's own page: with a card that was entered here, or by the wallet's type in the virtual flow. */
const walletPurchase = (walletType: string) =>
  function* ({ payment, urls }: WalletPurchase): Steps<Outcome> {
    const { parameters, card } = payment;
    // The wallets charge at once and check no cards (protocol: virtual flow, DMS and recurring are limited).
    if (payment.auth || isZero(payment.amount))
      return declined('hard', 'not_supported', { reason: 'This wallet only takes sales.' });
    if (parameters.flow === 'card' && card === undefined)
      return declined('soft', 'details_missing', { reason: 'The card is missing.' });
    const means = card === undefined ? { wallet_type: walletType } : { card: cardFields(card) };
    const fields = { ...means, subdomain: parameters.subdomain };
    const opened = yield* call(acquirer.createWalletPayment, payerPayment(payment, urls, fields));
    return yield* decided(opened, payment.merchantReference);
  };

/** A sale or a hold with a digital wallet: with the card of its token where the service has opened it, else with the token itself. */
function* digitalWalletPurchase({ payment, urls }: DigitalWalletPurchase): Steps<Outcome> {
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
    stored_credential: storedCredential(payment),
    parameters: forwarded(parameters),
  };
  const endpoint = auth ? acquirer.createAuthorization : acquirer.createSale;
  return yield* decided(yield* call(endpoint, payerPayment(payment, urls, fields)), payment.merchantReference);
}

/** Goes on with what the acquirer answered, by way of the payer's challenge where it wants one. */
function* decided(answer: Opened, reference: string): Steps<Outcome> {
  if (answer.reply === 'refused') return refusal(answer.body);
  const { id, status, action } = answer.body;
  return status === 'CHALLENGE' && action !== undefined
    ? yield* challenge(id, action, reference)
    : paymentOutcome(answer.body, { reference });
}

function* challenge(id: string, action: acquirer.PayerAction, reference: string): Steps<Outcome> {
  if (action.type === 'redirect') {
    yield* visit({ url: action.url, reference: id, until: z.object({ payment_id: z.string() }) });
    // The values that come back are a hint: the lookup decides.
    const answer = yield* call(acquirer.getPayment, id);
    return answer.reply === 'found' ? paymentOutcome(answer.body, { id, reference }) : pending(id);
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
  const answer = yield* call(acquirer.completePayment, { id, cres });
  // Refused, because it is completed already or its time is over: a lookup says what became of it.
  return answer.reply === 'refused'
    ? pending(id, undefined, { provider: { code: answer.body.code } })
    : paymentOutcome(answer.body, { id, reference });
}

/** A payout to a card, of which the number is enough. */
function payout({ payment, urls }: Context & { readonly payment: PaymentInput<SpecOf<typeof card, 'credit'>> }) {
  const { number, expiry_month, expiry_year } = cardFields(payment.card);
  const { payee, payee_billing_address: address } = payment;
  return newPayment(payment, urls, {
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
  });
}

function transferred({ payment, urls }: Context & { readonly payment: PaymentInput<SpecOf<typeof card, 'transfer'>> }) {
  const { payee, payeeCard } = payment;
  return payerPayment(payment, urls, {
    card: cardFields(payment.card),
    payee: { card: { number: payeeCard.number }, name: payee?.name, email: payee?.email },
    parameters: forwarded(payment.parameters),
  });
}

const modify = (endpoint: typeof acquirer.capturePayment) =>
  function* ({ payment, id, amount }: Modifying): Steps<Outcome> {
    return modified(yield* call(endpoint, { payment: payment.providerReference, reference: id, amount }), id);
  };

/** Of every method. */
const followUps = {
  refund: { partial: true, flow: modify(acquirer.refundPayment) },

  /** A hold is reversed; money that is not cleared yet is voided. */
  *void({ payment, id, held }) {
    const endpoint = held ? acquirer.reverseAuthorization : acquirer.voidPayment;
    return modified(yield* call(endpoint, { payment: payment.providerReference, reference: id }), id);
  },

  *status({ payment }) {
    const { providerReference: id, merchantReference: reference } = payment;
    const answer =
      id === undefined ? yield* call(acquirer.findPayment, reference) : yield* call(acquirer.getPayment, id);
    if (answer.reply === 'absent') return notFound(answer.body);
    const { status } = answer.body;
    const isEvent = status === 'AUTHENTICATED' || acquirer.POST_SETTLEMENT_EVENTS.has(status);
    return isEvent && !isOfAnother(namesOf(answer.body, { id, reference }))
      ? { events: eventsOf(answer.body) }
      : paymentOutcome(answer.body, { id, reference });
  },

  *modificationStatus({ modification }) {
    const { providerReference: id, id: reference } = modification;
    const answer =
      id === undefined ? yield* call(acquirer.findModification, reference) : yield* call(acquirer.getModification, id);
    return answer.reply === 'absent' ? notFound(answer.body) : outcomeOf(answer.body, { id, reference });
  },
} satisfies FollowUpFlows<Settings>;

/** Of methods that pay by card here. */
const cardFollowUps = {
  ...followUps,
  capture: { partial: true, flow: modify(acquirer.capturePayment) },

  /** A later charge under the agreement that the first payment of the mandate made. */
  *recurring({ payment, initial, urls }) {
    const { agreement } = initial.agreement;
    if (agreement === undefined)
      return declined('hard', 'not_supported', { reason: 'The first payment made no agreement for later charges.' });
    const charge = newPayment(payment, urls, { stored_credential: { use: 'later', initiator: 'merchant' } });
    const endpoint = payment.auth ? acquirer.authorizeAgreement : acquirer.chargeAgreement;
    const answer = yield* call(endpoint, { ...charge, agreement });
    return answer.reply === 'refused'
      ? refusal(answer.body)
      : paymentOutcome(answer.body, { reference: payment.merchantReference });
  },
} satisfies FollowUpFlows<Settings>;

/** Operations that need the card of a wallet are refused where the acquirer got the token unopened. */
const digitalWallet = { purchase: digitalWalletPurchase, ...cardFollowUps };

/** Cards at an acquirer, and two wallets that pay by card. */
export const acquirerConnector = defineConnector({
  id: 'card-acquirer',
  contract: 1,
  version: manifest.version,
  title: 'Cards, acquirer',
  settings: acquirer.settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: acquirer.endpoints,
  statuses: acquirer.statuses,
  notifications,
  serves: (serve) => [
    serve(card, {
      purchase: (context) => sale(context.payment.auth ? acquirer.createAuthorization : acquirer.createSale, context),
      debit: (context) => sale(acquirer.createDebit, context),
      *credit(context) {
        const answer = yield* call(acquirer.createPayout, payout(context));
        return yield* decided(answer, context.payment.merchantReference);
      },
      *transfer(context) {
        const answer = yield* call(acquirer.createTransfer, transferred(context));
        return yield* decided(answer, context.payment.merchantReference);
      },
      ...cardFollowUps,
    }),
    serve(applePay, digitalWallet),
    serve(googlePay, digitalWallet),
    serve(cardRedirect, { purchase: walletPurchase('WALLET_A'), ...followUps }),
    serve(cardRedirectAlt, { purchase: walletPurchase('WALLET_B'), ...followUps }),
  ],
});
