import { readFileSync } from 'node:fs';
import type { CheckoutConfig } from '@railyard/checkout';
import { instantConnector, pix } from '@railyard/connector-pix';
import { instantSimulation } from '@railyard/connector-pix/simulation';
import * as z from 'zod';
import { merchant } from './merchant.ts';

export interface Ports {
  readonly checkout: number;
  readonly shop: number;
  readonly simulator: number;
}

const MID = 'pix-main';

const aliasFile = z.object({ aliases: z.record(z.string(), z.string()) });

/** The demo's checkout and the providers that the simulator plays for it, with one set of settings for both. */
export function deployment(ports: Ports, dataDir: string) {
  const settings = {
    base_url: `http://127.0.0.1:${ports.simulator}/${MID}`,
    api_key: 'demo-api-key',
    webhook_secret: 'demo-webhook-secret',
    cnpj_numeric_only: false,
  };
  const methods = [{ key: pix.key, mid: MID }];
  const checkout: CheckoutConfig = {
    publicUrl: `http://127.0.0.1:${ports.checkout}`,
    port: ports.checkout,
    dataDir,
    connectors: [instantConnector],
    mids: [
      {
        id: MID,
        connector: instantConnector.id,
        settings,
        defaults: { [pix.key]: { source_account_number: '123456', branch_identifier: '0001' } },
      },
    ],
    merchants: [
      {
        ...merchant,
        callbackUrl: `http://127.0.0.1:${ports.shop}/callbacks`,
        methods: [...methods, ...aliases(new Map(methods.map((each) => [each.key, each.mid])))],
      },
    ],
  };
  return { checkout, simulated: [{ connector: instantConnector, simulation: instantSimulation, settings, mid: MID }] };
}

/** The aliases that recorded clients use, as far as their methods are installed here. */
function aliases(mids: ReadonlyMap<string, string>) {
  const { aliases } = aliasFile.parse(JSON.parse(readFileSync(new URL('../aliases.json', import.meta.url), 'utf8')));
  return Object.entries(aliases).flatMap(([key, method]) => {
    const mid = mids.get(method);
    return mid === undefined ? [] : [{ key, method, mid }];
  });
}
