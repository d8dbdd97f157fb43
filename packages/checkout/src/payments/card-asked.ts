import { ALL_BRANDS } from '../page/assets/card-rules.js';
import type { Route } from '../config/directory.ts';
import type { ServiceContext } from '../service-context.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import type { CardAsked, SavedCard } from '../vault/index.ts';

/**
 * What is asked about a card; `undefined` for methods that take none, and for accounts that take none here.
 *
 * @param chosen the key of a saved card; the first one unless it is there, a new card for `new`
 */
export function cardAsked(
  context: ServiceContext,
  { request, merchant }: OpenSession,
  { key, method, mid, profile }: Route,
  saved: readonly SavedCard[],
  chosen: string | undefined,
): CardAsked | undefined {
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, profiles: merchant.profile };
  if (!context.directory.registry.takesCard(request, key, sources)) return undefined;
  const taken = mid.config.cardBrands ?? ALL_BRANDS;
  const offered = saved.filter(({ brand }) => taken.includes(brand));
  const used = chosen === 'new' ? undefined : (offered.find(({ key }) => key === chosen) ?? offered[0]);
  return {
    operation: request.operation,
    payee: method.operations[request.operation]?.payeeCard === true,
    saved: used,
    taken,
    now: context.now(),
  };
}
