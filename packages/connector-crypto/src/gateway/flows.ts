import {
  call,
  decimal,
  type FlowContext,
  type LookedUpPayment,
  type Money,
  type Outcome,
  type PaymentInput,
  type SpecOf,
  type Steps,
  unknown,
} from '@railyard/core';
import { checkAddress } from '../address-check.ts';
import type { conversionToCoin, cryptoConversion, tradingDeposit, tradingWithdrawal } from '../methods.ts';
import * as endpoints from './endpoints.ts';
import { created, lookedUp, refusal } from './replies.ts';
import type { Settings } from './settings.ts';

type Context = FlowContext<Settings>;
type Of<P> = Context & { readonly payment: P };
type Deposit = PaymentInput<SpecOf<typeof tradingDeposit, 'purchase'>>;
type Conversion = PaymentInput<SpecOf<typeof cryptoConversion, 'purchase'>>;
type ToCoin = PaymentInput<SpecOf<typeof conversionToCoin, 'purchase'>>;
type Withdrawal = PaymentInput<SpecOf<typeof tradingWithdrawal, 'credit'>>;

/** Coins for a trading account. */
export function deposit({ payment, ...context }: Of<Deposit>) {
  const { paymentGatewayName: gateway, paymentCurrency: coin, tradingAccountLogin } = payment.parameters;
  return pay({ ...context, payment }, { kind: 'deposit', coin, gateway, account_login: tradingAccountLogin }, coin);
}

/** The payer pays in the coin. */
export function payInCoin({ payment, ...context }: Of<Conversion>) {
  const { cryptoCurrency: coin } = payment.parameters;
  return pay({ ...context, payment }, { kind: 'pay-in-coin', coin }, coin);
}

/** The payer's money becomes the coin; the provider says in which currency it is paid. */
export function convertToCoin({ payment, ...context }: Of<ToCoin>) {
  return pay({ ...context, payment }, { kind: 'convert-to-coin', coin: payment.parameters.toCurrency }, undefined);
}

type PaymentKind = Pick<endpoints.PaymentInput, 'kind' | 'coin' | 'gateway' | 'account_login'>;

/** @param paidIn the coin whose address the payer may be shown; any unless given */
function* pay(
  { payment, urls }: Of<Deposit | Conversion | ToCoin>,
  asked: PaymentKind,
  paidIn: string | undefined,
): Steps<Outcome> {
  const { merchantReference: reference, amount, order, test } = payment;
  const answer = yield* call(endpoints.createPayment, {
    reference,
    amount: amountText(amount),
    currency: order.currency,
    description: order.description,
    ...asked,
    notify_url: urls.notify,
    return_url: urls.return,
  });
  if (answer.reply === 'refused') return refusal(answer.body);
  return created(answer.body.transaction, reference, paidIn, test);
}

const amountText = (amount: Money | 'payer') => (amount === 'payer' ? undefined : decimal(amount));

/** Pays out to a wallet, whose address the request was checked for. */
export function* withdraw({ payment, urls }: Of<Withdrawal>): Steps<Outcome> {
  const { withdrawCurrency: coin, address, tradingAccountLogin } = payment.parameters;
  const read = checkAddress(address, coin);
  const answer = yield* call(endpoints.createWithdrawal, {
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
  if (answer.reply === 'refused') return refusal(answer.body);
  return created(answer.body.transaction, payment.merchantReference, undefined, payment.test);
}

/** The state of a payment or a withdrawal, looked up by our reference. */
export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { merchantReference: reference, providerReference: id, test } = payment;
  const answer = yield* call(endpoints.getTransaction, reference);
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'absent') return unknown('The provider does not know this payment.');
  return lookedUp(answer.body.transaction, { reference, id, test });
}
