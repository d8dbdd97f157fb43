import { money } from '@railyard/core';
import { breach, scopeOf } from '@railyard/core/registry';
import type { Route } from '../../merchants/directory.ts';
import type { PageDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import {
  AMOUNT_FIELD,
  payerSaysAmount,
  readAmount,
  REVIEW,
  withAmount,
  WRITTEN_IN,
} from '../../sessions/payer-amount.ts';
import { asTyped } from '../../sessions/typed-amount.ts';
import type { PageAmount, PageField } from '../../page/model.ts';
import type { PageFacts } from './page-facts.ts';

/** Whether the payer still has to say how much. `session`: with the amount that was said. */
export type AmountStep =
  | { readonly kind: 'asked'; readonly field: PageField }
  | { readonly kind: 'known'; readonly session: OpenSession; readonly amount?: PageAmount };

/**
 * How much is paid, where the payer says it: asked before anything else, so that the form which pays shows the amount as it was understood,
 * and no card is ever asked for before an error in it.
 */
export function amountStep(context: PageDeps, route: Route, facts: PageFacts): AmountStep {
  const { session, entered, problems, locale = 'en' } = facts;
  const { request } = session;
  if (!payerSaysAmount(request)) return { kind: 'known', session };
  const { amount, order } = request;
  const field = { name: AMOUNT_FIELD, label: 'Amount', help: order.currency, input: 'amount', required: true };
  const typed = entered?.get(AMOUNT_FIELD);
  const posted = problems?.get(AMOUNT_FIELD);
  if (typed === undefined || facts.changesAmount === true) {
    const before = typed ?? (amount === 'payer' ? undefined : amount.text);
    const value = posted === undefined && before !== undefined ? { value: asTyped(before, locale) } : {};
    return { kind: 'asked', field: { ...field, ...value, ...(posted !== undefined && { problem: posted }) } };
  }
  const isWritten = facts.amountTyped !== true && posted !== REVIEW;
  const read = readAmount(session, typed, isWritten ? WRITTEN_IN : locale);
  const problem = 'problem' in read ? read.problem : outside(context, session, route, read.text);
  const other = posted === REVIEW ? undefined : posted;
  if ('problem' in read || problem !== undefined || other !== undefined)
    return {
      kind: 'asked',
      field: {
        ...field,
        value: isWritten ? asTyped(typed, locale) : typed,
        problem: problem ?? other ?? REVIEW,
      },
    };
  const said = { text: read.text, currency: order.currency };
  return { kind: 'known', session: withAmount(session, read.text), amount: said };
}

/** The problem of an amount outside the account's limits; `undefined` for one within them. */
function outside(context: PageDeps, session: OpenSession, route: Route, text: string): string | undefined {
  const { request } = session;
  const { method, profile, mid, key } = route;
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, today: today(context) };
  const amount = money(text, request.order.currency);
  return breach(method, request.operation, amount, scopeOf(request, key), sources)[0]?.message;
}

const today = (context: PageDeps): string => new Date(context.now()).toISOString().slice(0, 10);
