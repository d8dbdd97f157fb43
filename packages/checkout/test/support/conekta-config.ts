import { conektaConnector } from '@railyard/connector-voucher';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

export const conektaSettings = (url: string) => ({ base_url: url, api_key: 'the-private-key', expires_in_hours: 48 });

/** A deployment with an account at Conekta, for cash and SPEI. */
export const conektaConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [conektaConnector],
  mids: [{ id: 'mexico', connector: conektaConnector.id, settings: conektaSettings(url) }],
  merchants: [
    {
      ...merchant,
      name: 'Librería Ejemplo',
      callbackUrl,
      callbackSecret,
      methods: [
        { key: 'cash-voucher', mid: 'mexico' },
        { key: 'spei', mid: 'mexico' },
      ],
    },
  ],
});
