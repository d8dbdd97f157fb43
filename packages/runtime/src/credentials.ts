import { isDeepStrictEqual } from 'node:util';
import type { CredentialEffect } from '@railyard/core/driver';
import type { PlainJson } from './plain-json.ts';

interface Held {
  readonly value: PlainJson;
  readonly until: number;
}

/** Credentials in memory, with their lifetime. Nothing here is ever written down. */
export interface Credentials {
  /** The held credential, or a new one from `fetch`. Concurrent callers wait for one request. */
  get(
    name: string,
    fetch: () => Promise<{ value: PlainJson; lifetimeSeconds: number } | undefined>,
  ): Promise<PlainJson | undefined>;
  /** Forgets a credential that was refused. */
  drop(name: string, refused: PlainJson): void;
}

/** The name under which a credential of an account is held. */
export function credentialName(connectorId: string, mid: string, { endpoint, input }: CredentialEffect): string {
  return [connectorId, mid, endpoint.name, ...(input === undefined ? [] : [String(input)])].join('/');
}

/** Renewed a little before its end, so that it does not end on the way: a tenth of its life, at most ten seconds. */
const marginMs = (lifetimeSeconds: number) => Math.min(10_000, lifetimeSeconds * 100);

export function memoryCredentials(now: () => number): Credentials {
  const held = new Map<string, Held>();
  const underway = new Map<string, Promise<PlainJson | undefined>>();
  return {
    async get(name, fetch) {
      const known = held.get(name);
      if (known !== undefined && known.until > now()) return known.value;
      const waiting = underway.get(name);
      if (waiting !== undefined) return waiting;
      const request = fetch()
        .then((got) => {
          if (got === undefined) return undefined;
          held.set(name, {
            value: got.value,
            until: now() + got.lifetimeSeconds * 1000 - marginMs(got.lifetimeSeconds),
          });
          return got.value;
        })
        .finally(() => underway.delete(name));
      underway.set(name, request);
      return request;
    },
    drop(name, refused) {
      // Another one may have been fetched since.
      if (isDeepStrictEqual(held.get(name)?.value, refused)) held.delete(name);
    },
  };
}
