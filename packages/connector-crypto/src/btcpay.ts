import {
  address as addressShown,
  call,
  type ContextOf,
  decimal,
  declined,
  defineConnector,
  type FollowUpFlows,
  fromDecimal,
  isOfAnother,
  moneyOfMinor,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  pending,
  type ProviderEvent,
  refusedBy,
  type StatusReport,
  type Steps,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { checkAddress } from './address-check.ts';
import {
  api,
  createInvoice,
  createPayout,
  createRefund,
  findInvoices,
  getInvoice,
  getAddress,
  getPayments,
  getPayout,
  getPullPayment,
  type Invoice,
  listClaims,
  listPayouts,
  markInvalid,
  type Method,
  type Payment,
  type Payout,
  type Problem,
  type PullPayment,
  payouts,
  refundNamed,
  refunds,
  settings,
  type Settings,
  SOURCE,
  statuses,
} from './btcpay-endpoints.ts';
import { samplePayoutUpdated, sampleSettled } from './btcpay.samples.ts';
import { bitcoinBtcpay } from './methods.ts';
import { networks } from './networks.ts';

// Meaning of replies.

function wordsOf(problem: Problem) {
  if (!Array.isArray(problem)) return problem;
  const [first] = problem;
  return { code: first?.path, message: first?.message };
}

const moment = (at: number) => new Date(at * 1000).toISOString();
const amountOf = ({ amount, currency }: Invoice | PullPayment) => fromDecimal(amount, currency);
const isOnChain = (method: Method) => method.paymentMethodId === 'BTC-CHAIN';
/** Whether no coin has come: all of the amount is due. */
const isUntouched = ({ amount, due }: Method) => fromDecimal(due, 'BTC').minor === fromDecimal(amount, 'BTC').minor;

interface OwnPayment {
  readonly merchantReference: string;
  readonly providerReference?: string | undefined;
  /** The payment is a test, so the address may be one of a test network. */
  readonly test: boolean;
}

/** The address of an invoice, checked before the payer sees it. An invoice without one was never shown. */
function shown(invoice: Invoice, method: Method | undefined, asked: OwnPayment): Outcome {
  const read = checkAddress(method?.destination ?? '', 'BTC', 'bitcoin');
  const isUsable = read !== 'unknown-asset' && read.ok && (asked.test || !read.test);
  const outcome =
    isUsable && method !== undefined
      ? pending(
          invoice.id,
          addressShown({
            address: read.address,
            asset: 'BTC',
            network: networks.bitcoin.label,
            amount: method.due,
            validUntil: moment(invoice.expirationTime),
          }),
          { payableUntil: moment(invoice.monitoringExpiration) },
        )
      : declined('soft', 'provider_error', {
          reason: 'The provider gave no address that can be used.',
          providerReference: invoice.id,
        });
  return ofThisPayment(outcome, asked, invoice.metadata.orderId);
}

/**
 * The deposits at the address, each with its share of the price: together they are worth what all of the coins are, to the cent. Settled is
 * the server's last word: within the store's tolerance, or marked by hand, they are enough (Greenfield API, `paymentTolerance`). That word
 * is an event of its own, because the deposits may have been told before.
 */
function depositsOf(invoice: Invoice, amount: string, payments: readonly Payment[]): readonly ProviderEvent[] {
  const price = amountOf(invoice);
  const whole = fromDecimal(amount, 'BTC').minor;
  if (whole === 0n) return [];
  const isSettled = invoice.status === 'Settled';
  let coins = 0n;
  let counted = 0n;
  const about = {
    kind: 'deposit',
    providerReference: invoice.id,
    ...(invoice.metadata.orderId && { merchantReference: invoice.metadata.orderId }),
  } as const;
  const deposits = payments.map(({ id, value, status }): ProviderEvent => {
    coins += fromDecimal(value, 'BTC').minor;
    const worth = (price.minor * coins * 2n + whole) / (whole * 2n);
    const share = moneyOfMinor(worth - counted, price.currency);
    counted = worth;
    return {
      ...about,
      id,
      provider: { status, message: `${value} BTC` },
      amount: share,
      confirmed: statuses.rows[status] === 'settled' || (isSettled && status === 'Processing'),
      ...(typeof statuses.rows[status] === 'object' && { rejected: true as const }),
    };
  });
  if (!isSettled) return deposits;
  const lastWord: ProviderEvent = {
    ...about,
    id: invoice.id,
    provider: { status: invoice.status },
    amount: moneyOfMinor(0n, price.currency),
    confirmed: true,
    enough: true,
  };
  return [...deposits, lastWord];
}

/** Before its server stops watching, coins may still come to an invoice that has expired. */
function unpaid(invoice: Invoice, asked: OwnPayment, now: string): Outcome {
  const isOver = invoice.status !== 'Expired' || Date.parse(now) >= invoice.monitoringExpiration * 1000;
  const outcome = isOver
    ? statuses.read({ word: invoice.status, providerReference: invoice.id, amount: amountOf(invoice) })
    : pending(invoice.id, undefined, { provider: { status: invoice.status } });
  return ofThisPayment(outcome, asked, invoice.metadata.orderId);
}

function payoutOutcome({ id, state, originalAmount, originalCurrency, metadata }: Payout, asked: OwnPayment): Outcome {
  const amount = fromDecimal(originalAmount, originalCurrency);
  const outcome = payouts.read({ word: state, providerReference: id, amount });
  return ofThisPayment(outcome, asked, metadata?.source);
}

/** A refund takes place once the payer has claimed the whole of it; after a claim that is cancelled they may claim again. */
function refundOutcome(refund: PullPayment, claims: readonly Payout[]): Outcome {
  const amount = amountOf(refund);
  const paid = claims
    .filter(({ state, originalCurrency }) => state === 'Completed' && originalCurrency === refund.currency)
    .reduce((sum, each) => sum + fromDecimal(each.originalAmount, each.originalCurrency).minor, 0n);
  const open = claims.findLast(({ state }) => state !== 'Completed' && state !== 'Cancelled');
  const word = paid >= amount.minor ? 'Completed' : (open?.state ?? 'AwaitingPayment');
  return refunds.read({ word, providerReference: refund.id, amount, message: refund.viewLink });
}

const INVOICE = /^Invoice/;

/** Signed, and without amounts: each says which invoice or payout to look up. */
const notifications = notificationsFor(settings)({
  address: 'at-provider',
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'btcpay-sig',
    prefix: 'sha256=',
    encoding: 'hex',
    key: ({ webhook_secret }) => webhook_secret,
    confirm: 'status',
  },
  vectors: { none: 'The description names the header and the algorithm, and shows no signed body.' },
  codec: 'json',
  body: z.union([
    z.object({
      deliveryId: z.string(),
      type: z.string(),
      invoiceId: z.string().min(1),
      metadata: z.object({ orderId: z.string().nullish() }).nullish(),
    }),
    z.object({ payoutId: z.string().min(1), payoutState: z.string() }),
    z.object({ invoiceId: z.undefined().optional(), payoutId: z.undefined().optional() }),
  ]),
  events: (body) => {
    const amount = moneyOfMinor(0n, 'BTC');
    if ('payoutState' in body)
      return payouts.events(`${body.payoutId}/${body.payoutState}`, undefined, {
        word: body.payoutState,
        providerReference: body.payoutId,
        amount,
      });
    if (!('deliveryId' in body)) return [];
    const { deliveryId, type, invoiceId: providerReference, metadata } = body;
    const word = type.replace(INVOICE, '');
    return statuses.events(deliveryId, metadata?.orderId ?? undefined, { word, providerReference, amount });
  },
  examples: [sampleSettled, samplePayoutUpdated].map((body) => ({ body, source: SOURCE })),
});

