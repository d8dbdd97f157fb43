import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import { isPublicAddress, type CallbackNetwork } from '../deployment/addresses.ts';
import { ForbiddenAddress } from './forbidden-address.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolveAll: Resolve = (hostname) => systemLookup(hostname, { all: true });

type Posted = Pick<Dispatcher.RequestOptions, 'headers' | 'body' | 'signal'>;

/** Posts over connections of its own. */
export function checkedClient(network: CallbackNetwork, resolve?: Resolve) {
  const dispatcher = checkedAgent(network, resolve);
  return {
    post: (url: string, options: Posted) => request(url, { ...options, method: 'POST', dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

/** Connections only to where callbacks may go, whatever an address looks like. */
export function checkedAgent(network: CallbackNetwork, resolve: Resolve = resolveAll): Agent {
  return new Agent({ connect: checkedConnect(network, resolve) });
}

function checkedConnect(network: CallbackNetwork, resolve: Resolve): buildConnector.connector {
  const allowed = (address: string | undefined) =>
    network === 'any' || (address !== undefined && isPublicAddress(address));
  const lookup = callbackify(async (hostname: string, _options: LookupOptions): Promise<LookupAddress[]> => {
    const found = await resolve(hostname);
    if (found.length === 0 || !found.every(({ address }) => allowed(address))) throw new ForbiddenAddress(hostname);
    return [...found];
  });
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup, autoSelectFamily: true });
  return (options, done) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    // A literal address never reaches the resolver, so it is checked here.
    if (isIP(literal) !== 0 && !allowed(literal)) return done(new ForbiddenAddress(literal), null);
    return connect(options, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      if (allowed(socket.remoteAddress)) return done(null, socket);
      socket.destroy();
      return done(new ForbiddenAddress(options.hostname), null);
    });
  };
}
