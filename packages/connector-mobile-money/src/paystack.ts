import {
  call,
  currencyCode,
  defineConnector,
  field,
  foundBy,
  fromMinorUnits,
  jsonNumber,
  minorUnits,
  type Money,
  notFound,
  type ProviderEvent,
  providerApi,
  reply,
  secret,
  statusTable,
  text,
  unknown,
  withGivenBack,
} from '@railyard/core';
import { phoneFormats, withoutPlus } from '@railyard/identifiers/phone';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { askCode, type CodeSteps } from './ask-code.ts';
import { afterLookup, promptOn } from './handset.ts';
import { mobileMoneyPaystack } from './methods.ts';
import * as samples from './paystack.samples.ts';

const signature = { scheme: 'hmac', algorithm: 'sha512', header: 'x-paystack-signature', encoding: 'hex' } as const;

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://api.paystack.co'), { label: 'Address of the API' }),
  secret_key: secret(z.string().min(1), 'Secret key'),
});

/**
 * Charges: paystack.com/docs/payments/payment-channels and /verify-payments; transfers: /docs/transfers/how-transfers-work; refunds:
 * /docs/payments/refunds. `timeout` is left out on purpose: see `afterLookup`.
 */
const WAITS = {
  send_phone: 'the customer is asked for a phone number',
  send_otp: 'the customer is asked for a one-time password',
  pay_offline: 'the customer completes the charge on the phone',
  ongoing: 'the customer is carrying out what is needed for the transaction',
  queued: 'the transaction waits to be processed later',
  processing: 'the transaction is in progress, as pending',
  // A payer who has not finished a charge may still do so.
  abandoned: 'the customer has not completed the transaction',
};
/** The merchant's own approval is waited for; `blocked` and `rejected` are what its absence makes of a transfer. */
const UNAPPROVED = {
  received: 'the server of the merchant was asked to approve the transfer',
  otp: 'the merchant confirms the transfer by a one-time password',
  queued: 'the transfer waits to be processed later',
};
const UNREFUNDED = {
  processing: 'the refund is with the processor',
  'needs-attention': 'the refund waits for the bank account of the customer',
};
const waiting = (words: Readonly<Record<string, string>>) => ({
  pending: 'pending' as const,
  failed: { declined: 'soft', code: 'not_completed' } as const,
  ...Object.fromEntries(Object.entries(words).map(([word, says]) => [word, { meaning: 'pending' as const, says }])),
});

const statuses = statusTable({
  ...waiting(WAITS),
  success: 'settled',
  reversed: {
    meaning: { later: 'reported-by-its-modification' },
    says: 'the transaction was refunded or charged back',
  },
});
const refunds = statusTable({ ...waiting(UNREFUNDED), processed: 'settled' });
/** paystack.com/docs/transfers/how-transfers-work, the table of statuses. */
const transfers = statusTable({
  ...waiting(UNAPPROVED),
  success: 'settled',
  blocked: {
    meaning: { declined: 'hard', code: 'declined_by_provider', reason: 'The transfer was not approved.' },
    says: 'the server of the merchant neither approved nor rejected the transfer',
  },
  rejected: {
    meaning: { declined: 'hard', code: 'declined_by_provider', reason: 'The merchant’s server rejected the transfer.' },
    says: 'the server of the merchant rejected the transfer',
  },
  abandoned: {
    meaning: { declined: 'soft', code: 'expired', reason: 'The transfer was not approved in time.' },
    says: 'the one-time password was not given within 30 minutes, and the transfer is not made',
  },
  reversed: {
    meaning: { declined: 'soft', code: 'not_completed', reason: 'The money did not arrive and came back.' },
    says: 'it could not be processed, and its amount was returned',
  },
});

// Replies.

/** Amounts are in pesewas and cents. */
const said = () => ({ status: z.string(), amount: z.int().nonnegative(), currency: currencyCode() });
const moved = z.object({ reference: z.string().min(1), ...said() });
/** Of a charge that waits, Paystack's own examples name neither amount nor currency. */
const partly = moved.partial({ amount: true, currency: true });
const shown = partly.extend({ id: z.int().transform(String).optional(), display_text: z.string().optional() });
const charge = shown.refine((it) => it.status !== 'success' || (it.amount !== undefined && it.currency !== undefined));
const recipient = z.object({ recipient_code: z.string().min(1) });
const refund = () => z.object({ id: z.int().transform(String), ...said(), merchant_note: z.string().nullish() });
const refunded = refund().extend({ transaction: z.object({ reference: z.string() }) });
const fetchedRefund = refund().extend({ transaction_reference: z.string() });
/** A webhook names a refund by another reference than its id, so the refund is looked up. */
const refundTold = z.object({ refund_reference: z.string().nullish(), transaction_reference: z.string() });
const nameless = z.object({ reference: z.undefined().optional() });
const problem = z.object({ message: z.string(), code: z.string().optional() });

