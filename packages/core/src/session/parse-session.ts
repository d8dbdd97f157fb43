import type * as z from 'zod';
import { type Issue, issue, issuesOfZod, onePerPath, TEXTS } from '../issues/index.ts';
import type { Operation } from '../method/operation.ts';
import type { Money } from '../money/index.ts';
import { readAmount, scheduleAmountIssues } from './amount-rules.ts';
import { checkBody } from './body-limits.ts';
import { isPlainObject } from './fields.ts';
import { freeFormIssues } from './free-form.ts';
import { inTableOrder } from './issue-order.ts';
import { normalise } from './normalise.ts';
import { ruleIssues } from './rules.ts';
import { sessionSchema } from './session-schema.ts';

/** A session request that holds all its own rules. Names are those of the wire; flags and expiry have their defaults. */
export interface SessionRequest extends z.output<typeof sessionSchema> {
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
  if (!isPlainObject(input)) return { ok: false, issues: [issue('body', TEXTS.type('object'))] };
  const { excess, forbidden } = checkBody(input);
  if (excess !== undefined) return { ok: false, issues: [excess] };
  const body = normalise(input);
  const context = contextOf(body, options);
  const parsed = sessionSchema.safeParse(body);
  const order = isPlainObject(body.order) ? body.order : undefined;
  const { amount, issues: amountIssues } = order === undefined ? { issues: [] } : readAmount(order.amount, context);
  const issues = [
    ...(parsed.success ? [] : issuesOfZod(parsed.error, { input: body })),
    ...forbidden,
    ...amountIssues,
    ...scheduleAmountIssues(body.payment_schedule_amount, context.currency),
    ...ruleIssues(body, context),
    ...freeFormIssues('parameters', body.parameters, 'one-line'),
    ...freeFormIssues('custom_data', body.custom_data, 'free'),
  ];
  if (parsed.success && amount !== undefined && issues.length === 0)
    return { ok: true, session: { ...parsed.data, amount } };
  return { ok: false, issues: onePerPath(inTableOrder(issues)) };
}

/** What the rules need to know; a field that is wrong by itself is left out, because it is reported anyway. */
function contextOf(body: Record<string, unknown>, options: ParseSessionOptions) {
  const { shape } = sessionSchema;
  const operation = shape.operation.safeParse(body.operation).data;
  const sentCurrency = isPlainObject(body.order) ? body.order.currency : undefined;
  const currency = shape.order.shape.currency.safeParse(sentCurrency).data;
  const methods = shape.methods.safeParse(body.methods).data ?? [];
  return {
    operation,
    currency,
    currencyIsWrong: currency === undefined && typeof sentCurrency === 'string' && sentCurrency !== '',
    recurring: shape.recurring_init.safeParse(body.recurring_init).data === true,
    mayBeOpen: () =>
      operation !== undefined && currency !== undefined && options.openAmount?.(methods, operation, currency) === true,
    today: options.today,
    endpoint: options.endpoint ?? 'session',
  };
}
