import type { PaymentFacts } from '@railyard/core';
import type { PayerBrowser } from '@railyard/core/driver';
import {
  BROWSER_FIELDS,
  mergeFacts,
  OPTIONAL_FIELDS,
  type OptionalField,
  type OptionalFields,
} from '@railyard/core/payment';
import { browserOf } from '../../payments/state/run-input.ts';
import type { CallbackContentDeps } from './deps.ts';
import type { CallbackData, StatusData } from '../../deployment/callback-data.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment, StoredCard } from '../../storage/index.ts';

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

/** How a stored card was used, or that it is being stored (decision 0071). */
export interface StoredCardUse {
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

const valuesOf = (facts: OptionalFacts): Readonly<Partial<Record<OptionalField, string | undefined>>> => ({
  ...mergeFacts({ ...facts.cardUse }, facts.facts),
  // Of the merchant's own MPI, as received.
  ...facts.session.command?.authentication,
  ...browserValues(facts),
  ...payerValues(facts),
  ...routeValues(facts),
});

function browserValues({ browser = {} }: OptionalFacts) {
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

/** The fifteen payer fields. A session has the payer's name in one piece, which cannot be taken apart (decision 0071). */
function payerValues({ session: { request, command }, payerIp }: OptionalFacts) {
  const { customer, billing_address: address } = request;
  return {
    ...command?.payer,
    payer_birth_date: customer?.birth_date,
    payer_address: address?.address,
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

function routeValues({ route, provider, merchantName }: OptionalFacts) {
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
