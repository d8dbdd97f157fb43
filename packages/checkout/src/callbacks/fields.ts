import type { Sealer } from '../secrets/index.ts';
import type { Payment, StoredCard, Stores } from '../storage/index.ts';
import { moneyOfMinor, parseMoney, type PaymentFacts } from '@railyard/core';
import type { PayerBrowser } from '@railyard/core/driver';
import {
  BROWSER_FIELDS,
  EXCHANGE_FIELDS,
  MODIFICATIONS,
  OPTIONAL_FIELDS,
  mergeFacts,
  type CallbackWords,
  type FactName,
  type ModificationName,
  type OptionalField,
  type OptionalFields,
  type PAYER_FIELDS,
  type ROUTE_FIELDS,
  type STORED_CARD_FIELDS,
} from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import type { Commission, VatFields } from './field-schemas.ts';
import { callbackHash, vatOf, type OpenSession } from '../sessions/session.ts';
import { browserOf, type MandateTokens } from '../payments/payment.ts';
import { maskedCard, openCardToken } from '../cards/index.ts';
import type { CallbackData, StatusData } from '../deployment/catalogue.ts';

/** Everything that the optional fields are taken from. */
export interface OptionalFacts {
  readonly session: Pick<OpenSession, 'request' | 'command'>;
  readonly merchantName: string;
  readonly route: CallbackRoute;
  readonly payerIp: string | undefined;
  /** The provider's own words, as far as it has said any. */
  readonly provider?: ProviderWords | undefined;
  readonly browser?: PayerBrowser | undefined;
  readonly cardUse?: StoredCardUse | undefined;
  /** Those that the provider has reported. */
  readonly facts?: PaymentFacts | undefined;
}

/** How a stored card was used, or that it is being stored (docs/decisions/callbacks.md). */
export interface StoredCardUse extends Readonly<Record<(typeof STORED_CARD_FIELDS)[number], string>> {
  readonly initiator: 'payer' | 'merchant';
  readonly source: 'entered' | 'wallet' | 'stored';
  readonly sequence: 'first' | 'subsequent';
}

/** The way the payment takes. */
export interface CallbackRoute {
  readonly method: string;
  /** The key that the merchant used. */
  readonly methodAlias: string;
  readonly connectorId: string;
  readonly midId: string;
  /** The network of the card, where there is one. */
  readonly cardBrand: string | null;
  /** The digital wallet, and what kind of number its opened token had (reference: Callback, Fields). */
  readonly digitalWallet: string | null;
  readonly panType: 'dpan' | 'fpan' | null;
}

export interface ProviderWords {
  readonly reference?: string;
  readonly status?: string;
  readonly code?: string;
}

/** The fields that the merchant has switched on and that are known. */
export interface SwitchedOn extends OptionalFields {
  readonly extended_data?: Readonly<Record<string, string>>;
}

