import { currency, type Money } from '@railyard/core';
import { countriesWithStates } from '@railyard/core/payer';
import {
  type Fields,
  flagOf,
  isCountry,
  isCurrency,
  isDay,
  isEmail,
  isKeepable,
  isLatinName,
  isName,
  isModest,
  isObject,
  isLines,
  isText,
  isUrl,
  listOf,
  minutesOf,
} from './checks.ts';

export interface HandOrder {
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
}

/** A purchase session, read by hand. */
export interface HandSession {
  /** Every field of the protocol under its wire name. */
  readonly fields: Fields;
  readonly merchantKey: string;
  readonly hash: string;
  readonly order: HandOrder;
  readonly amount: Money;
  readonly methods: readonly string[] | undefined;
  readonly parameters: Readonly<Record<string, Fields>>;
}

/** Reads the body of a purchase; `undefined` where anything is wrong with it. */
export function handSession(body: unknown, today: string): HandSession | undefined {
  if (!isObject(body) || !isModest(body) || body.operation !== 'purchase') return undefined;
  const order = orderOf(body.order);
  if (order === undefined || !isText(body.merchant_key, 1, 255)) return undefined;
  if (typeof body.hash !== 'string' || body.hash === '') return undefined;
  const fields: Record<string, unknown> = {
    merchant_key: body.merchant_key,
    operation: 'purchase',
    hash: body.hash,
    order,
  };
  for (const [name, isFine] of plainFields) {
    const value = body[name];
    if (value === undefined ? required.has(name) : !isFine(value)) return undefined;
    if (value !== undefined) fields[name] = value;
  }
  for (const name of flags) {
    const flag = flagOf(name === 'vat_calc' ? askedOf(body[name]) : body[name]);
    if (flag === undefined) return undefined;
    fields[name] = flag;
  }
  fields.session_expiry = minutesOf(body.session_expiry);
  if (fields.session_expiry === undefined) return undefined;
  const amount = amountOf(order, fields.recurring_init === true);
  if (amount === undefined) return undefined;
  fields.amount = amount;
  if (!putSchedule(body, fields, amount, today)) return undefined;
  const methods = methodsOf(body.methods);
  if (methods === 'wrong') return undefined;
  if (methods !== undefined) fields.methods = methods;
  if (!putTokens(body, fields) || !putBlocks(body, fields, today)) return undefined;
  if (fields.vat_calc === true && countryOf(body.billing_address) === undefined) return undefined;
  const form = askedOf(body.form_id);
  if (form !== undefined && !isText(form, 36, 36, uuidGrammar)) return undefined;
  if (form !== undefined) fields.form_id = form;
  const parameters = parametersOf(body.parameters);
  if (parameters === undefined || !isFree(body.custom_data)) return undefined;
  if (body.parameters !== undefined) fields.parameters = parameters;
  if (body.custom_data !== undefined) fields.custom_data = body.custom_data;
  return { fields, merchantKey: body.merchant_key, hash: body.hash, order, amount, methods, parameters };
}

const targets = new Set<unknown>(['_self', '_parent', '_top']);
const required = new Set(['success_url']);
const flags = ['req_token', 'auth', 'recurring_init', 'vat_calc', 'recurring_consent_required'];
const uuidGrammar = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const plainFields: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['success_url', isUrl],
  ['cancel_url', isUrl],
  ['expiry_url', isUrl],
  ['error_url', isUrl],
  ['url_target', (value) => targets.has(value)],
  ['channel_id', (value) => isText(value, 1, 16)],
];

function orderOf(order: unknown): HandOrder | undefined {
  if (!isObject(order) || typeof order.amount !== 'string' || !isCurrency(order.currency)) return undefined;
  if (!isText(order.number, 3, 255) || !isLines(order.description, 2, 1024)) return undefined;
  const { number, amount, currency: code, description } = order;
  return { number, amount, currency: code, description };
}

const amountGrammar = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

