import type * as z from 'zod';
import type { Money } from '../money/money.ts';
import type { PayerText } from '../payer-text.ts';
import type { Condition } from './condition.ts';
import type { LimitsTable } from './limits.ts';
import type { CompletionKind, Operation } from './operation.ts';

/** The result of a rule over several parameters: the parameter at fault and the text, or nothing. */
export type RuleResult =
  | {
      readonly path: string;
      /** In English, or in several languages: a merchant reads the English one. */
      readonly message: PayerText;
      /** `session`: the path is one of the session (`order.amount`), not a parameter. */
      readonly of?: 'session';
    }
  | undefined;

/** The facts that a rule may use besides the parameters; core has no clock. */
export interface RuleFacts {
  /** The day in UTC as `YYYY-MM-DD`, where the caller gave it. */
  readonly today: string | undefined;
  /** The order's currency, as sent. */
  readonly currency: string | undefined;
  /** The order's amount; nothing where it is wrong by itself or the payer chooses it. */
  readonly amount: Money | undefined;
  /** The account that would serve the request; nothing where it is not known. `test`: it is for tests alone. */
  readonly account: { readonly test: boolean } | undefined;
}

/**
 * A rule over more than one parameter, or over one and the day or the order's amount. It runs once all its `paths` are given and valid by themselves, and sees only these.
 * A `document` rule is a check digit: a warning, unless the MID asks for strict documents, because published samples fail them.
 * A `warning` refuses nothing: the value has no effect.
 */
export interface Rule {
  readonly paths: readonly string[];
  readonly level: 'error' | 'document' | 'warning';
  readonly says: string;
  readonly check: (parameters: Readonly<Record<string, unknown>>, facts: RuleFacts) => RuleResult;
}

interface OperationBase {
  readonly completion: readonly CompletionKind[];
  /** The session values that the method needs: dotted path → schema. The value that chooses the variant is one of them. */
  readonly needs?: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  /** `true`: the payer may choose the amount at the provider, so `order.amount` may be left out. */
  readonly openAmount?: boolean;
  /** `true`: the payer pays with a card, which the flow gets as handles. A condition: where it holds; see `takesCard`. */
  readonly card?: boolean | Condition;
  /**
   * A zero amount checks what the payer pays with. `true`: every account does that; a condition: those where it holds. Without it such a
   * request is refused.
   */
  readonly zeroAmount?: boolean | Condition;
  /** `true`: the payer pays with a digital wallet, whose token the page or the merchant's server brings. */
  readonly wallet?: boolean;
  /** `true`: the money goes to another card, whose number the flow gets as a handle. */
  readonly payeeCard?: boolean;
}

/** One shape of parameters for everybody. */
export interface PlainOperation extends OperationBase {
  readonly parameters: z.ZodObject;
}

/** A shape per value of a session path, for example per billing country. */
export interface VariedOperation extends OperationBase {
  readonly variants: { readonly by: string; readonly cases: Readonly<Record<string, z.ZodObject>> };
}

export type OperationSpec = PlainOperation | VariedOperation;
export type OperationSpecs = { readonly [O in Operation]?: OperationSpec };

/** Where a method is at home, although it takes payers of other countries. */
export interface Home {
  readonly countries: readonly string[];
  /** The source, or the reason, by which it takes them: a sentence for merchants. */
  readonly elsewhere: string;
}

export interface Method<K extends string = string, O extends OperationSpecs = OperationSpecs> {
  readonly key: K;
  /** In English, or in several languages. */
  readonly title: PayerText;
  /** The names by which payers know it, such as those of its networks: `M-PESA`, `OXXO`. */
  readonly subtitle?: PayerText;
  readonly operations: O;
  /** ISO 4217 or crypto codes; absent: any. */
  readonly currencies?: readonly string[];
  /**
   * ISO 3166-1 alpha-2; absent: any. A session that names another one is refused, as one in another currency is: by
   * `billing_address.country`, and where money goes out by `payee_billing_address.country`.
   */
  readonly countries?: readonly string[];
  /** Instead of `countries`, of a method whose payers may be elsewhere too: this refuses none of them. */
  readonly home?: Home;
  readonly limits?: LimitsTable;
  /** The parameter that names the operator of a limits row. */
  readonly operator?: string;
  /** How parameters are read before they are checked: `nestBrackets` where they are nested. Pure. */
  readonly read?: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/**
 * Declares a payment method: what a merchant may send under `parameters.<key>`.
 * The schemas are the only place where a rule lives; validation, page, JSON Schema, tables and types are derived from them.
 * `defineConnector` refuses a declaration that cannot work.
 *
 * @example
 * const voucher = defineMethod({
 *   key: 'cash-voucher', title: 'Cash voucher',
 *   operations: { purchase: { parameters: z.strictObject({ single: z.boolean().optional() }), completion: ['voucher'] } },
 * });
 */
export function defineMethod<const K extends string, const O extends OperationSpecs>(
  method: Method<K, O>,
): Method<K, O> {
  return method;
}

/** Every parameter name of an operation, over all its variants. */
export function parameterNames(spec: OperationSpec): readonly string[] {
  return [...new Set(schemasOf(spec).flatMap((schema) => Object.keys(schema.shape)))];
}

/** Every parameter shape of an operation. */
export function schemasOf(spec: OperationSpec): readonly z.ZodObject[] {
  return 'parameters' in spec ? [spec.parameters] : Object.values(spec.variants.cases);
}
