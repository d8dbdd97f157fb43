import type { SessionRequest } from '@railyard/core';
import type { Merchant, Route } from '../config/directory.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Session } from '../storage/index.ts';

/** A stored session with its request read again and its merchant. */
export interface OpenSession {
  readonly stored: Session;
  readonly request: SessionRequest;
  readonly merchant: Merchant;
  /** The methods that the payer can use, in the order of the request. */
  readonly routes: readonly Route[];
}

/**
 * Reads a stored session again. Its request was valid when it was stored; where the merchant's methods have changed since,
 * it is read without them and the page offers what is left.
 *
 * @throws Error when the merchant is no longer configured or the request cannot be read any more.
 */
export function readStoredSession(context: ServiceContext, stored: Session): OpenSession {
  const merchant = context.directory.find(stored.merchantKey)?.merchant;
  if (merchant === undefined) throw new Error(`Session ${stored.id}: its merchant is no longer configured.`);
  const checked = context.directory.registry.validate(JSON.parse(stored.requestText), {
    today: stored.createdAt.toISOString().slice(0, 10),
    profile: merchant.profile,
  });
  if (!checked.ok)
    throw new Error(
      `Session ${stored.id}: its request is no longer valid at ${checked.issues.map((each) => each.path).join(', ')}.`,
    );
  return { stored, request: checked.session, merchant, routes: usableRoutes(merchant, checked.session) };
}

/** The methods asked for; without a list, all that take this operation and currency (protocol: `methods`). */
function usableRoutes(merchant: Merchant, request: SessionRequest): Route[] {
  const keys = request.methods ?? [...merchant.routes.keys()];
  return keys.flatMap((key) => {
    const route = merchant.routes.get(key);
    if (route === undefined || route.method.operations[request.operation] === undefined) return [];
    const { currencies } = route.method;
    return currencies === undefined || currencies.includes(request.order.currency) ? [route] : [];
  });
}