// The connector.

type Purchase = ContextOf<Settings, typeof bitcoinBtcpay, 'purchase'>;
type Credit = ContextOf<Settings, typeof bitcoinBtcpay, 'credit'>;

function* purchase({ payment }: Purchase): Steps<Outcome> {
  const { amount, order, merchantReference: orderId } = payment;
  const made = yield* call(createInvoice, {
    amount: decimal(amount),
    currency: amount.currency,
    metadata: { orderId, itemDesc: order.description },
  });
  if (made.reply === 'refused') return refusedBy(wordsOf(made.body));
  return yield* shownBy(made.body, payment);
}

function* shownBy(invoice: Invoice, asked: OwnPayment): Steps<Outcome> {
  const methods = yield* call(getAddress, invoice.id);
  return methods.reply === 'absent'
    ? notFound(wordsOf(methods.body))
    : shown(invoice, methods.body.find(isOnChain), asked);
}

function* credit({ payment }: Credit): Steps<Outcome> {
  const { amount, parameters, merchantReference: source } = payment;
  const made = yield* call(createPayout, {
    destination: parameters.address,
    amount: decimal(amount),
    metadata: { source },
  });
  return made.reply === 'refused' ? refusedBy(wordsOf(made.body)) : payoutOutcome(made.body, payment);
}