export function moneyOf(text: string, code: string): Money | undefined {
  const exponent = currency(code)?.exponent;
  const match = text.length > 255 ? null : amountGrammar.exec(text);
  if (match === null || exponent === undefined) return undefined;
  const [, whole = '', decimals = ''] = match;
  if (decimals.length > (exponent === 0 ? 2 : exponent)) return undefined;
  if (exponent === 0 && /[1-9]/.test(decimals)) return undefined;
  return { text, minor: BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0')), currency: code, exponent };
}

function amountOf(order: HandOrder, recurring: boolean): Money | undefined {
  const amount = moneyOf(order.amount, order.currency);
  return amount?.minor === 0n && !recurring ? undefined : amount;
}

/** A schedule is of a payment that begins a chain, with an amount of its own where that payment has none. */
function putSchedule(body: Fields, fields: Record<string, unknown>, { minor, currency: code }: Money, today: string) {
  const [id, start] = [askedOf(body.schedule_id), askedOf(body.schedule_start_date)];
  const amount = askedOf(body.payment_schedule_amount);
  if (id === undefined)
    return start === undefined && amount === undefined && fields.recurring_consent_required !== true;
  const last = `${Number(today.slice(0, 4)) + 20}${today.slice(4)}`;
  if (!isText(id, 1, 255) || fields.recurring_init !== true) return false;
  if (start !== undefined && !(isDay(start) && String(start) >= today && String(start) <= last)) return false;
  if (amount === undefined ? minor === 0n : typeof amount !== 'string' || !moneyOf(amount, code)?.minor) return false;
  fields.schedule_id = id;
  if (start !== undefined) fields.schedule_start_date = start;
  if (amount !== undefined) fields.payment_schedule_amount = amount;
  return true;
}

/** `false` and `null` ask for nothing. */
const askedOf = (value: unknown): unknown => (value === false || value === null ? undefined : value);

function methodsOf(value: unknown): string[] | undefined | 'wrong' {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return listOf(value, (item) => isText(item, 1, 100)) ?? 'wrong';
}

function putTokens(body: Fields, fields: Record<string, unknown>): boolean {
  if (body.card_token === undefined) return true;
  fields.card_token = listOf(body.card_token, (item) => /^[\w-]{64}$/.test(item));
  return fields.card_token !== undefined;
}

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const customerChecks: Checks = {
  name: (value) => isName(value, 200),
  email: isEmail,
  birth_date: isDay,
  ip: () => false,
};
const addressChecks: Checks = {
  country: isCountry,
  state: (value) => isText(value, 2, 32),
  city: (value) => isText(value, 2, 40),
  address: (value) => isText(value, 2, 255),
  house_number: (value) => isText(value, 1, 9),
  zip: (value) => isText(value, 2, 10),
  phone: (value) => isText(value, 1, 32, /^[0-9+()-]+$/),
  phone_country_code: (value) => isText(value, 1, 5, /^\+[1-9]\d{0,3}$/),
  district: (value) => isText(value, 2, 32),
  language: (value) => isText(value, 1, 2, /^[A-Za-z]{2}$/),
};
const payeeChecks: Checks = { name: (value) => isLatinName(value, 32), email: isEmail };
const cryptoChecks: Checks = { network: (value) => isText(value, 1, 50) };

/** The known fields of a block, if all are right. */
function blockOf(block: unknown, checks: Checks, ignored?: string): Record<string, unknown> | undefined {
  if (!isObject(block)) return undefined;
  const kept: Record<string, unknown> = {};
  for (const name in checks) {
    const value = name === ignored ? undefined : block[name];
    if (value === undefined) continue;
    if (checks[name]?.(value) !== true) return undefined;
    kept[name] = value;
  }
  return kept;
}

function putBlocks(body: Fields, fields: Record<string, unknown>, today: string): boolean {
  if (body.customer !== undefined) {
    const isBlank = isObject(body.customer) && body.customer.birth_date === '';
    const customer = blockOf(body.customer, customerChecks, isBlank ? 'birth_date' : undefined);
    if (customer === undefined) return false;
    const { birth_date: birth } = customer;
    if (typeof birth === 'string' && (birth < '1900-01-01' || birth > today)) return false;
    fields.customer = customer;
  }
  if (!putAddress(body, fields, 'billing_address') || !putAddress(body, fields, 'payee_billing_address')) return false;
  if (body.payee !== undefined) {
    const payee = blockOf(body.payee, payeeChecks);
    if (payee?.name === undefined) return false;
    fields.payee = payee;
  }
  if (body.crypto !== undefined) {
    fields.crypto = blockOf(body.crypto, cryptoChecks);
    if (fields.crypto === undefined) return false;
  }
  return true;
}

function putAddress(body: Fields, fields: Record<string, unknown>, name: string): boolean {
  const address = body[name];
  if (address === undefined) return true;
  const country = countryOf(address);
  const hasStates = typeof country === 'string' && countriesWithStates.has(country);
  const block = blockOf(address, addressChecks, isCountry(country) && !hasStates ? 'state' : undefined);
  if (block === undefined) return false;
  if (hasStates && block.state !== undefined && !/^[A-Za-z]{2}$/.test(String(block.state))) return false;
  fields[name] = block;
  return true;
}

const countryOf = (address: unknown): unknown => (isObject(address) ? address.country : undefined);

function parametersOf(value: unknown): Readonly<Record<string, Fields>> | undefined {
  if (value === undefined) return {};
  if (!isObject(value) || !isKeepable(value, false)) return undefined;
  const parameters: Record<string, Fields> = {};
  for (const [key, own] of Object.entries(value)) {
    if (!isObject(own)) return undefined;
    parameters[key] = own;
  }
  return parameters;
}

function isFree(value: unknown): boolean {
  return value === undefined || (isObject(value) && isKeepable(value, true));
}
