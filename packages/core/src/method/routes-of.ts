import type { SessionRequest } from '../session/parse-session.ts';
import type { Tools } from './check-method.ts';
import type { Profile } from './profile.ts';
import { type Route, type RouteOptions, routesFor } from './routing.ts';
import { whole } from './validate.ts';

/**
 * The methods that the payer of a valid request can use, in the order of the request, each with the first MID that takes it: by
 * channel, payment mode, currency and limits, and where the request names no methods by the profile's rules.
 */
export function routesOf(
  registry: Tools,
  session: SessionRequest,
  { profile, ...options }: RouteOptions & { readonly profile: Profile },
): readonly Route[] {
  return routesFor(registry, profile, whole(session), options);
}
