/** Models the style of a bank that makes IPS QR codes, and no bank: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  call,
  compareMoney,
  type ContextOf,
  decimal,
  declined,
  defineConnector,
  field,
  type FlowContext,
  fromDecimal,
  getOrFind,
  type LookedUpPayment,
  type Money,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  qr,
  type References,
  reply,
  secret,
  statusTable,
  type Steps,
  unknown,
  withAmount,
} from '@railyard/core';
import { parseIpsQr } from '@railyard/identifiers/ips-qr';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './ips.samples.ts';
import { ipsQr } from './methods/ips.ts';

const SOURCE = 'packages/connector-bank-transfer/README.md, Bank of IPS codes';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the bank’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  signing_secret: secret(z.string().min(16), 'Secret that signs notifications'),
  code_seconds: field(z.int().min(10).max(3600).default(60), {
    label: 'Time to scan a code, in seconds',
    help: 'The payer gets a new code after it (2-methods.md, Limits: one minute by default).',
  }),
});
type Settings = z.output<typeof settings>;

/** The words of a lookup, and the codes of a notification (2-methods.md, the QR method with brand IPS; ISO 20022 for those that are not final). */
const statuses = statusTable({
  PENDING: 'pending',
  EXECUTED: 'settled',
  REJECTED: { declined: 'soft', code: 'declined_by_bank' },
  PDNG: { meaning: 'pending', says: 'Further checks and status update will be performed.' },
  ACSP: {
    meaning: 'pending',
    says: 'All preceding checks such as technical validation and customer profile were successful',
  },
  ACSC: { meaning: 'settled', says: "Settlement on the debtor's account has been completed." },
  RJCT: {
    meaning: { declined: 'soft', code: 'declined_by_bank' },
    says: 'Payment initiation or individual transaction included in the payment initiation has been rejected.',
  },
});

// Replies.

