import { TEXTS } from '@railyard/core';
import { type Issue, issue } from '@railyard/core/protocol';
import { breach, type Resolved, resolveMethod, scopeOf } from '@railyard/core/registry';
import type { Route } from '../../merchants/directory.ts';
import type { AttemptDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { answerIssues, nameIn, understood } from '../../sessions/payer-words.ts';
import { withNumbers } from '../../sessions/phones.ts';

/**
 * The method's values, or what is missing, wrong or outside the limits.
 *
 * @param holder the name on the card that is paid with
 */
export function resolveFor(
  context: AttemptDeps,
  { request: sent, merchant }: Pick<OpenSession, 'request' | 'merchant'>,
  { key, mid, method, profile }: Route,
  { answers }: { readonly answers: Readonly<Record<string, string>> },
  holder: string | undefined,
): { readonly value?: Resolved; readonly issues: readonly Issue[] } {
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const { registry } = context.directory;
  const { names } = merchant.config;
  const read = withNumbers(registry, merchant.profile, sent, key, understood(answers, sent, names));
  const { request, answers: given } = read;
  const payer = holder === undefined ? given : { 'customer.name': nameIn(names, holder), ...given };
  const wrong = [...read.issues, ...answerIssues(payer, request, names)];
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, payer, today };
  const resolution = resolveMethod(registry, request, key, {
    ...sources,
    profiles: merchant.profile,
  });
  if (resolution.kind === 'missing')
    return { issues: [...wrong, ...resolution.fields.map(({ path }) => issue(path, TEXTS.blank))] };
  if (resolution.kind === 'invalid') {
    const others = resolution.issues.filter(({ path }) => !wrong.some((each) => each.path === path));
    return { issues: [...wrong, ...others] };
  }
  if (wrong.length > 0) return { issues: wrong };
  const { amount, operation } = request;
  const issues = amount === 'payer' ? [] : breach(method, operation, amount, scopeOf(request, key), sources);
  return { value: resolution.value, issues };
}
