import { breach, type Issue, issue, type Resolved, resolveMethod, scopeOf, TEXTS } from '@railyard/core';
import type { Route } from '../config/directory.ts';
import type { ServiceContext } from '../service-context.ts';
import type { OpenSession } from '../sessions/open-session.ts';

/**
 * The method's values, or what is missing, wrong or outside the limits.
 *
 * @param holder the name on the card that is paid with
 */
export function resolveFor(
  context: ServiceContext,
  { request, merchant }: Pick<OpenSession, 'request' | 'merchant'>,
  { key, mid, method, profile }: Route,
  { answers }: { readonly answers: Readonly<Record<string, string>> },
  holder: string | undefined,
): { readonly value?: Resolved; readonly issues: readonly Issue[] } {
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const payer = holder === undefined ? answers : { 'customer.name': plainLatin(holder), ...answers };
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, payer, today };
  const resolution = resolveMethod(context.directory.registry, request, key, {
    ...sources,
    profiles: merchant.profile,
  });
  if (resolution.kind === 'missing') return { issues: resolution.fields.map(({ path }) => issue(path, TEXTS.blank)) };
  if (resolution.kind === 'invalid') return { issues: resolution.issues };
  const { amount, operation } = request;
  const issues = amount === 'payer' ? [] : breach(method, operation, amount, scopeOf(request, key), sources);
  return { value: resolution.value, issues };
}

/** A name without the marks on its letters: `customer.name` is in basic Latin letters (protocol: Session authentication request). */
export const plainLatin = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '');
