import {
  call,
  type ContextOf,
  declined,
  defineConnector,
  type FollowUpFlows,
  isOfAnother,
  type Money,
  moneyOfMinor,
  ofThisPayment,
  type OriginalPayment,
  type Outcome,
  type PaymentAuthentication,
  type PaymentCard,
  type PaymentWallet,
  pending,
  type Steps,
  unknown,
  visit,
} from '@railyard/core';
import { isoState } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as adyen from './adyen-endpoints.ts';
import { settings, statuses } from './adyen-endpoints.ts';
import { type Opening, notifications, outcomeOf, referenceOf, refusal } from './adyen-outcomes.ts';
import { applePay, card, googlePay } from './methods.ts';

type Settings = adyen.Settings;

// The connector.

type Purchase = ContextOf<Settings, typeof card | typeof applePay | typeof googlePay, 'purchase'>;

/** Money is taken at once, or held until it is captured. */
const captured = (holds: boolean): adyen.Fields =>
  holds ? { additionalData: { manualCapture: 'true' } } : { captureDelayHours: 0 };

/**
 * The names of networks at Adyen (docs.adyen.com/development-resources/paymentmethodvariant). The official description has `brand` without
 * its values. Bancontact is left out until a payment has shown its name.
 */
const BRANDS: Readonly<Record<string, string>> = {
  cartes_bancaires: 'cartebancaire',
  dankort: 'dankort',
  visa: 'visa',
  mastercard: 'mc',
  maestro: 'maestro',
};

/** The number of a device goes as a network token. A payer's choice among the networks of a co-badged card is its `brand`. */
function paidWith(paid: PaymentCard, wallet: PaymentWallet | undefined): adyen.Fields {
  const { number, cvv: cvc, expiryMonth, expiryYear, holder: holderName } = paid;
  const type = wallet?.panType === 'dpan' ? 'networkToken' : 'scheme';
  const brand = paid.coBranded ? BRANDS[paid.brand ?? ''] : undefined;
  return { paymentMethod: { type, brand, number, cvc, expiryMonth, expiryYear, holderName } };
}

/**
 * An authentication that was done elsewhere (`ThreeDSecureData`): the proof of a network token, or a merchant's own 3-D Secure, after which
 * Adyen asks the payer for none. `directoryResponse` is the status of the first answer, `authenticationResponse` that of the challenge.
 */
function authenticated(done: PaymentAuthentication, wallet: PaymentWallet | undefined): adyen.Fields {
  const { cryptogram, eci, xid, dsTransID, protocolVersion: threeDSVersion, transStatus, transStatusReason } = done;
  if (wallet !== undefined) return { mpiData: { tokenAuthenticationVerificationValue: cryptogram, eci } };
  const status =
    done.authenticationFlow === 'Challenge'
      ? { directoryResponse: 'C', authenticationResponse: transStatus }
      : { directoryResponse: transStatus };
  return {
    mpiData: { cavv: cryptogram, eci, xid, dsTransID, threeDSVersion, ...status, transStatusReason },
    authenticationData: { attemptAuthentication: 'never' },
  };
}

/** 3-D Secure by redirect: a browser is described with all that the description requires, or not at all. */
function payerFields({ payment }: Purchase): adyen.Fields {
  const { client = {}, customer, billing_address: billing, needed, authentication, wallet } = payment;
  const { ip, accept: acceptHeader, platform: _platform, ...browser } = client;
  const browserInfo = { acceptHeader, ...browser };
  const { userAgent, language, javaEnabled, colorDepth, screenHeight, screenWidth, timeZoneOffset } = browser;
  const required = [
    acceptHeader,
    userAgent,
    language,
    javaEnabled,
    colorDepth,
    screenHeight,
    screenWidth,
    timeZoneOffset,
  ];
  const billed = (name: 'address' | 'city' | 'state' | 'zip' | 'country') =>
    needed[`billing_address.${name}`] ?? billing?.[name];
  const address = {
    street: billed('address'),
    houseNumberOrName: billing?.house_number,
    city: billed('city'),
    postalCode: billed('zip'),
    country: billed('country'),
  };
  const isWhole = Object.values(address).every((each) => each !== undefined);
  return {
    authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
    ...(authentication && authenticated(authentication, wallet)),
    ...(required.every((each) => each !== undefined) && { browserInfo }),
    ...(isWhole && { billingAddress: { ...address, stateOrProvince: isoState(address.country, billed('state')) } }),
    shopperIP: ip ?? customer?.ip,
    shopperEmail: needed['customer.email'] ?? customer?.email,
  };
}

/** The first payment of a mandate makes a token, under a name of the payer that only this mandate has. */
function storedFields({ payment }: Purchase): adyen.Fields {
  const { recurring_init, card_on_file, req_token, card: paid, merchantReference: shopperReference } = payment;
  if (recurring_init)
    return { storePaymentMethod: true, recurringProcessingModel: 'UnscheduledCardOnFile', shopperReference };
  const isStored = paid?.stored === true;
  if (!card_on_file || !(isStored || req_token)) return {};
  return { recurringProcessingModel: 'CardOnFile', shopperInteraction: isStored ? 'ContAuth' : 'Ecommerce' };
}

/** Of the account, and not sent. */
const OWN = new Set(['sets', 'zero_amount', 'card_flow']);

