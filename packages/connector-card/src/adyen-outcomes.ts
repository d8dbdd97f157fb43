import {
  declined,
  type Money,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type ProviderEvent,
  refusedBy,
  settled,
} from '@railyard/core';
import { factsAt } from '@railyard/core/formats';
import { hexKey } from '@railyard/core/proofs';
import * as z from 'zod';
import * as adyen from './adyen-endpoints.ts';
import { settings, statuses } from './adyen-endpoints.ts';
import { notifications as sampleNotifications, signedNotification } from './adyen.samples.ts';

// Meaning of replies.

/** A webhook does not say whether it is about a sale or a hold, and signs our reference: the reference says it. */
const HOLD = 'hold-';
export const referenceOf = (uuid: string, holds: boolean) => (holds ? `${HOLD}${uuid}` : uuid);

/** `Authorised` is the word for money that is taken and for money that is held. */
function asHold(outcome: Outcome, holds: boolean): Outcome {
  return holds && outcome.status === 'settled' ? { ...outcome, status: 'authorized' } : outcome;
}

const FACTS = {
  authCode: 'approval_code',
  arn: 'arn',
  dsTransID: 'dsTransID',
  eci: 'eci',
  threeDSVersion: 'protocolVersion',
} as const;

/** Facts of a payment, and the token under which its card may be charged again. */
function knownBy(data: z.output<typeof adyen.additional> = {}) {
  const {
    'tokenization.storedPaymentMethodId': storedPaymentMethodId,
    'tokenization.shopperReference': shopperReference,
  } = data;
  const isStored = storedPaymentMethodId !== undefined && shopperReference !== undefined;
  return { facts: factsAt(FACTS, data), agreement: isStored ? { storedPaymentMethodId, shopperReference } : undefined };
}

export interface Opening {
  readonly reference: string;
  readonly amount: Money;
  readonly holds: boolean;
}

export function outcomeOf(body: adyen.Answered, { reference, amount, holds }: Opening): Outcome {
  const outcome = statuses.read({
    word: body.resultCode,
    // Until the payer has been away there may be none.
    providerReference: body.pspReference ?? reference,
    amount: body.amount === undefined ? amount : adyen.moneyOf(body.amount),
    code: body.refusalReasonCode,
    message: body.refusalReason,
    ...knownBy(body.additionalData),
  });
  return ofThisPayment(asHold(outcome, holds), { merchantReference: reference }, body.merchantReference);
}

export const refusal = ({ errorCode: code, message }: adyen.Problem): Outcome => refusedBy({ code, message });

/** Adyen signs a field that is not there as an empty text. */
const text = z.union([z.string(), z.number()]).nullish();
/** The signed fields as they are written: events depend on these alone. */
const signed = z.object({
  pspReference: text,
  originalReference: text,
  merchantAccountCode: text,
  merchantReference: text,
  amount: z.object({ value: text, currency: text }).nullish(),
  eventCode: text,
  success: text,
});
const item = z.object({
  pspReference: z.string().min(1),
  originalReference: z.string().optional(),
  merchantReference: z.string(),
  amount: adyen.amount,
  eventCode: z.string(),
  success: z.string(),
});

/** Reports and the like say nothing of money, and have the fields that they like. */
const report = z.object({ eventCode: z.string().refine((code) => !isMoney(code)) });
/** Whether another system of the account made the payment: our references are UUIDs. It is still read if it can be, because a refund in the panel may have any reference. */
const foreign = z.object({ merchantReference: z.string().refine((given) => !OURS.test(given)), eventCode: z.string() });
const OURS = /^(?:hold-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isMoney = (code: string) =>
  code === 'AUTHORISATION' || Object.hasOwn(MODIFICATIONS, code) || Object.hasOwn(statuses.rows, code);

/** Failures are events of their own, that come late and with `success`. */
const MODIFICATIONS: Readonly<Record<string, { readonly kind: 'capture' | 'refund' | 'void'; readonly fails?: true }>> =
  {
    CAPTURE: { kind: 'capture' },
    CAPTURE_FAILED: { kind: 'capture', fails: true },
    REFUND: { kind: 'refund' },
    REFUND_FAILED: { kind: 'refund', fails: true },
    REFUNDED_REVERSED: { kind: 'refund', fails: true },
    CANCELLATION: { kind: 'void' },
    CANCEL_OR_REFUND: { kind: 'void' },
  };

export const notifications = notificationsFor(settings)({
  address: 'at-provider',
  // docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures, and @adyen/api-library 32.1.0, HmacValidator.
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    each: 'notificationItems.*.NotificationRequestItem',
    field: 'additionalData.hmacSignature',
    key: ({ hmac_key }) => hexKey(hmac_key),
    over(_raw, { item: given }) {
      const { data } = signed.safeParse(given);
      return (
        data &&
        [data.pspReference, data.originalReference, data.merchantAccountCode, data.merchantReference]
          .concat(data.amount?.value, data.amount?.currency, data.eventCode, data.success)
          .join(':')
      );
    },
  },
  vectors: [
    {
      body: JSON.stringify(signedNotification),
      settings: { hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056' },
      source: 'Adyen, tests of its libraries: HmacValidator, the notification of TestMerchant',
    },
  ],
  codec: 'json',
  body: z.object({
    notificationItems: z.array(z.object({ NotificationRequestItem: z.union([item, report, foreign]) })).min(1),
  }),
  events: ({ notificationItems }) =>
    notificationItems.flatMap(({ NotificationRequestItem: each }) => ('amount' in each ? eventsOf(each) : [])),
  examples: sampleNotifications.map((body) => ({
    body,
    source: 'https://github.com/Adyen/adyen-openapi, Webhooks v1',
  })),
});

/** An event that the description does not have is none of money here. */
function eventsOf(each: z.output<typeof item>): readonly ProviderEvent[] {
  const { pspReference, originalReference, merchantReference, eventCode, success } = each;
  const amount = adyen.moneyOf(each.amount);
  const id = `${pspReference}/${eventCode}/${success}`;
  const holds = merchantReference.startsWith(HOLD);
  const ours = holds ? merchantReference.slice(HOLD.length) : merchantReference;
  const provider = { status: eventCode };
  if (eventCode === 'AUTHORISATION') {
    const word = success === 'true' ? 'Authorised' : 'Refused';
    const outcome = asHold(statuses.read({ word, providerReference: pspReference, amount }), holds);
    return [{ kind: 'payment', id, providerReference: pspReference, merchantReference: ours, provider, outcome }];
  }
  const payment = originalReference || pspReference;
  const modification = MODIFICATIONS[eventCode];
  if (modification !== undefined) {
    const { kind, fails = success !== 'true' } = modification;
    const extra = { providerReference: pspReference, provider };
    const outcome = fails
      ? declined('hard', 'declined_by_provider', extra)
      : settled(pspReference, amount, { provider });
    return [{ kind, id, providerReference: payment, provider, outcome }];
  }
  const isKnown = Object.hasOwn(statuses.rows, eventCode) && success === 'true';
  return isKnown ? statuses.events(id, ours, { word: eventCode, providerReference: payment, amount }) : [];
}
