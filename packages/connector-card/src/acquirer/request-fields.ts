import type { FlowContext, PaymentCard, PaymentInput, WireValue } from '@railyard/core';
import { normaliseCpf } from '@railyard/identifiers/cpf';
import type { NewPayment } from './create-endpoints.ts';
import type { Settings } from './settings.ts';

type PayerClient = NonNullable<PaymentInput['client']>;
type Fields = Readonly<Record<string, WireValue>>;

/** A payment of any of our operations, as far as requests look at it. */
type Payment = Omit<PaymentInput, 'amount' | 'parameters' | 'variant' | 'needed'> & {
  readonly needed: Readonly<Partial<Record<Needed, string | undefined>>>;
};

type Needed = 'customer.name' | 'customer.email' | `billing_address.${keyof Address}`;

interface Address {
  readonly address: string;
  readonly country: string;
  readonly city: string;
  readonly zip: string;
  readonly state: string;
  readonly phone: string;
}

/** The part of a request that every payment has. */
export function newPayment(
  { merchantReference: reference, order }: Pick<Payment, 'merchantReference' | 'order'>,
  amount: NewPayment['amount'],
  urls: FlowContext<Settings>['urls'],
  fields: Fields,
): NewPayment {
  return { reference, amount, description: order.description, notifyUrl: urls.notify, fields };
}

export function cardFields({ number, cvv, expiryMonth, expiryYear, holder }: PaymentCard): Fields {
  return { number, cvv, expiry_month: expiryMonth, expiry_year: expiryYear, holder };
}

/** Who pays, and from which browser. What the payer was asked on the page goes before what the session carried. */
export function payerFields({ customer, billing_address: billing, needed, client }: Payment): Fields {
  return {
    name: needed['customer.name'] ?? customer?.name,
    email: needed['customer.email'] ?? customer?.email,
    birth_date: customer?.birth_date,
    phone: needed['billing_address.phone'] ?? billing?.phone,
    address: {
      line: needed['billing_address.address'] ?? billing?.address,
      house_number: billing?.house_number,
      district: billing?.district,
      city: needed['billing_address.city'] ?? billing?.city,
      state: needed['billing_address.state'] ?? billing?.state,
      zip: needed['billing_address.zip'] ?? billing?.zip,
      country: needed['billing_address.country'] ?? billing?.country,
    },
    ip: client?.ip ?? customer?.ip,
    browser: client && browserFields(client),
  };
}

/** For 3-D Secure. */
const browserFields = (client: PayerClient): Fields => ({
  user_agent: client.userAgent,
  accept: client.accept,
  language: client.language,
  java_script_enabled: client.javaScriptEnabled,
  java_enabled: client.javaEnabled,
  color_depth: client.colorDepth,
  screen_height: client.screenHeight,
  screen_width: client.screenWidth,
  time_zone_offset: client.timeZoneOffset,
});

/** Whether a card is being saved for later, or was; the second only where the account supports Card-on-File. */
export function storedCredential({
  recurring_init,
  req_token,
  card_on_file,
  card,
}: Pick<Payment, 'recurring_init' | 'req_token' | 'card_on_file' | 'card'>): Fields | undefined {
  if (recurring_init) return { use: 'first', reason: 'recurring' };
  if (!card_on_file) return undefined;
  if (card?.stored === true) return { use: 'later', initiator: 'payer' };
  return req_token ? { use: 'first', reason: 'unscheduled' } : undefined;
}

/** The method's parameters under their own names, without what is the account's. */
export function forwarded({
  sets: _sets,
  zero_amount: _zeroAmount,
  card_flow: _cardFlow,
  ...parameters
}: Fields): Fields | undefined {
  const { document_number: document } = parameters;
  const sent = {
    ...parameters,
    ...(typeof document === 'string' && { document_number: normaliseCpf(document) }),
  };
  return Object.keys(sent).length === 0 ? undefined : sent;
}
