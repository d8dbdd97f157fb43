import type * as z from 'zod';
import { type Issue, issue, onePerPath } from '../issues/issue.ts';
import { issuesOfZod } from '../issues/zod-issues.ts';
import { TEXTS } from '../issues/texts.ts';
import type { Operation } from '../method/operation.ts';
import { currency as findCurrency } from '../money/currencies.ts';
import type { Money } from '../money/money.ts';
import { type AmountContext, readAmount, scheduleAmountIssues } from './amount-rules.ts';
import { checkBody } from './body-limits.ts';
import { isPlainObject } from './fields.ts';
import { freeFormIssues } from './free-form.ts';
import { inTableOrder } from './issue-order.ts';
import { normalise } from './normalise.ts';
import { ruleIssues } from './rules.ts';
import { type SessionFields, sessionSchema } from './session-schema.ts';
import { soundFields, type SoundFields } from './sound-fields.ts';

/** A session request that holds all its own rules. Fields have their names on the wire; flags and expiry have their defaults. */
export interface SessionRequest extends SessionFields {
  /** `order.amount`, read; `payer`: the payer enters it. `order.amount` itself stays byte for byte as sent. */
  readonly amount: Money | 'payer';
}

export interface ParseSessionOptions {
  /** The current day in UTC as `YYYY-MM-DD`; core has no clock. */
  readonly today: string;
  /**
   * Whether a purchase may leave the amount to the payer, given the methods asked for (none: empty), the operation and
   * the currency. Without it an amount is always required.
   */
  readonly openAmount?: (methods: readonly string[], operation: Operation, currency: string) => boolean;
  /**
   * Whether an amount of zero is fine, where the caller knows better than the session: S2S CARD alone has a hold of zero, which checks a card
   * (protocol: Amount format, 3).
   */
  readonly zeroAmount?: boolean;
  /** `token` for the request of hosted fields, which alone may carry `customer.ip`. Default `session`. */
  readonly endpoint?: 'session' | 'token';
}

export type ParsedSession =
  | { readonly ok: true; readonly session: SessionRequest }
  /** Every field that is wrong, one issue each, in the order of the protocol's tables. */
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads a session request: every field of the protocol and the rules between them. Which method keys exist and what
 * stands under `parameters.<key>` is for the method registry; whether the hash is right, for `verifySessionSignature`.
 *
 * @example
 * const parsed = parseSession(JSON.parse(body), { today: '2026-11-21' });
 * if (!parsed.ok) return validationAnswer(parsed.issues);
 */
export function parseSession(input: unknown, options: ParseSessionOptions): ParsedSession {
  return parseSessionWith(sessionSchema, input, options);
}

/** @param schema the session schema, as declared or compiled */
export function parseSessionWith(
  schema: z.ZodType<SessionFields>,
  input: unknown,
  options: ParseSessionOptions,
): ParsedSession {
  if (!isPlainObject(input)) return { ok: false, issues: [issue('body', TEXTS.type('object'))] };
  const { excess, forbidden } = checkBody(input);
  if (excess !== undefined) return { ok: false, issues: [excess] };
  const body = normalise(input);
  const parsed = schema.safeParse(body);
  const fields = parsed.success ? parsed.data : soundFields(body);
  const order = isPlainObject(body.order) ? body.order : undefined;
  const { amount, issues: amountIssues } =
    order === undefined ? { issues: [] } : readAmount(order.amount, amountContext(fields, order.currency, options));
  const issues = [
    ...(parsed.success ? [] : issuesOfZod(parsed.error, { input: body })),
    ...forbidden,
    ...amountIssues,
    ...scheduleAmountIssues(body, fields.order?.currency, amount),
    ...ruleIssues(body, fields, options),
    ...freeFormIssues('parameters', body.parameters, 'one-line'),
    ...freeFormIssues('custom_data', body.custom_data, 'free'),
  ];
  if (parsed.success && amount !== undefined && issues.length === 0)
    return { ok: true, session: Object.assign(parsed.data, { amount }) };
  return { ok: false, issues: onePerPath(inTableOrder(issues)) };
}

/** A code in the wrong case is only misspelt, and tells nothing of the amount. */
const looksLikeCode = (text: string): boolean =>
  /^[A-Z]{3,6}$/.test(text) || findCurrency(text.toUpperCase()) !== undefined;

function amountContext(fields: SoundFields, sent: unknown, options: ParseSessionOptions): AmountContext {
  const { operation } = fields;
  const currency = fields.order?.currency;
  return {
    operation,
    currency,
    currencyIsWrong: currency === undefined && typeof sent === 'string' && sent !== '' && !looksLikeCode(sent),
    mayBeZero: options.zeroAmount ?? fields.recurring_init === true,
    mayBeOpen: () =>
      operation !== undefined &&
      currency !== undefined &&
      options.openAmount?.(fields.methods ?? [], operation, currency) === true,
  };
}
