import { bcbConnector } from '@railyard/connector-pix';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** The settings of an account at a bank whose API and tokens are at one address. */
export const pixBcbSettings = (url: string) => ({
  base_url: url,
  oauth_url: url,
  client_id: 'the-client',
  client_secret: 'the-client-secret',
  chave: 'loja@example.com',
  expiracao: 600,
});

/** A deployment with an account at a bank that offers the API Pix. */
export const pixBcbConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [bcbConnector],
  mids: [{ id: 'bcb', connector: bcbConnector.id, settings: pixBcbSettings(url) }],
  merchants: [
    { ...merchant, name: 'Loja Exemplo', callbackUrl, callbackSecret, methods: [{ key: 'pix-charge', mid: 'bcb' }] },
  ],
});