function* purchase(context: Purchase): Steps<Outcome> {
  const { payment, urls } = context;
  const { card: paid, wallet, amount, auth: holds, order } = payment;
  const { descriptor: shopperStatement, ...others } = payment.parameters;
  const other = Object.entries(others).find(([name, value]) => value !== undefined && !OWN.has(name))?.[0];
  if (other !== undefined)
    return declined('hard', 'not_supported', { reason: `The parameter ${other} is not sent to this provider.` });
  if (paid === undefined)
    return declined('hard', 'not_supported', { reason: 'This account takes cards of opened tokens alone.' });
  const asked = { reference: referenceOf(payment.merchantReference, holds), amount, holds };
  return yield* opened(asked, {
    ...paidWith(paid, wallet),
    ...payerFields(context),
    ...storedFields(context),
    merchantOrderReference: order.number,
    shopperStatement,
    returnUrl: urls.return,
  });
}

/** Opens a payment, and goes on by way of the payer's bank where it wants to see them. */
function* opened(asked: Opening, fields: adyen.Fields): Steps<Outcome> {
  const { reference, amount, holds } = asked;
  if (!adyen.isCounted(amount)) return declined('hard', 'amount_not_accepted');
  const sent = { reference, amount: adyen.amountField(amount), ...captured(holds), ...fields };
  const answer = yield* call(adyen.createPayment, sent);
  if (answer.reply === 'refused') return refusal(answer.body);
  const { action, pspReference = reference } = answer.body;
  if (action?.type !== 'redirect' || action.url === undefined) return outcomeOf(answer.body, asked);
  const { redirectResult } = yield* visit({
    purpose: 'authenticate',
    url: action.url,
    ...(action.method === 'POST' && { method: 'POST', fields: action.data ?? {} }),
    reference: pspReference,
    until: z.object({ redirectResult: z.string().min(1) }),
  });
  const result = yield* call(adyen.paymentDetails, redirectResult);
  if (result.reply === 'answered') return outcomeOf(result.body, asked);
  // It was brought before, or too late: the webhook says what became of the payment.
  const { errorCode: code } = result.body;
  return pending(pspReference, undefined, code === undefined ? {} : { provider: { code } });
}

interface Modifying {
  readonly payment: OriginalPayment;
  readonly id: string;
  readonly amount?: Money;
}

/** Every modification is only taken: a webhook says whether it was done. */
const modify = (endpoint: typeof adyen.capture) =>
  function* ({ payment, id: reference, amount }: Modifying): Steps<Outcome> {
    if (amount !== undefined && !adyen.isCounted(amount)) return declined('hard', 'amount_not_accepted');
    const answer = yield* call(endpoint, { payment: payment.providerReference, reference, amount });
    if (answer.reply === 'refused') return refusal(answer.body);
    const { status: word, pspReference, paymentPspReference } = answer.body;
    if (isOfAnother(payment, { providerReference: paymentPspReference }))
      return unknown('The provider’s reply refers to a different payment.');
    // The reply to a cancel has no amount.
    const said = answer.body.amount ? adyen.moneyOf(answer.body.amount) : moneyOfMinor(0n, payment.order.currency);
    const outcome = statuses.read({ word, providerReference: pspReference, amount: said });
    return ofThisPayment(outcome, { merchantReference: reference }, answer.body.reference);
  };

/** `shopperStatement` of the official description. */
const texts = {
  descriptor: {
    pattern: /^[A-Za-z0-9 .,'_?+*/-]+$/,
    says: "This value should have letters of basic Latin, digits, blanks and . , ' _ - ? + * / alone: Adyen takes no others.",
  },
};

const flows = {
  texts,
  authentication: {
    sends: ['eci', 'xid', 'dsTransID', 'protocolVersion', 'transStatus', 'transStatusReason'],
  },
  purchase,
  capture: { partial: true, flow: modify(adyen.capture) },
  refund: { partial: true, flow: modify(adyen.refund) },

  /** A hold is cancelled; of money that is taken Adyen knows whether it has to go back. */
  void: ({ payment, id, held }) => modify(held ? adyen.cancel : adyen.reverse)({ payment, id }),

  *recurring({ payment, initial, urls }) {
    const { storedPaymentMethodId, shopperReference } = initial.agreement;
    if (storedPaymentMethodId === undefined)
      return declined('hard', 'not_supported', { reason: 'The first payment made no token for later charges.' });
    const { amount, auth: holds, merchantReference } = payment;
    return yield* opened(
      { reference: referenceOf(merchantReference, holds), amount, holds },
      {
        paymentMethod: { type: 'scheme', storedPaymentMethodId },
        shopperReference,
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'UnscheduledCardOnFile',
        returnUrl: urls.return,
      },
    );
  },
} satisfies FollowUpFlows<Settings> & { readonly purchase: (context: Purchase) => Steps<Outcome> };

/** Adyen, checked against its official description, not yet against its live API. The API answers no lookups: webhooks tell. */
export const adyenConnector = defineConnector({
  id: 'card-adyen',
  contract: 1,
  lookups: 'none',
  version: manifest.version,
  title: 'Cards, Adyen',
  settings,
  endpoints: adyen.api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(card, { ...flows, cardBrands: Object.keys(BRANDS) }),
    serve(applePay, flows),
    serve(googlePay, flows),
  ],
  *check() {
    const answer = yield* call(adyen.listPaymentMethods, undefined);
    if (answer.reply === 'listed') return { works: true };
    return { works: false, why: answer.body.message ?? 'Adyen refused the account.' };
  },
});
