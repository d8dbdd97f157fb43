import { kyTransport, type Transport } from '@railyard/runtime';
import { callbackSender } from '../callbacks/delivery/sender.ts';
import type { ParsedConfig } from '../deployment/config.ts';
import { tracedSender, tracedTransport } from '../telemetry/calls.ts';

/** How requests leave: to providers, whose addresses the deployment chooses, and to merchants, whose addresses are looked at. */
export function outwardOf({ callbackNetwork }: ParsedConfig, given: Transport | undefined) {
  const http = kyTransport();
  const sender = callbackSender({ network: callbackNetwork });
  return {
    transport: tracedTransport(given ?? http),
    callbackSender: tracedSender(sender),
    close: () => Promise.all([http.close(), sender.close()]),
    /**
     * Loads the HTTP clients when the address has been said: a start does not wait for them, and neither does the first payment. The first
     * request tries again where that fails.
     */
    load: () => void Promise.all([http.load(), sender.load()]).catch(() => undefined),
  };
}