/** The frame of every reply. */
const framed = <B extends z.ZodType>(status: number | readonly number[], data: B, ...shown: readonly unknown[]) =>
  reply(status, z.object({ data }), ...shown.map((each) => samples.framed(each)));
const taken = framed(200, refunded, samples.sampleRefund, { ...samples.sampleRefund, status: 'processed' });
const refused = reply([401, 400, 404, 422], problem, samples.sampleRefusal);

// Endpoints.

const NAMES = ['reference', 'amount', 'currency', 'status', 'message', 'code', 'id', 'type', 'transaction'];
const api = providerApi(settings, {
  source: 'https://github.com/PaystackOSS/openapi, 2025-10',
  headers: ({ secret_key }) => ({ authorization: `Bearer ${secret_key}` }),
  visible: NAMES.flatMap((name) => [name, `data.${name}`]),
  absent: reply(404, problem, samples.sampleAbsent),
});

/** A request's fields, as Paystack names them. */
type Texts<K extends string> = Readonly<Record<K, string>>;
type Priced<K extends string> = Texts<K> & { readonly amount: Money };
type NewCharge = Priced<'reference' | 'email'> & { readonly mobile_money: Texts<'phone' | 'provider'> };
type NewRecipient = Texts<'name' | 'account_number' | 'bank_code' | 'currency'>;
const priced = <A extends Priced<never>>({ amount: asked, ...rest }: A) => ({
  ...rest,
  amount: jsonNumber(asked, minorUnits),
  currency: asked.currency,
});
const referenceOf = ({ reference }: Texts<'reference'>) => reference;

const read = <B extends z.ZodType>(name: string, path: string, found: B, ...shown: readonly unknown[]) =>
  api.lookup(name, path, framed(200, found, ...shown));
const checkCharge = read(
  'check-charge',
  '/charge/{reference}',
  charge,
  { ...samples.sampleStep, status: 'success' },
  { ...samples.sampleStep, status: 'send_otp' },
);
const verifyCharge = read('verify-charge', '/transaction/verify/{reference}', charge, samples.sampleVerified);
const verifyTransfer = read('verify-transfer', '/transfer/verify/{reference}', moved, samples.sampleVerifiedTransfer);
const getRefund = read('get-refund', '/refund/{id}', fetchedRefund, samples.sampleFetchedRefund);

const STEPS = ['send_otp', 'pay_offline', 'pending', 'failed', 'send_phone'];
const charged = (sample: object, step?: string) => ({
  created: framed(200, charge, ...STEPS.filter((each) => each !== step).map((status) => ({ ...sample, status }))),
  refused,
});

/** A reference is unique: a charge without a reply is looked up by it. */
const createCharge = api.endpoint('create-charge', 'POST /charge', {
  repeat: 'by-reference',
  request: (asked: NewCharge) => ({ json: priced(asked) }),
  find: foundBy(checkCharge, referenceOf),
  replies: charged(samples.sampleCharge),
});

/** A charge that still waits for this step has not had it. */
const submit = <K extends 'otp' | 'phone'>(step: K, sample: object) =>
  api.endpoint(`submit-${step}`, `POST /charge/submit_${step}`, {
    repeat: 'by-reference',
    request: (json: Texts<K | 'reference'>) => ({ json }),
    find: foundBy(checkCharge, referenceOf, (now) =>
      now.reply === 'found' && now.body.data.status !== `send_${step}` ? now.body : 'absent',
    ),
    replies: charged(sample, `send_${step}`),
  });
const submitOtp = submit('otp', samples.sampleStep);
const submitPhone = submit('phone', { ...samples.sampleStep, display_text: 'Please enter the code' });

/** "A duplicate account number will lead to the retrieval of the existing record": it may be sent again. */
const createRecipient = api.endpoint('create-recipient', 'POST /transferrecipient', {
  repeat: 'safe',
  request: (json: NewRecipient) => ({ json: { type: 'mobile_money', ...json } }),
  replies: { created: framed([201, 200], recipient, samples.sampleRecipient), refused },
});

