import {
  call,
  type Connector,
  defineConnector,
  notificationsFor,
  providerApi,
  secret,
  statusTable,
} from '@railyard/core';
import type { NotificationVerification } from '@railyard/core/driver';
import { timedSignatures } from '@railyard/core/proofs';
import { z } from 'zod';
import type { CheckoutConfig } from '../../src/index.ts';
import { collectionConfig } from './collection-config.ts';

const settings = z.object({ base_url: z.string(), hook: secret(z.string(), 'Secret of notifications') });
type Settings = z.output<typeof settings>;

const { endpoint, endpoints } = providerApi(settings, { source: 'this test' });
const verifyEvent = endpoint({
  name: 'verify-event',
  method: 'POST',
  path: '/verify',
  repeat: 'safe',
  request: (asked: { readonly proof: string; readonly event: string }) => ({ json: asked }),
  reply: z.object({ status: z.enum(['SUCCESS', 'FAILURE']) }),
});

const proofs: Readonly<Record<string, NotificationVerification<Settings>>> = {
  basic: { scheme: 'basic', credentials: ({ hook: password }) => ({ user: 'provider', password }) },
  token: { scheme: 'shared-secret', header: 'X-Callback-Token', value: ({ hook }) => hook },
  certificate: { scheme: 'client-certificate', header: 'X-Client-Cert-Sha256', value: ({ hook }) => hook },
  list: timedSignatures({ header: 'X-Signature', key: ({ hook }: Settings) => hook }),
  address: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'X-Signature',
    encoding: 'hex',
    key: ({ hook }) => hook,
    over: ({ method, url, path, bytes }) => [method, url, path, bytes],
  },
  'wrong-key': { scheme: 'ed25519', header: 'X-Signature', encoding: 'hex', key: ({ hook }) => hook },
  asked: {
    scheme: 'call',
    headers: ['X-Transmission-Sig'],
    *steps({ headers, body }) {
      const proof = headers['x-transmission-sig'] ?? '';
      return (yield* call(verifyEvent, { proof, event: body })).status === 'SUCCESS';
    },
  },
};

/** Connectors that take no payment: each proves its notifications in another way, and nothing follows from them. */
function connectorOf(id: string, verify: NotificationVerification<Settings>): Connector {
  return defineConnector({
    id,
    contract: 1,
    version: '1.0.0',
    title: id,
    settings,
    baseUrl: ({ base_url }) => base_url,
    endpoints,
    statuses: statusTable({}),
    notifications: notificationsFor(settings)({
      verify,
      codec: 'json',
      body: z.object({ event: z.string() }),
      events: () => [],
      acknowledge: { status: 202 },
    }),
    serves: () => [],
  });
}

/** The secret of every account. */
export const HOOK = 'hook-secret-of-the-account';

/** A deployment with an account for each kind of proof, under its name. */
export function provenConfig(
  providerUrl: string,
  port: number,
  trustedProxies: readonly string[] = [],
): CheckoutConfig {
  const connectors = Object.entries(proofs).map(([id, verify]) => connectorOf(id, verify));
  const { mids = [], ...deployment } = collectionConfig(providerUrl, 'http://127.0.0.1:1', port);
  const proven = connectors.map(({ id }) => ({ id, connector: id, settings: { base_url: providerUrl, hook: HOOK } }));
  return {
    ...deployment,
    trustedProxies: [...trustedProxies],
    connectors: [...deployment.connectors, ...connectors],
    mids: [...mids, ...proven],
  };
}