/** They stand in the order of `OPTIONAL_FIELDS`. */
export function switchedOn(switches: readonly (CallbackData | StatusData)[], facts: OptionalFacts): SwitchedOn {
  if (switches.length === 0) return {};
  const values = valuesOf(facts);
  const fields = OPTIONAL_FIELDS.flatMap((name) => {
    const value = switches.includes(name) ? values[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const extended = switches.includes('extended_data') ? extendedData(facts.provider) : undefined;
  return { ...Object.fromEntries(fields), ...(extended && { extended_data: extended }) };
}

/** The optional fields of a payment's status, as the merchant has switched them on for it. */
export function statusFields(
  payment: Payment,
  session: Pick<OpenSession, 'request' | 'command' | 'merchant'>,
  { browser, card }: { readonly browser: PayerBrowser | undefined; readonly card: StoredCard | undefined },
): SwitchedOn {
  const { statusData, name } = session.merchant.config;
  return switchedOn(statusData, {
    session,
    merchantName: name,
    route: payment,
    payerIp: payment.payerIp ?? undefined,
    provider: wordsOf(payment),
    browser,
    cardUse: cardUseOf(payment, session, card),
    facts: payment.facts,
  });
}

/** The payer's browser, where a field of it is switched on. */
export async function browserFor(
  context: CallbackContentDeps,
  payment: Payment,
  switches: readonly (CallbackData | StatusData)[],
): Promise<PayerBrowser | undefined> {
  return BROWSER_FIELDS.some((name) => switches.includes(name)) ? browserOf(context, payment) : undefined;
}

/** The use of a card that a payment shows by itself; a payment that neither stores a card nor uses a stored one has none. */
export function cardUseOf(
  { mandateId, digitalWallet }: Pick<Payment, 'mandateId' | 'digitalWallet'>,
  { request: { recurring_init, req_token }, command }: Pick<OpenSession, 'request' | 'command'>,
  card: Pick<StoredCard, 'fromToken'> | undefined,
): StoredCardUse | undefined {
  if (mandateId !== null) return { initiator: 'merchant', source: 'stored', sequence: 'subsequent' };
  if (card?.fromToken === true) {
    const initiator = command?.payerPresent === false ? 'merchant' : 'payer';
    return { initiator, source: 'stored', sequence: 'subsequent' };
  }
  if (card === undefined && digitalWallet === null) return undefined;
  if (!recurring_init && !req_token) return undefined;
  return { initiator: 'payer', source: digitalWallet === null ? 'entered' : 'wallet', sequence: 'first' };
}

const wordsOf = ({ providerReference, providerStatus, providerCode }: Payment): ProviderWords => ({
  ...(providerReference !== null && { reference: providerReference }),
  ...(providerStatus !== null && { status: providerStatus }),
  ...(providerCode !== null && { code: providerCode }),
});

type Values<F extends OptionalField> = Readonly<Record<F, string | undefined>>;

/** Every field has its line in one of these functions, but for facts: the provider's own are taken by their names. */
const valuesOf = (facts: OptionalFacts): Values<Exclude<OptionalField, FactName>> & PaymentFacts => ({
  ...mergeFacts({ ...facts.cardUse }, facts.facts),
  // Of the merchant's own MPI, as received.
  ...facts.session.command?.authentication,
  ...browserValues(facts),
  ...payerValues(facts),
  ...routeValues(facts),
});

function browserValues({ browser = {} }: OptionalFacts): Values<(typeof BROWSER_FIELDS)[number]> {
  return {
    browser_color_depth: browser.colorDepth?.toString(),
    browser_screen_height: browser.screenHeight?.toString(),
    browser_screen_width: browser.screenWidth?.toString(),
    browser_java_enabled: browser.javaEnabled?.toString(),
    browser_javascript_enabled: browser.javaScriptEnabled?.toString(),
    browser_language: browser.language,
    browser_timezone_offset: browser.timeZoneOffset?.toString(),
    browser_user_agent: browser.userAgent,
    browser_accept_headers: browser.accept,
    browser_platform: browser.platform,
  };
}

/** A session has the payer's name in one piece, which cannot be taken apart (docs/decisions/callbacks.md). */
function payerValues({ session: { request, command }, payerIp }: OptionalFacts): Values<(typeof PAYER_FIELDS)[number]> {
  const { customer, billing_address: address } = request;
  return {
    payer_first_name: command?.payer?.payer_first_name,
    payer_last_name: command?.payer?.payer_last_name,
    payer_birth_date: customer?.birth_date,
    payer_address: address?.address,
    payer_address2: command?.payer?.payer_address2,
    payer_house_number: address?.house_number,
    payer_phone_country_code: address?.phone_country_code,
    payer_country: address?.country,
    payer_state: address?.state,
    payer_city: address?.city,
    payer_district: address?.district,
    payer_zip: address?.zip,
    payer_email: customer?.email,
    payer_phone: address?.phone,
    payer_ip: payerIp,
  };
}

function routeValues({ route, provider, merchantName }: OptionalFacts): Values<(typeof ROUTE_FIELDS)[number]> {
  return {
    brand: route.cardBrand ?? route.method,
    checkout_payment_method: route.methodAlias,
    connector_name: route.connectorId,
    gateway_id: provider?.reference,
    merchant_name: merchantName,
    mid_name: route.midId,
  };
}

function extendedData({ status, code }: ProviderWords = {}): Record<string, string> | undefined {
  if (status === undefined && code === undefined) return undefined;
  return {
    ...(status !== undefined && { provider_status: status }),
    ...(code !== undefined && { provider_code: code }),
  };
}

/** Everything that a callback reports, its three words included. */
export interface CallbackFacts {
  readonly paymentId: string;
  readonly session: OpenSession;
  readonly words: CallbackWords;
  /** Why it failed, in words. */
  readonly reason: string | undefined;
  /** The amount received, where the payer chose it. */
  readonly receivedText: string | undefined;
  /** The amount that the provider approved, where it is less than the payment's. */
  readonly approvedText?: string | undefined;
  readonly payerIp: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly route: CallbackRoute;
  /** The provider's own words, as far as it has said any. */
  readonly provider?: ProviderWords;
  /** Where the payer sends a crypto payment to, as the payer is shown it. */
  readonly crypto?: { readonly address: string; readonly network?: string };
  /** The payer's, where a field of it is switched on. */
  readonly browser?: PayerBrowser | undefined;
  readonly cardUse?: StoredCardUse | undefined;
  /** Those that the provider has reported of the transaction that the callback is about. */
  readonly facts?: PaymentFacts;
  readonly card?: CallbackCard | undefined;
  /** How to charge again. */
  readonly mandate?: MandateTokens | undefined;
  /** The day of the first charge of the schedule that follows this payment. */
  readonly firstRecurringDate?: string | undefined;
  /** `true`: a charge was declined in such a way that its schedule charges this payer no more. */
  readonly isSchedulePaused?: boolean;
  /** The modification on the payment that the callback is about, if any. */
  readonly modification?: { readonly kind: ModificationName; readonly amount: string };
}

/** The card that was used, as the callback reports it. */
export interface CallbackCard {
  /** `411111******1111` */
  readonly card: string;
  /** `MM/YYYY`; absent of a payout that named the number alone. */
  readonly card_expiration_date?: string;
  /** The saved card's, where this callback reports it. */
  readonly card_token: string | undefined;
  /** The card that was paid to, masked. */
  readonly payee_card: string | undefined;
}

/** A field of a callback; an object only for `custom_data` and `extended_data`. */
export type CallbackField = readonly [name: string, value: unknown];

const MAX_REASON = 1024;

/** Every field of a callback, in order (reference: Callback, Fields). Fields without a value are left out. */
export function callbackFields(facts: CallbackFacts): CallbackField[] {
  const { session, words, paymentId } = facts;
  const { order, customer, billing_address, crypto, custom_data } = session.request;
  const fields: CallbackField[] = [
    ['id', paymentId],
    ['order_number', order.number],
    ['order_amount', order.amount ?? facts.receivedText ?? ''],
    ['order_currency', order.currency],
    ['order_description', order.description],
    ...modificationAmount(facts),
    ['approved_amount', facts.approvedText],
    ...Object.entries(vatFields(session, facts.receivedText)),
    ['order_status', words.order_status],
    ['type', words.type],
    ['status', words.status],
    ['customer_ip', facts.payerIp ?? ''],
    ['date', callbackDate(facts.at)],
    ['reason', words.status === 'fail' ? shortened(facts.reason) : undefined],
    ['card', facts.card?.card],
    ['card_expiration_date', facts.card?.card_expiration_date],
    ['card_token', facts.card?.card_token],
    ['payee_card', facts.card?.payee_card],
    ['digital_wallet', facts.route.digitalWallet ?? undefined],
    ['pan_type', facts.route.panType ?? undefined],
    ['recurring_init_trans_id', facts.mandate?.recurring_init_trans_id],
    ['recurring_token', facts.mandate?.recurring_token],
    ...scheduleFields(facts),
    ['customer_name', customer?.name],
    ['customer_email', customer?.email],
    ['customer_country', billing_address?.country],
    ['customer_state', billing_address?.state],
    ['customer_city', billing_address?.city],
    ['customer_address', billing_address?.address],
    ...payeeFields(session.request),
    ['crypto_network', crypto?.network ?? facts.crypto?.network],
    ['crypto_address', facts.crypto?.address],
    ...exchangeFields(facts),
    ...switchedFields(facts),
    // Not in the protocol; live callbacks do not have it.
    ['test', session.stored.test ? true : undefined],
    ['custom_data', custom_data],
    ['hash', callbackHash(session, paymentId)],
  ];
  return fields.filter(([, value]) => value !== undefined);
}

/** The schedule of a payer's later charges (protocol: Response echo). `schedule_paused` is not in the protocol. */
export function scheduleFields({ session: { request }, ...facts }: CallbackFacts): CallbackField[] {
  if (facts.mandate === undefined) return [];
  return [
    ['schedule_id', request.schedule_id],
    ['schedule_start_date', request.schedule_start_date],
    ['payment_schedule_amount', request.payment_schedule_amount],
    ['first_recurring_date', facts.firstRecurringDate],
    ['schedule_paused', facts.isSchedulePaused === true ? true : undefined],
  ];
}

/** @param received the amount where the payer chose it */
export function vatFields(session: Pick<OpenSession, 'request' | 'vatRate'>, received?: string): VatFields {
  const vat = vatOf(session, received);
  return vat === undefined ? {} : { vat_amount: vat.amount.text, vat_rate: vat.rate };
}

/** Fields of ours: a refund or a capture may be a part of the order's amount, which the protocol's fields do not say. */
function modificationAmount({ modification }: CallbackFacts): CallbackField[] {
  const name = modification && MODIFICATIONS[modification.kind].amountField;
  return name === undefined ? [] : [[name, modification?.amount]];
}

/** A transfer's callback names the payee. */
function payeeFields({ operation, payee, payee_billing_address }: SessionRequest): CallbackField[] {
  if (operation !== 'transfer') return [];
  return [
    ['payee_name', payee?.name],
    ['payee_email', payee?.email],
    ['payee_country', payee_billing_address?.country],
    ['payee_state', payee_billing_address?.state],
    ['payee_city', payee_billing_address?.city],
    ['payee_address', payee_billing_address?.address],
  ];
}

/** A currency exchange that the provider applied. */
export const exchangeFields = ({ facts = {} }: Pick<CallbackFacts, 'facts'>): CallbackField[] =>
  EXCHANGE_FIELDS.map((name) => [name, facts[name]]);

/** The optional fields that the merchant has switched on. */
export function switchedFields(facts: CallbackFacts): CallbackField[] {
  const { session } = facts;
  const { callbackData, name } = session.merchant.config;
  const fields = { ...emptyReferences(facts.words), ...switchedOn(callbackData, { ...facts, merchantName: name }) };
  return Object.entries(fields).filter(([each]) => callbackData.some((on) => on === each));
}

/** Sent empty where they are not known, with the transactions for which the protocol names them (Callback and status fields). */
const emptyReferences = ({ type }: CallbackWords) =>
  type === 'sale' || type === 'recurring' || type === 'refund' ? { arn: '', rrn: '' } : {};

export const SENT_EMPTY: ReadonlySet<string> = new Set(['arn', 'rrn']);

/** Cut between characters, so that no half of one is sent. */
function shortened(text: string | undefined): string | undefined {
  return text === undefined ? undefined : [...text].slice(0, MAX_REASON).join('');
}

/** `YYYY-MM-DD hh:mm:ss` in UTC. */
export function callbackDate(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** The card of a payment and its token, for callbacks to the merchant. */
export interface OpenedCard {
  readonly kept: StoredCard;
  readonly token: string | undefined;
  readonly payee: StoredCard | undefined;
}

/** @param held a card that the caller has just read */
export async function cardOfCallback(
  { stores, sealer }: CallbackContentDeps,
  { cardId, cardTokenHash, payeeCardId }: Payment,
  held?: StoredCard,
): Promise<OpenedCard | undefined> {
  const kept = cardId === null ? undefined : cardId === held?.id ? held : await stores.cards.find(cardId);
  if (kept === undefined) return undefined;
  const token = cardTokenHash === null ? undefined : await stores.cards.token(cardTokenHash);
  const payee = payeeCardId === null ? undefined : await stores.cards.find(payeeCardId);
  return { kept, token: token && openCardToken(sealer, token), payee };
}

/**
 * The card as one callback reports it. A debit's token is always reported. The token that a purchase asked for is reported once it has
 * succeeded (protocol: Callback and status fields).
 */
export function cardForCallback(
  { kept, token, payee }: OpenedCard,
  { request }: OpenSession,
  { status }: CallbackWords,
): CallbackCard {
  const { operation, req_token, card_token } = request;
  const asked = operation === 'purchase' && req_token && card_token === undefined && status === 'success';
  return {
    ...maskedCard(kept),
    card_token: operation === 'debit' || asked ? token : undefined,
    payee_card: payee && maskedCard(payee).card,
  };
}

/** The commands whose payer pays the merchant's amount and a commission. */
export const isDebitToVirtual = (action: string | undefined): boolean => action?.startsWith('DEBIT2VIRTUAL') === true;

/** The commission of such a command, and the total that the payer pays: the payment's own amount. */
export function commissionFields(
  action: string | undefined,
  { order }: Pick<SessionRequest, 'order'>,
  { amountText, currency }: Pick<Payment, 'amountText' | 'currency'>,
): Commission {
  if (!isDebitToVirtual(action)) return {};
  const [asked, total] = [parseMoney(order.amount ?? '', currency), parseMoney(amountText ?? '', currency)];
  if (!asked.ok || !total.ok) return {};
  const { text } = moneyOfMinor(total.money.minor - asked.money.minor, currency);
  return { commission: text, total_amount: total.money.text };
}

/** The dependencies of writing a callback. */
export interface CallbackContentDeps {
  readonly stores: Stores;
  readonly sealer: Sealer;
}