const createTransfer = api.endpoint('create-transfer', 'POST /transfer', {
  repeat: 'by-reference',
  request: (asked: Priced<'reference' | 'recipient' | 'reason'>) => ({ json: { source: 'balance', ...priced(asked) } }),
  find: foundBy(verifyTransfer, referenceOf),
  replies: { created: framed(200, moved, samples.sampleTransfer), refused },
});

/**
 * A refund has no reference: the one that carries our name is looked for, where the list has it. `transaction` is Paystack's id of a charge,
 * by which the list is narrowed (paystack.com/docs/api/refund, List Refunds).
 */
const listRefunds = api.endpoint('list-refunds', 'GET /refund', {
  repeat: 'safe',
  request: (transaction: string | undefined) => ({
    query: { perPage: '100', ...(transaction !== undefined && { transaction }) },
  }),
  replies: {
    listed: reply(200, z.object({ data: z.array(fetchedRefund) }), samples.sampleRefunds),
    // A key may take payments without a right to read refunds.
    refused: reply([400, 401, 403, 404], problem, samples.sampleRefusal),
  },
});

/** The list may lag or be long, so a refund that it does not show is never sent again. `transaction`: our reference of the charge. */
const createRefund = api.endpoint('create-refund', 'POST /refund', {
  repeat: 'by-reference',
  request: (asked: Priced<'transaction' | 'merchant_note'>) => ({ json: priced(asked) }),
  find: foundBy(listRefunds, undefined, (answer, { merchant_note, transaction: reference }) => {
    if (answer.reply === 'refused') return 'unclear';
    const found = answer.body.data.find((each) => each.merchant_note === merchant_note);
    return found === undefined ? 'unclear' : { data: { ...found, transaction: { reference } } };
  }),
  replies: { created: taken, refused },
});

// Meaning of replies.

/** A charge that waits may name no amount, and then nothing reads it. */
const factsOf = ({ reference, status: word, amount = 0, currency = 'GHS' }: z.output<typeof charge>) => ({
  word,
  providerReference: reference,
  merchantReference: reference,
  amount: fromMinorUnits(amount, currency),
});

function refundOutcome(refund: z.output<typeof refunded | typeof fetchedRefund>, ours: string) {
  const reference = 'transaction' in refund ? refund.transaction.reference : refund.transaction_reference;
  const facts = { ...factsOf({ ...refund, reference }), providerReference: refund.id };
  return refunds.read(facts, { merchantReference: ours });
}

/** A refund of ours, or one that the merchant made in the dashboard. */
function refundEvent(refund: z.output<typeof fetchedRefund>): ProviderEvent {
  const { id, status, transaction_reference: providerReference } = refund;
  const outcome = refundOutcome(refund, providerReference);
  return { kind: 'refund', id: `${id}/${status}`, providerReference, provider: { status }, outcome };
}

/**
 * Signed with the secret key. Those of refunds name no refund, only the charge, so a refund is looked up; those of subscriptions, invoices
 * and the like name no reference.
 */
const notifications = api.notifications({
  address: 'at-provider',
  verify: { ...signature, key: ({ secret_key }) => secret_key },
  vectors: { none: 'The documentation names the header and the algorithm, and shows no signed body.' },
  body: z.object({
    event: z.string(),
    data: z.union([moved.extend({ id: z.int().transform(String) }), refundTold, nameless]),
  }),
  events: ({ event, data }) => {
    if ('transaction_reference' in data) {
      const { transaction_reference: providerReference, refund_reference: named } = data;
      const outcome = unknown('A refund is looked up.');
      return [{ kind: 'refund', id: `${event}/${providerReference}/${named ?? ''}`, providerReference, outcome }];
    }
    if (data.reference === undefined) return [];
    const table = event.startsWith('transfer.') ? transfers : statuses;
    return table.events(`${event}/${data.id}`, data.reference, factsOf(data));
  },
  examples: samples.events,
});

// The connector.

/** As 0553241149. */
const inGhana = (e164: string) => `0${e164.slice(1 + phoneFormats.GH.callingCode.length)}`;

const codeSteps = (reference: string): CodeSteps<z.output<typeof charge>> => ({
  waits: ({ status }) => status === 'send_otp',
  fields: ({ display_text: help }) => {
    const shown = { label: { en: 'Code', pt: 'Código' }, input: 'code', ...(help !== undefined && { help }) } as const;
    return z.strictObject({ code: field(text({ max: 20 }), shown) });
  },
  *send(otp) {
    const answer = yield* call(submitOtp, { otp, reference });
    if (answer.reply === 'created') return { kind: 'accepted', payment: answer.body.data };
    const now = yield* call(checkCharge, reference);
    if (now.reply === 'absent') return { kind: 'over', outcome: api.notFound(now.body) };
    return now.body.data.status === 'send_otp' ? { kind: 'wrong' } : { kind: 'accepted', payment: now.body.data };
  },
});

