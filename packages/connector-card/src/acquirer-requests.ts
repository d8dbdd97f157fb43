import type {
  FlowContext,
  PaymentAuthentication,
  PaymentCard,
  PaymentInput,
  PaymentWallet,
  WireValue,
} from '@railyard/core';
import { inSnakeCase, isoState } from '@railyard/core/formats';
import { normaliseCpf } from '@railyard/identifiers/cpf';
import { amountFields, type NewPayment, type settings } from './acquirer-endpoints.ts';
import type * as z from 'zod';

type PayerClient = NonNullable<PaymentInput['client']>;
type Fields = Readonly<Record<string, WireValue>>;
type Urls = FlowContext<z.output<typeof settings>>['urls'];

/** A payment of any of our operations, as far as requests look at it. */
type AnyPayment = Omit<PaymentInput, 'parameters' | 'variant' | 'needed'> & {
  readonly needed: Readonly<Record<string, string | undefined>>;
};

/** The part of a request that every payment has. */
export const newPayment = (
  { merchantReference: reference, order, amount }: Pick<AnyPayment, 'merchantReference' | 'order' | 'amount'>,
  urls: Urls,
  fields: Fields,
): NewPayment => ({
  reference,
  ...amountFields(amount),
  description: order.description,
  notification_url: urls.notify,
  ...fields,
});

/** A payment whose payer is here: with their details, browser and way back. */
export const payerPayment = (payment: AnyPayment, urls: Urls, fields: Fields): NewPayment =>
  newPayment(payment, urls, { ...fields, payer: payerFields(payment), return_url: urls.return });

/** The network goes with a co-branded card alone. */
export const cardFields = ({
  number,
  cvv,
  expiryMonth,
  expiryYear,
  holder,
  coBranded,
  brand: network,
}: PaymentCard): Fields => inSnakeCase({ number, cvv, expiryMonth, expiryYear, holder, ...(coBranded && { network }) });

/** A card's own number comes without the payer's proof: the acquirer authenticates the payer, and is liable (protocol: Digital wallet methods, rule 1). */
export const walletFields = (
  { kind, token, panType }: PaymentWallet,
  { cryptogram, eci }: Partial<PaymentAuthentication> = {},
): Fields => ({
  type: kind,
  token,
  pan_type: panType,
  cryptogram,
  eci,
  three_d_secure: panType === 'fpan' ? 'acquirer' : undefined,
});

/** The result of 3-D Secure at the merchant's own MPI, under the names by which the acquirer reports its own. */
export const authenticationFields = (done: PaymentAuthentication): Fields => ({
  cryptogram: done.cryptogram,
  server_transaction_id: done.threeDSServerTransID,
  ds_transaction_id: done.dsTransID,
  acs_transaction_id: done.acsTransID,
  xid: done.xid,
  status: done.transStatus,
  status_reason: done.transStatusReason,
  eci: done.eci,
  version: done.protocolVersion,
  flow: done.authenticationFlow,
});

/** Who pays, and from which browser. What the payer was asked on the page goes before what the session carried. */
function payerFields({ customer, billing_address: billing, needed, client }: AnyPayment): Fields {
  const billed = (name: 'phone' | 'address' | 'city' | 'state' | 'zip' | 'country') =>
    needed[`billing_address.${name}`] ?? billing?.[name];
  const { house_number, district } = billing ?? {};
  const state = isoState(billed('country'), billed('state'));
  const address = { house_number, district, city: billed('city'), state, zip: billed('zip') };
  return {
    name: needed['customer.name'] ?? customer?.name,
    email: needed['customer.email'] ?? customer?.email,
    birth_date: customer?.birth_date,
    phone: billed('phone'),
    address: { line: billed('address'), ...address, country: billed('country') },
    ip: client?.ip ?? customer?.ip,
    browser: client && browserFields(client),
  };
}

/** For 3-D Secure; nothing where the payer came by the merchant's server, which says nothing of their browser. */
function browserFields({ ip: _ip, platform: _platform, ...browser }: PayerClient): Fields | undefined {
  const isDescribed = Object.values(browser).some((value) => value !== undefined);
  return isDescribed ? inSnakeCase(browser) : undefined;
}

type Stored = Pick<AnyPayment, 'recurring_init' | 'req_token' | 'card_on_file' | 'payer_present' | 'card'>;

/** Whether a card is being saved for later, or was; the second only where the account supports Card-on-File. */
export function storedCredential({
  recurring_init,
  req_token,
  card_on_file,
  payer_present,
  card,
}: Stored): Fields | undefined {
  if (recurring_init) return { use: 'first', reason: 'recurring' };
  if (!card_on_file) return undefined;
  if (card?.stored === true) return { use: 'later', initiator: payer_present === false ? 'merchant' : 'payer' };
  return req_token ? { use: 'first', reason: 'unscheduled' } : undefined;
}

/** The method's parameters under their own names, without what is the account's. */
export function forwarded(parameters: Fields): Fields | undefined {
  const { sets: _sets, zero_amount: _zeroAmount, card_flow: _cardFlow, ...sent } = parameters;
  const { document_number: document } = sent;
  const written = { ...sent, ...(typeof document === 'string' && { document_number: normaliseCpf(document) }) };
  return Object.keys(written).length === 0 ? undefined : written;
}
