import { btcpayConnector } from '@railyard/connector-crypto';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

export const btcpaySettings = (url: string) => ({
  base_url: url,
  api_key: 'the-api-key',
  store_id: 'store-1',
  webhook_secret: 'a-webhook-secret',
});

/** A deployment with a store of a BTCPay Server. */
export const btcpayConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [btcpayConnector],
  mids: [{ id: 'store', connector: btcpayConnector.id, settings: btcpaySettings(url) }],
  merchants: [
    { ...merchant, name: 'Bookshop', callbackUrl, callbackSecret, methods: [{ key: 'bitcoin-btcpay', mid: 'store' }] },
  ],
});
