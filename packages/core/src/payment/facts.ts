import * as z from 'zod';
import { REFERENCE_FIELDS, STORED_CARD_FIELDS, THREE_D_SECURE_FIELDS } from './optional-fields.ts';

/** A currency exchange that the provider applied (reference: Callback, Fields). */
export const EXCHANGE_FIELDS = ['exchange_rate', 'exchange_rate_base', 'exchange_currency', 'exchange_amount'] as const;

/** The facts of a transaction that only its provider knows, under the names that merchants read them by. */
export const FACTS = [
  ...REFERENCE_FIELDS,
  ...STORED_CARD_FIELDS,
  ...THREE_D_SECURE_FIELDS,
  ...EXCHANGE_FIELDS,
] as const;
export type FactName = (typeof FACTS)[number];

/** The longest of them is a bank's name; a longer text is no fact of this kind. */
const text = z.string().min(1).max(255);

const FORMATS: Readonly<Record<FactName, z.ZodString>> = {
  arn: text,
  rrn: text,
  approval_code: text,
  issuer_country: text,
  issuer_bank: text,
  initiator: text,
  source: text,
  sequence: text,
  threeDSServerTransID: text,
  dsTransID: text,
  acsTransID: text,
  xid: text,
  transStatus: text,
  transStatusReason: text,
  eci: text,
  protocolVersion: text,
  authenticationFlow: text,
  exchange_rate: text.regex(/^\d+(\.\d+)?$/),
  exchange_rate_base: text.regex(/^\d+(\.\d+)?$/),
  exchange_amount: text.regex(/^\d+(\.\d+)?$/),
  exchange_currency: text.regex(/^[A-Z]{3}$/),
};

/** Most facts are absent, which a schema would answer with an error that it puts together. */
const isFact = (name: FactName, value: unknown): value is string =>
  value !== undefined && FORMATS[name].safeParse(value).success;

/** Facts as a provider reports them beside an outcome. All are optional. An absent or empty fact says nothing. */
export type PaymentFacts = Readonly<Partial<Record<FactName, string | undefined>>>;

/** The facts that are known and of the form that they have: the rest is left out, because a fact never decides about money. */
export function knownFacts(reported: PaymentFacts): PaymentFacts {
  return Object.fromEntries(FACTS.flatMap((name) => (isFact(name, reported[name]) ? [[name, reported[name]]] : [])));
}

/** Known facts with facts that are reported later. A newer value replaces an older one; an absent value replaces none. */
export function mergeFacts(known: PaymentFacts, reported: PaymentFacts = {}): PaymentFacts {
  return { ...known, ...knownFacts(reported) };
}

export const sameFacts = (left: PaymentFacts, right: PaymentFacts): boolean =>
  FACTS.every((name) => left[name] === right[name]);
