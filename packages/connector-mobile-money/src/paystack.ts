import {
  call,
  type ContextOf,
  defineConnector,
  field,
  type FollowUpFlows,
  fromMinorUnits,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type Show,
  type Steps,
  text,
} from '@railyard/core';
import { phoneFormats, withoutPlus } from '@railyard/identifiers/phone';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { askCode, type CodeSteps } from './ask-code.ts';
import { afterLookup, promptOn } from './handset.ts';
import { mobileMoneyPaystack } from './methods.ts';
import * as paystack from './paystack-endpoints.ts';
import { sampleNotification, sampleTransferNotification } from './paystack.samples.ts';

const { api, charges, settings, statuses, transfers } = paystack;

// Meaning of replies.

/** A charge that waits may name no amount, and then nothing reads it. */
const factsOf = ({ reference, status: word, amount = 0, currency = 'GHS' }: paystack.Charge | paystack.Moved) => ({
  word,
  providerReference: reference,
  amount: fromMinorUnits(amount, currency),
});

const chargeOutcome = (said: paystack.Charge, merchantReference: string, show?: Show): Outcome =>
  ofThisPayment(charges.read({ ...factsOf(said), show }), { merchantReference }, said.reference);

const transferOutcome = (said: paystack.Moved, merchantReference: string): Outcome =>
  ofThisPayment(transfers.read(factsOf(said)), { merchantReference }, said.reference);

function refundOutcome(
  { id, status: word, ...said }: paystack.Refund,
  merchantReference: string,
  transaction: string,
): Outcome {
  const outcome = statuses.read({ word, providerReference: id, amount: fromMinorUnits(said.amount, said.currency) });
  return ofThisPayment(outcome, { merchantReference }, transaction);
}

/**
 * Signed with the secret key. Those of refunds name no refund, only the charge, so a refund is looked up; those of subscriptions, invoices
 * and the like name no reference.
 */
const notifications = notificationsFor(settings)({
  address: 'at-provider',
  verify: {
    scheme: 'hmac',
    algorithm: 'sha512',
    header: 'x-paystack-signature',
    encoding: 'hex',
    key: ({ secret_key }) => secret_key,
  },
  codec: 'json',
  body: z.object({
    event: z.string(),
    data: z.union([paystack.notified, z.object({ reference: z.undefined().optional() })]),
  }),
  events: ({ event, data }) => {
    if (data.reference === undefined) return [];
    const table = event.startsWith('transfer.') ? transfers : charges;
    return table.events(`${event}/${data.id}`, data.reference, factsOf(data));
  },
  examples: [sampleNotification, sampleTransferNotification].map((body) => ({
    body,
    source: `${paystack.SNIPPETS}, doc/payments/webhooks/events.js`,
  })),
});

// The connector.

type Purchase = ContextOf<paystack.Settings, typeof mobileMoneyPaystack, 'purchase'>;
type Credit = ContextOf<paystack.Settings, typeof mobileMoneyPaystack, 'credit'>;

/** As 0553241149. */
const inGhana = (e164: string) => `0${e164.slice(1 + phoneFormats.GH.callingCode.length)}`;

function* purchase({ payment }: Purchase): Steps<Outcome> {
  const { merchantReference: reference, amount, needed, parameters } = payment;
  const { mobile_number: number, network: provider } = parameters;
  // doc/payments/payment-methods of the snippets.
  const phone = amount.currency === 'GHS' ? inGhana(number) : withoutPlus(number);
  const email = needed['customer.email'];
  const made = yield* call(paystack.createCharge, { reference, amount, email, mobile_money: { phone, provider } });
  if (made.reply === 'refused') return api.refusal(made.body);
  const asked = made.body.data.status === 'send_phone' ? yield* call(paystack.submitPhone, { phone, reference }) : made;
  // The description does not say whether a refusal ends the charge: it is looked up.
  if (asked.reply === 'refused') return chargeOutcome(made.body.data, reference);
  const confirmed = yield* askCode(asked.body.data, codeSteps(reference));
  if (confirmed.kind === 'over') return confirmed.outcome;
  const { display_text: message } = confirmed.payment;
  return chargeOutcome(confirmed.payment, reference, promptOn({ number, message }));
}

function codeSteps(reference: string): CodeSteps<paystack.Charge> {
  return {
    waits: ({ status }) => status === 'send_otp',
    fields: ({ display_text: help }) =>
      z.strictObject({
        code: field(text({ max: 20 }), {
          label: { en: 'Code', pt: 'Código' },
          input: 'code',
          ...(help !== undefined && { help }),
        }),
      }),
    *send(otp) {
      const answer = yield* call(paystack.submitOtp, { otp, reference });
      if (answer.reply === 'created') return { kind: 'accepted', payment: answer.body.data };
      const now = yield* call(paystack.checkCharge, reference);
      if (now.reply === 'absent') return { kind: 'over', outcome: api.notFound(now.body) };
      const { data } = now.body;
      return data.status === 'send_otp' ? { kind: 'wrong' } : { kind: 'accepted', payment: data };
    },
  };
}

function* credit({ payment }: Credit): Steps<Outcome> {
  const { merchantReference: reference, amount, order, parameters, needed } = payment;
  const to = yield* call(paystack.createRecipient, {
    name: needed['payee.name'],
    account_number: inGhana(parameters.mobile_number),
    bank_code: parameters.network.toUpperCase(),
    currency: amount.currency,
  });
  if (to.reply === 'refused') return api.refusal(to.body);
  const { recipient_code: recipient } = to.body.data;
  const asked = { reference, amount, recipient, reason: order.description };
  return yield* api.outcome(paystack.createTransfer, asked, ({ body }) => transferOutcome(body.data, reference));
}

const followUps = {
  *status({ payment: { merchantReference: reference, operation, providerReference } }) {
    if (operation === 'credit')
      return yield* api.outcome(paystack.verifyTransfer, reference, ({ body }) =>
        transferOutcome(body.data, reference),
      );
    // The payer keeps seeing what is shown; only after a lost reply nothing is shown yet.
    const show = providerReference === undefined ? promptOn({}) : undefined;
    return yield* api.outcome(paystack.verifyCharge, reference, ({ body }) =>
      afterLookup(chargeOutcome(body.data, reference, show), paystack.TIMED_OUT),
    );
  },

  refund: {
    partial: true,
    *flow({ payment: { merchantReference }, id: merchant_note, amount }) {
      const asked = { transaction: merchantReference, amount, merchant_note };
      return yield* api.outcome(paystack.createRefund, asked, ({ body: { data } }) =>
        refundOutcome(data, merchantReference, data.transaction.reference),
      );
    },
  },

  *modificationStatus({ payment: { merchantReference }, modification: { id: note, providerReference: id } }) {
    if (id === undefined) {
      const found = yield* paystack.refundNamed(note);
      return found === undefined ? notFound() : refundOutcome(found, merchantReference, found.transaction_reference);
    }
    return yield* api.outcome(paystack.getRefund, id, ({ body: { data } }) =>
      refundOutcome(data, merchantReference, data.transaction_reference),
    );
  },
} satisfies FollowUpFlows<paystack.Settings>;

/** Mobile money in Ghana and Kenya by Paystack: checked against its official description, not yet against the live API. */
export const paystackConnector = defineConnector({
  id: 'mobile-money-paystack',
  contract: 1,
  version: manifest.version,
  title: 'Mobile money, Paystack',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(mobileMoneyPaystack, { purchase, credit, ...followUps })],
});
