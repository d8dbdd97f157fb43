import {
  address as addressShown,
  amountOf,
  call,
  type ContextOf,
  decimal,
  declined,
  defineConnector,
  type LookedUpPayment,
  type Money,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  redirect,
  refusedBy,
  type Show,
  type Steps,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { checkAddress } from './address-check.ts';
import { sampleCompleted, sampleTransaction } from './gateway.samples.ts';
import { conversionToCoin, cryptoConversion, tradingDeposit, tradingWithdrawal } from './methods.ts';
import { isNetwork, networks } from './networks.ts';
import {
  SOURCE,
  settings,
  statuses,
  TAKEN_BEFORE,
  type Transaction,
  body,
  getTransaction,
  type PaymentRequest,
  createPayment,
  createWithdrawal,
  endpoints,
} from './gateway-endpoints.ts';

// Meaning of replies.

const factsOf = ({ id, status, reason, ...amount }: Transaction) => ({
  word: status,
  providerReference: id,
  amount: amountOf(amount),
  message: reason,
});

/** The outcome of a transaction. Without `show` the payer is shown nothing. */
const outcomeOf = (transaction: Transaction, show?: Show): Outcome => statuses.read({ ...factsOf(transaction), show });

/**
 * The outcome of the reply that made a payment, with what the payer is shown: a page, or an address that was checked. A wrong address
 * was never shown, so no payer can have paid to it, and another attempt may be made.
 *
 * @param test whether the address may be one of a test network
 */
function created(made: Transaction, merchantReference: string, asset: string | undefined, test: boolean): Outcome {
  const read = showOf(made, asset, test);
  const usable = outcomeOf(made, typeof read === 'object' ? read : undefined);
  const outcome =
    typeof read === 'string' && usable.status === 'pending'
      ? declined('soft', 'provider_error', {
          reason: 'The provider gave an address that cannot be used.',
          providerReference: made.id,
          provider: { ...usable.provider, message: `Address refused: ${read}` },
        })
      : usable;
  return ofThisPayment(outcome, { merchantReference }, made.reference);
}

/** The display for the payer, or the reason why there is none. */
function showOf({ pay_url: url, pay_to: to, expires_at }: Transaction, asset: string | undefined, test: boolean) {
  const timed = expires_at !== undefined && { validUntil: new Date(expires_at).toISOString() };
  if (url !== undefined) return redirect({ url, ...timed });
  if (to === undefined) return undefined;
  if (asset !== undefined && to.asset !== asset) return `it is for ${to.asset}`;
  if (!isNetwork(to.network)) return `nothing is known of the network ${to.network}`;
  const read = checkAddress(to.address, to.asset, to.network);
  if (read === 'unknown-asset') return `nothing is known of ${to.asset}`;
  if (!read.ok) return read.why;
  if (read.test && !test) return 'it is one of a test network';
  const { label } = networks[to.network];
  return addressShown({
    address: read.address,
    asset: to.asset,
    network: label,
    ...(to.amount !== undefined && { amount: to.amount }),
    ...timed,
  });
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha512',
    header: 'x-gateway-signature',
    encoding: 'hex',
    key: ({ webhook_secret }) => webhook_secret,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: body.extend({ event: z.string().min(1) }),
  events: ({ event, transaction }) => statuses.events(event, transaction.reference, factsOf(transaction)),
  examples: [
    { body: { event: 'ev_7d0f3a52', transaction: sampleCompleted }, source: SOURCE },
    { body: { event: 'ev_7d0f3a53', transaction: { ...sampleTransaction, status: 'EXPIRED' } }, source: SOURCE },
  ],
});

// The connector.

type Purchase = ContextOf<
  z.output<typeof settings>,
  typeof tradingDeposit | typeof cryptoConversion | typeof conversionToCoin,
  'purchase'
>;

const amountText = (amount: Money | 'payer') => (amount === 'payer' ? undefined : decimal(amount));

/** @param paidIn the coin whose address the payer may be shown; any unless given */
function* pay(
  { payment, urls }: Purchase,
  asked: Pick<PaymentRequest, 'kind' | 'coin' | 'gateway' | 'account_login'>,
  paidIn?: string,
): Steps<Outcome> {
  const { merchantReference: reference, amount, order, test } = payment;
  const answer = yield* call(createPayment, {
    reference,
    amount: amountText(amount),
    currency: order.currency,
    description: order.description,
    ...asked,
    notify_url: urls.notify,
    return_url: urls.return,
  });
  if (answer.reply === 'refused') return refusedBy(answer.body, TAKEN_BEFORE);
  return created(answer.body.transaction, reference, paidIn, test);
}

/** The state of a payment or a withdrawal. After a lost reply it shows something: the payer has not seen it. */
function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { merchantReference: reference, providerReference: id, test } = payment;
  const answer = yield* call(getTransaction, reference);
  if (answer.reply === 'absent') return notFound(answer.body);
  const found = answer.body.transaction;
  const outcome = id === undefined ? created(found, reference, undefined, test) : outcomeOf(found);
  return ofThisPayment(outcome, payment, found.reference);
}

/** Trading accounts and conversions at one gateway. */
export const gatewayConnector = defineConnector({
  id: 'crypto-gateway',
  contract: 1,
  version: manifest.version,
  title: 'Crypto, gateway provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(tradingDeposit, {
      purchase(context) {
        const { paymentGatewayName: gateway, paymentCurrency: coin, tradingAccountLogin } = context.payment.parameters;
        return pay(context, { kind: 'deposit', coin, gateway, account_login: tradingAccountLogin }, coin);
      },
      status,
    }),
    serve(tradingWithdrawal, {
      /** Pays out to a wallet, whose address the request was checked for. */
      *credit({ payment, urls }) {
        const { withdrawCurrency: coin, address, tradingAccountLogin } = payment.parameters;
        const read = checkAddress(address, coin);
        const answer = yield* call(createWithdrawal, {
          reference: payment.merchantReference,
          amount: decimal(payment.amount),
          currency: payment.order.currency,
          description: payment.order.description,
          coin,
          address,
          network: read !== 'unknown-asset' && read.ok ? read.network : undefined,
          account_login: tradingAccountLogin,
          beneficiary: payment.payee?.name ?? '',
          notify_url: urls.notify,
        });
        if (answer.reply === 'refused') return refusedBy(answer.body, TAKEN_BEFORE);
        return created(answer.body.transaction, payment.merchantReference, undefined, payment.test);
      },
      status,
    }),
    serve(cryptoConversion, {
      purchase(context) {
        const { cryptoCurrency: coin } = context.payment.parameters;
        return pay(context, { kind: 'pay-in-coin', coin }, coin);
      },
      status,
    }),
    /** The payer's money becomes the coin; the provider says in which currency it is paid. */
    serve(conversionToCoin, {
      purchase: (context) => pay(context, { kind: 'convert-to-coin', coin: context.payment.parameters.toCurrency }),
      status,
    }),
  ],
});
