import { breach, parseSession, scopeOf, type SessionRequest } from '@railyard/core';
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
 * Reads a stored session again. Only the session's own fields are read: they held when it was stored, whatever has become of
 * the merchant's methods and limits since, and money that comes must always find its session.
 *
 * @throws Error when the merchant is no longer configured.
 */
export function readStoredSession(context: ServiceContext, stored: Session): OpenSession {
  const merchant = context.directory.find(stored.merchantKey)?.merchant;
  if (merchant === undefined) throw new Error(`Session ${stored.id}: its merchant is no longer configured.`);
  const today = stored.createdAt.toISOString().slice(0, 10);
  const parsed = parseSession(JSON.parse(stored.requestText), { today, openAmount: () => true });
  if (!parsed.ok)
    throw new Error(`Session ${stored.id}: it cannot be read at ${parsed.issues.map((each) => each.path).join(', ')}.`);
  return { stored, request: parsed.session, merchant, routes: usableRoutes(context, merchant, parsed.session) };
}

/**
 * The methods that the payer can use: those asked for; without a list, all that take this request (protocol: `methods`).
 * What the payer can still be asked for does not stand in the way.
 */
export function usableRoutes(context: ServiceContext, merchant: Merchant, request: SessionRequest): Route[] {
  const keys = request.methods ?? [...merchant.routes.keys()];
  return keys.flatMap((key) => {
    const route = merchant.routes.get(key);
    return route !== undefined && takes(context, merchant, route, request) ? [route] : [];
  });
}

function takes(
  context: ServiceContext,
  merchant: Merchant,
  { key, method, mid }: Route,
  request: SessionRequest,
): boolean {
  const { currencies } = method;
  if (currencies !== undefined && !currencies.includes(request.order.currency)) return false;
  const sources = { mid: mid.defaults[method.key] ?? {}, profile: merchant.profile.methods[key] };
  const resolution = context.directory.registry.resolve(request, key, { ...sources, profiles: merchant.profile });
  if (resolution.kind === 'invalid') return false;
  const { amount, operation } = request;
  return amount === 'payer' || breach(method, operation, amount, scopeOf(request, key), sources).length === 0;
}
