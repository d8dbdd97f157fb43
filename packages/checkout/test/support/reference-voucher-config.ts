import { referenceVoucherConnector } from '@railyard/connector-voucher';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** A deployment with an account at the provider whose vouchers are made in three steps. */
export const referenceVoucherConfig = (base_url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [referenceVoucherConnector],
  mids: [
    {
      id: 'vouchers',
      connector: referenceVoucherConnector.id,
      settings: { base_url, private_key: 'the-private-key', gateway_id: 'gateway-1' },
    },
  ],
  merchants: [
    {
      ...merchant,
      name: 'Corner shop',
      callbackUrl,
      callbackSecret,
      methods: [{ key: 'cash-reference', mid: 'vouchers' }],
    },
  ],
});