function* statusOfPayout(asked: OwnPayment): Steps<Outcome> {
  const { providerReference: id, merchantReference } = asked;
  if (id === undefined) {
    const all = yield* call(listPayouts, 'true');
    const found = all.find(({ metadata }) => metadata?.source === merchantReference);
    return found === undefined ? notFound() : payoutOutcome(found, asked);
  }
  const answer = yield* call(getPayout, id);
  return answer.reply === 'absent' ? notFound(wordsOf(answer.body)) : payoutOutcome(answer.body, asked);
}

/** The deposits at the address of an invoice. After a lost reply the address itself: the payer has not seen it. */
function* statusOfInvoice(asked: OwnPayment, now: string): Steps<StatusReport> {
  const { providerReference: id, merchantReference } = asked;
  if (id === undefined) {
    const found = (yield* call(findInvoices, merchantReference)).find(
      ({ metadata }) => metadata.orderId === merchantReference,
    );
    return found === undefined ? notFound() : yield* shownBy(found, asked);
  }
  const invoice = yield* call(getInvoice, id);
  if (invoice.reply === 'absent') return notFound(wordsOf(invoice.body));
  const methods = yield* call(getPayments, id);
  if (methods.reply === 'absent') return notFound(wordsOf(methods.body));
  const method = methods.body.find(isOnChain);
  const other = ofThisPayment(pending(invoice.body.id), asked, invoice.body.metadata.orderId);
  if (other.status === 'unknown') return other;
  // An invoice is Invalid after a double spend, or marked so by hand. Coins that are confirmed, or may be, count all the same.
  const isInvalid = invoice.body.status === 'Invalid' && !method?.payments.some(({ status }) => status !== 'Invalid');
  return isInvalid || method === undefined || method.payments.length === 0
    ? unpaid(invoice.body, asked, now)
    : { events: depositsOf(invoice.body, method.amount, method.payments) };
}

const nameOf = (id: string) => `Refund ${id}`;

const followUps = {
  *status({ payment, now }) {
    return payment.operation === 'credit' ? yield* statusOfPayout(payment) : yield* statusOfInvoice(payment, now);
  },

  /** Coins that are on their way count: an invoice that has some is left alone. */
  *withdraw({ payment, now }) {
    const { providerReference: id } = payment;
    const methods = yield* call(getAddress, id);
    if (methods.reply === 'absent') return notFound(wordsOf(methods.body));
    if (!methods.body.some((method) => isOnChain(method) && isUntouched(method))) return pending(id);
    const marked = yield* call(markInvalid, id);
    if (marked.reply === 'refused') return pending(id);
    // The server marks an invoice whose coins are on their way as well.
    const after = yield* call(getAddress, id, 'get-address-after');
    const isFree = after.reply === 'found' && after.body.some((method) => isOnChain(method) && isUntouched(method));
    return isFree ? unpaid(marked.body, payment, now) : pending(id);
  },

  refund: {
    partial: true,
    *flow({ payment: { providerReference: invoiceId }, id, amount }) {
      const made = yield* call(createRefund, {
        invoiceId,
        name: nameOf(id),
        customAmount: decimal(amount),
        customCurrency: amount.currency,
      });
      return made.reply === 'refused' ? refusedBy(wordsOf(made.body)) : refundOutcome(made.body, []);
    },
  },

  *modificationStatus({ modification: { id: ours, providerReference: id } }) {
    const kept = id === undefined ? undefined : yield* call(getPullPayment, id);
    const refund = kept?.reply === 'found' ? kept.body : yield* refundNamed(nameOf(ours));
    if (refund === undefined || isOfAnother({ providerReference: id }, { providerReference: refund.id }))
      return notFound();
    const claims = yield* call(listClaims, refund.id);
    return claims.reply === 'absent' ? notFound(wordsOf(claims.body)) : refundOutcome(refund, claims.body);
  },
} satisfies FollowUpFlows<Settings>;

/** Bitcoin by a BTCPay Server: checked against its official description, not yet against a live server. */
export const btcpayConnector = defineConnector({
  id: 'bitcoin-btcpay',
  contract: 1,
  version: manifest.version,
  title: 'Bitcoin, BTCPay Server',
  settings,
  endpoints: api.endpoints,
  statuses,
  effectStatuses: { refund: refunds, payout: payouts },
  notifications,
  serves: (serve) => [serve(bitcoinBtcpay, { purchase, credit, ...followUps })],
});