/** Mobile money in Ghana and Kenya by Paystack: checked against its official description, not yet against the live API. */
export const paystackConnector = defineConnector({
  id: 'mobile-money-paystack',
  contract: 1,
  version: manifest.version,
  title: 'Mobile money, Paystack',
  settings,
  endpoints: api.endpoints,
  statuses,
  effectStatuses: { refund: refunds, payout: transfers },
  notifications,
  serves: (serve) => [
    serve(mobileMoneyPaystack, {
      *purchase({ payment }) {
        const { merchantReference: reference, amount, needed, parameters } = payment;
        const { mobile_number: number, network: provider } = parameters;
        // doc/payments/payment-methods of the snippets.
        const phone = amount.currency === 'GHS' ? inGhana(number) : withoutPlus(number);
        const email = needed['customer.email'];
        const made = yield* call(createCharge, { reference, amount, email, mobile_money: { phone, provider } });
        if (made.reply === 'refused') return api.refusal(made.body);
        const { data } = made.body;
        const asked = data.status === 'send_phone' ? yield* call(submitPhone, { phone, reference }) : made;
        // The description does not say whether a refusal ends the charge: it is looked up.
        if (asked.reply === 'refused') return statuses.read(factsOf(data), payment);
        const confirmed = yield* askCode(asked.body.data, codeSteps(reference));
        if (confirmed.kind === 'over') return confirmed.outcome;
        const { display_text: message } = confirmed.payment;
        return statuses.read({ ...factsOf(confirmed.payment), show: promptOn({ number, message }) }, payment);
      },

      *credit({ payment }) {
        const { merchantReference: reference, amount, order, parameters, needed } = payment;
        const to = yield* call(createRecipient, {
          name: needed['payee.name'],
          account_number: inGhana(parameters.mobile_number),
          bank_code: parameters.network.toUpperCase(),
          currency: amount.currency,
        });
        if (to.reply === 'refused') return api.refusal(to.body);
        const asked = { reference, amount, recipient: to.body.data.recipient_code, reason: order.description };
        return yield* api.outcome(createTransfer, asked, ({ body }) => transfers.read(factsOf(body.data), payment));
      },

      *status({ payment }) {
        const { merchantReference: ours, operation, providerReference } = payment;
        const asked = { merchantReference: ours };
        if (operation === 'credit')
          return yield* api.outcome(verifyTransfer, ours, ({ body }) => transfers.read(factsOf(body.data), asked));
        // The payer keeps seeing what is shown; only after a lost reply nothing is shown yet.
        const show = providerReference === undefined ? promptOn({}) : undefined;
        // The word for a charge that the payer did not confirm in time.
        const answer = yield* call(verifyCharge, ours);
        if (answer.reply === 'absent') return api.notFound(answer.body);
        const { data } = answer.body;
        const outcome = afterLookup(statuses.read({ ...factsOf(data), show }, asked), 'timeout');
        if (data.status !== 'success' && data.status !== 'reversed') return outcome;
        const listed = yield* call(listRefunds, data.id);
        // The charge's own word stands: a payment that was made must not wait for the list.
        if (listed.reply === 'refused') return outcome;
        const back = listed.body.data
          .filter(({ transaction_reference }) => transaction_reference === ours)
          .map(refundEvent);
        // A charge that went back whole was paid.
        const paid = back.length === 0 ? outcome : statuses.read({ ...factsOf(data), word: 'success' }, asked);
        return withGivenBack(paid, ours, back);
      },

      refund: {
        partial: true,
        *flow({ payment: { merchantReference: transaction }, id: merchant_note, amount }) {
          const asked = { transaction, amount, merchant_note };
          return yield* api.outcome(createRefund, asked, ({ body }) => refundOutcome(body.data, transaction));
        },
      },

      *modificationStatus({ payment: { merchantReference }, modification: { id: note, providerReference: id } }) {
        if (id !== undefined)
          return yield* api.outcome(getRefund, id, ({ body }) => refundOutcome(body.data, merchantReference));
        const listed = yield* call(listRefunds, undefined);
        if (listed.reply === 'refused') return unknown('Paystack does not list refunds for this key.');
        const found = listed.body.data.find(({ merchant_note }) => merchant_note === note);
        return found === undefined ? notFound() : refundOutcome(found, merchantReference);
      },
    }),
  ],
});
