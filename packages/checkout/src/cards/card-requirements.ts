import { takesCard as isPaidByCard } from '@railyard/core/registry';
import { ALL_BRANDS } from '../rules/browser/card-rules.js';
import type { Route } from '../merchants/directory.ts';
import type { CardDeps } from './deps.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import type { CardRequirements, SavedCard } from './index.ts';

/** The networks whose cards the account takes. */
export const takenBy = ({ mid }: Route): readonly string[] => mid.config.cardBrands ?? ALL_BRANDS;

/** Whether the payer pays with a card at this account. */
export function takesCard(
  { directory }: CardDeps,
  { request, merchant }: Pick<OpenSession, 'request' | 'merchant'>,
  { key, method, mid, profile }: Route,
): boolean {
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, profiles: merchant.profile };
  return isPaidByCard(directory.registry, request, key, sources);
}

/**
 * The card fields to ask for; `undefined` for methods that take no card, and for accounts that take none here.
 *
 * @param chosen the key of a saved card; the first one where nothing is said. A new card for `new`, and for one that is not offered
 *   any more: the payer chose another one than the first.
 */
export function cardRequirements(
  context: CardDeps,
  session: OpenSession,
  route: Route,
  saved: readonly SavedCard[],
  chosen: string | undefined,
): CardRequirements | undefined {
  if (!takesCard(context, session, route)) return undefined;
  const { operation } = session.request;
  const taken = takenBy(route);
  const offered = saved.filter(({ brand }) => taken.includes(brand));
  const used = chosen === undefined ? offered[0] : offered.find(({ key }) => key === chosen);
  return {
    operation,
    payee: route.method.operations[operation]?.payeeCard === true,
    saved: used,
    taken,
    now: context.now(),
  };
}
