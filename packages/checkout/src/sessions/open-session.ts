import type { SessionRequest } from '@railyard/core/protocol';
import { routesOf } from '@railyard/core/registry';
import type { Merchant, Route } from '../merchants/directory.ts';
import { openText, sealedAt } from '../secrets/index.ts';
import type { SessionDeps } from './deps.ts';
import type { Session } from '../storage/index.ts';
import { withNumbers } from './phones.ts';
import { type AcceptedCommand, readAccepted } from './stored-request.ts';

/** A stored session with its request read again and its merchant. */
export interface OpenSession {
  readonly stored: Session;
  readonly request: SessionRequest;
  readonly merchant: Merchant;
  /** The methods that the payer can use, in the order of the request. */
  readonly routes: readonly Route[];
  /** The server-to-server command that it came as: its payments are called back in the words of commands. */
  readonly command?: AcceptedCommand;
}

/**
 * Reads a stored session again, as it was accepted, whatever has become of the rules and of the merchant's methods and limits since:
 * money that comes must always find its session.
 *
 * @throws Error when the merchant is no longer configured; NewerRequestError when a newer version of the service kept it.
 */
export function readStoredSession(context: Pick<SessionDeps, 'directory' | 'sealer'>, stored: Session): OpenSession {
  const merchant = context.directory.merchantOf(stored);
  if (merchant === undefined) throw new Error(`Session ${stored.id}: its merchant is no longer configured.`);
  const request = openText(context.sealer, stored.requestText, sealedAt.request(stored.id));
  const today = stored.createdAt.toISOString().slice(0, 10);
  const parsed = readAccepted(request, today);
  if (!parsed.ok)
    throw new Error(`Session ${stored.id}: it cannot be read at ${parsed.issues.map((each) => each.path).join(', ')}.`);
  const { session, command } = parsed;
  let routes: readonly Route[] | undefined;
  // The payer of a method cannot mend a number that the merchant sent.
  const canRead = (key: string) =>
    withNumbers(context.directory.registry, merchant.profile, session, key).issues.length === 0;
  return {
    stored,
    request: session,
    merchant,
    // Found when they are asked for: a page and an attempt need them, a report of a provider does not.
    get routes() {
      return (routes ??= usableRoutes(context, merchant, session).filter(({ key }) => canRead(key)));
    },
    ...(command && { command }),
  };
}

/**
 * The methods that the payer can use: those asked for; without a list, those that the merchant's rules show. Each with the first of
 * its MIDs that takes this request. What the payer can still be asked for does not stand in the way.
 *
 * @param except ids of MIDs that were tried already
 */
export function usableRoutes(
  { directory }: Pick<SessionDeps, 'directory'>,
  { profile }: Merchant,
  request: SessionRequest,
  except?: ReadonlySet<string>,
): Route[] {
  return routesOf(directory.registry, request, { profile, except }).flatMap(({ key, method, entry }) => {
    const mid = directory.mid(entry.mid ?? '');
    return mid === undefined ? [] : [{ key, method, mid, profile: entry }];
  });
}
