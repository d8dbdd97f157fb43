import {
  call,
  type ContextOf,
  declined,
  defineConnector,
  type Endpoint,
  type FollowUpFlows,
  isZero,
  getOrFind,
  type Money,
  notFound,
  type OriginalPayment,
  type Outcome,
  pending,
  type Steps,
  visit,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as acquirer from './acquirer-endpoints.ts';
import { modified, notifications, outcomeOf, paymentOutcome, refusal, reportOf } from './acquirer-outcomes.ts';
import * as request from './acquirer-requests.ts';
import { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from './methods.ts';

type Settings = z.output<typeof acquirer.settings>;

// The connector.

type Sale = ContextOf<Settings, typeof card, 'purchase' | 'debit'>;
type WalletPurchase = ContextOf<Settings, typeof cardRedirect, 'purchase'>;
type DigitalWalletPurchase = ContextOf<Settings, typeof applePay, 'purchase'>;
type Modifying = { readonly payment: OriginalPayment; readonly id: string; readonly amount: Money };

/** Opens a payment with a card that the payer brings; a zero amount checks the card. */
function* sale(endpoint: typeof acquirer.createSale, { payment, urls }: Sale): Steps<Outcome> {
  const verifies = isZero(payment.amount);
  // The session was taken when the account still did.
  if (verifies && payment.parameters.zero_amount !== 'verified')
    return declined('hard', 'not_supported', { reason: 'This account verifies no cards with a zero amount.' });
  const { authentication } = payment;
  const fields = {
    card: request.cardFields(payment.card),
    three_d_secure: authentication && request.authenticationFields(authentication),
    stored_credential: request.storedCredential(payment),
    parameters: request.forwarded(payment.parameters),
  };
  return yield* opened(verifies ? acquirer.createVerification : endpoint, request.payerPayment(payment, urls, fields));
}

/** The payer pays on the wallet's own page: with a card that was entered here, or by the wallet's type in the virtual flow. */
const walletPurchase = (walletType: string) =>
  function* ({ payment, urls }: WalletPurchase): Steps<Outcome> {
    const { parameters, card } = payment;
    // The wallets charge at once and check no cards (protocol: virtual flow, DMS and recurring are limited).
    if (payment.auth || isZero(payment.amount))
      return declined('hard', 'not_supported', { reason: 'This wallet only takes sales.' });
    const means = card === undefined ? { wallet_type: walletType } : { card: request.cardFields(card) };
    const fields = { ...means, subdomain: parameters.subdomain };
    return yield* opened(acquirer.createWalletPayment, request.payerPayment(payment, urls, fields));
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
    ...(card && { card: request.cardFields(card) }),
    wallet: request.walletFields(wallet, payment.authentication),
    stored_credential: request.storedCredential(payment),
    parameters: request.forwarded(parameters),
  };
  return yield* opened(
    auth ? acquirer.createAuthorization : acquirer.createSale,
    request.payerPayment(payment, urls, fields),
  );
}

/** Opens a payment, and goes on with what the acquirer answers, by way of the payer's challenge where it wants one and the payer is here. */
function* opened<Request extends acquirer.NewPayment>(
  endpoint: Endpoint<Settings, Request, acquirer.Opened>,
  asked: Request,
): Steps<Outcome> {
  const answer = yield* call(endpoint, asked);
  if (answer.reply === 'refused') return refusal(answer.body);
  const { reference: merchantReference, return_url: wayBack } = asked;
  const { id, status, action } = answer.body;
  return status === 'CHALLENGE' && action !== undefined && wayBack !== undefined
    ? yield* challenge(action, { merchantReference, providerReference: id })
    : paymentOutcome(answer.body, { merchantReference });
}

/** @param asked the references of the payment, of which both are known */
function* challenge(
  action: acquirer.PayerAction,
  asked: Readonly<Record<'merchantReference' | 'providerReference', string>>,
): Steps<Outcome> {
  const { providerReference: id } = asked;
  if (action.type === 'redirect' || action.fields === undefined) {
    const purpose = action.type === 'redirect' ? 'approve' : 'authenticate';
    yield* visit({ purpose, url: action.url, reference: id, until: z.object({ payment_id: z.string() }) });
    // The values that come back are a hint: the lookup decides.
    const answer = yield* call(acquirer.payments.get, id);
    return answer.reply === 'found' ? paymentOutcome(answer.body, asked) : pending(id);
  }
  const { cres } = yield* visit({
    purpose: 'authenticate',
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
    : paymentOutcome(answer.body, asked);
}

/** A payout to a card, of which the number is enough. */
function payout({ payment, urls }: ContextOf<Settings, typeof card, 'credit'>) {
  const { number, expiry_month, expiry_year } = request.cardFields(payment.card);
  const { payee, payee_billing_address: address } = payment;
  return request.newPayment(payment, urls, {
    card: { number, expiry_month, expiry_year },
    payee: {
      name: payee?.name,
      email: payee?.email,
      country: address?.country,
      city: address?.city,
      address: address?.address,
      zip: address?.zip,
    },
    parameters: request.forwarded(payment.parameters),
  });
}

function transferred({ payment, urls }: ContextOf<Settings, typeof card, 'transfer'>) {
  const { payee, payeeCard } = payment;
  return request.payerPayment(payment, urls, {
    card: request.cardFields(payment.card),
    payee: { card: { number: payeeCard.number }, name: payee?.name, email: payee?.email },
    parameters: request.forwarded(payment.parameters),
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
    const answer = yield* getOrFind(payment, acquirer.payments);
    if (answer.reply === 'absent') return notFound(answer.body);
    return reportOf(answer.body, payment);
  },

  *modificationStatus({ modification }) {
    const asked = { ...modification, merchantReference: modification.id };
    const answer = yield* getOrFind(asked, acquirer.modifications);
    return answer.reply === 'absent' ? notFound(answer.body) : outcomeOf(answer.body, asked);
  },
} satisfies FollowUpFlows<Settings>;

/** Of methods that pay by card here. */
const cardFollowUps = {
  ...followUps,
  capture: { partial: true, flow: modify(acquirer.capturePayment) },

  /** A later charge under the agreement that the first payment of the mandate made. */
  *recurring({ payment, initial, urls }) {
    const { agreement: agreement_id } = initial.agreement;
    if (agreement_id === undefined)
      return declined('hard', 'not_supported', { reason: 'The first payment made no agreement for later charges.' });
    const charge = request.newPayment(payment, urls, { stored_credential: { use: 'later', initiator: 'merchant' } });
    const endpoint = payment.auth ? acquirer.authorizeAgreement : acquirer.chargeAgreement;
    return yield* opened(endpoint, { ...charge, agreement_id });
  },
} satisfies FollowUpFlows<Settings>;

/** Operations that need the card of a wallet are refused where the acquirer got the token unopened. */
const digitalWallet = {
  purchase: digitalWalletPurchase,
  ...cardFollowUps,
  authentication: { sends: ['eci'] },
} satisfies FollowUpFlows<Settings> & { readonly purchase: typeof digitalWalletPurchase };

/** It takes all that it reports of its own. */
const THREE_D_SECURE = [
  'threeDSServerTransID',
  'dsTransID',
  'acsTransID',
  'xid',
  'transStatus',
  'transStatusReason',
  'eci',
  'protocolVersion',
  'authenticationFlow',
] as const;

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
      credit: (context) => opened(acquirer.createPayout, payout(context)),
      transfer: (context) => opened(acquirer.createTransfer, transferred(context)),
      ...cardFollowUps,
      authentication: { sends: THREE_D_SECURE },
      cardBrands: ['cartes_bancaires', 'bancontact', 'dankort', 'visa', 'mastercard', 'maestro'],
    }),
    serve(applePay, digitalWallet),
    serve(googlePay, digitalWallet),
    serve(cardRedirect, { purchase: walletPurchase('WALLET_A'), ...followUps }),
    serve(cardRedirectAlt, { purchase: walletPurchase('WALLET_B'), ...followUps }),
  ],
});