const named = () => ({ code_id: z.string().min(1), order_ref: z.string().optional() });
const made = withAmount(
  z.object({
    ...named(),
    status: z.string(),
    ...amountFields,
    qr_text: z.string().min(1),
    expires_at: z.iso.datetime({ offset: true }),
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Made = z.output<typeof made>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['code_id', 'order_ref', 'status', 'amount', 'currency', 'expires_at', 'code'],
});

const found = reply(200, made, { ...samples.sampleCode, status: 'EXECUTED' });
const absent = reply(404, problem, samples.sampleAbsent);
const getCode = api.lookup('get-code', '/codes/{code_id}', { found, absent });
const findCode = api.lookup('find-code', '/codes/by-order/{order_ref}', { found, absent });

interface CodeRequest {
  readonly order_ref: string;
  /** Ours, which the payer knows too. */
  readonly order_number: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly report_to: string;
  readonly valid_seconds: number;
}
const created = reply([200, 201], made, samples.sampleCode, samples.sampleUnreadable);

const createCode = api.endpoint('create-code', 'POST /codes', {
  repeat: 'keyed',
  request: (input: CodeRequest) => ({ json: { ...input } }),
  replies: { created, refused: reply([400, 422], problem, samples.sampleRefusal) },
});
/** Another code for the same payment. The bank still takes the one before it from a payer who confirms late. */
const renewCode = api.endpoint('renew-code', 'POST /codes/{code_id}/renew', {
  repeat: 'keyed',
  request: (code_id: string) => ({ params: { code_id } }),
  replies: { created, refused: reply([409, 422], problem, samples.sampleNotRenewable), absent },
});

// Meaning of replies.

const UNUSABLE = 'The bank gave a code that cannot be paid.';

/** Why a code must not be shown, or nothing. Its text is defined for RSD; of other currencies it is the bank's own (reference/methods-facts.md, 10). */
function problemOf({ qr_text, ...body }: Made): string | undefined {
  if (body.currency !== 'RSD') return undefined;
  const parsed = parseIpsQr(qr_text);
  if (!parsed.ok) return `${parsed.reason} at ${parsed.field}`;
  return isAmount(parsed.code.amount, amountOf(body)) ? undefined : 'it asks for another amount';
}

const isAmount = (written: string, amount: Money) => compareMoney(fromDecimal(written, 'RSD'), amount) === 0;

type Clock = Pick<FlowContext<Settings>, 'now' | 'settings'>;

const life = ({ now, settings: { code_seconds } }: Clock) => ({
  validUntil: new Date(Date.parse(now) + code_seconds * 1000).toISOString(),
});

/** The payment as a reply says it, with the code where one may be shown; and why it may not. */
interface Answered {
  readonly outcome: Outcome;
  readonly fault?: string;
}

/** @param valid until when, by our own clock: the bank's may be another, and the seconds are what we asked for */
function read(body: Made, asked: References, valid: { readonly validUntil: string }): Answered {
  const { code_id, order_ref, status: word, qr_text: content } = body;
  const facts = { word, providerReference: code_id, amount: amountOf(body) };
  const outcome = ofThisPayment(statuses.read(facts), asked, order_ref);
  if (outcome.status !== 'pending') return { outcome };
  const fault = problemOf(body);
  if (fault !== undefined) return { outcome, fault };
  // Banks read the code by camera alone, and its text has line breaks: there is nothing to copy.
  const show = qr({ content, copy: false, ...valid });
  return { outcome: { ...outcome, show } };
}

const wordOf = (fault: string) => ({ provider: { message: `IPS code refused: ${fault}` } });

/** No payer has seen a first code that is wrong, so none can pay it. */
const first = ({ outcome, fault }: Answered, { code_id: providerReference }: Made): Outcome =>
  fault === undefined
    ? outcome
    : declined('soft', 'provider_error', { reason: UNUSABLE, providerReference, ...wordOf(fault) });

/** Without a usable new code there is none: the payment is left alone, whose code before it may still be paid. */
const next = ({ outcome, fault }: Answered): Outcome =>
  fault === undefined ? outcome : unknown(UNUSABLE, wordOf(fault));

/** A code that the payer may have seen is left alone; a lookup brings it only where the reply that had it was lost. */
function* lookedUp({ payment, ...clock }: Clock & { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const answer = yield* getOrFind(payment, { get: getCode, find: findCode });
  if (answer.reply === 'absent') return api.notFound(answer.body);
  const { outcome } = read(answer.body, payment, life(clock));
  if (outcome.status !== 'pending' || payment.providerReference === undefined) return outcome;
  const { show: _, ...hidden } = outcome;
  return hidden;
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-ips-signature',
    key: ({ signing_secret }: Settings) => signing_secret,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: withAmount(z.object({ event_id: z.string().min(1), ...named(), code: z.string(), ...amountFields })),
  events: ({ event_id, code_id, order_ref, code: word, ...amount }) =>
    statuses.events(event_id, order_ref, { word, providerReference: code_id, amount: amountOf(amount) }),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

/** A function of its own: within a generator an object of many parts is put together several times as slowly. */
const requestOf = ({ payment, settings: { code_seconds }, urls }: ContextOf<Settings, typeof ipsQr, 'purchase'>) => ({
  order_ref: payment.merchantReference,
  order_number: payment.order.number,
  amount: decimal(payment.amount),
  currency: payment.order.currency,
  description: payment.order.description,
  report_to: urls.notify,
  valid_seconds: code_seconds,
});

/** IPS QR codes that the payer scans with the app of their bank, for a minute each, in EUR, RSD, BAM and MKD. */
export const bankIpsConnector = defineConnector({
  id: 'bank-ips',
  contract: 1,
  version: manifest.version,
  title: 'IPS QR codes',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(ipsQr, {
      *purchase(context) {
        const { merchantReference } = context.payment;
        return yield* api.outcome(createCode, requestOf(context), ({ body }) =>
          first(read(body, { merchantReference }, life(context)), body),
        );
      },

      *renew({ payment, settings, now }) {
        const answer = yield* call(renewCode, payment.providerReference);
        // One that cannot be renewed may have been paid meanwhile: what became of it is looked up, not guessed.
        if (answer.reply !== 'created') return yield* lookedUp({ payment, settings, now });
        const { merchantReference } = payment;
        return next(read(answer.body, { merchantReference }, life({ settings, now })));
      },

      status: lookedUp,
    }),
  ],
});
