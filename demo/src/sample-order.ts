import type { Order } from './orders.ts';

/** The order of the request that is printed at the start. @param now milliseconds since 1970, of which its number is made */
export function sampleOrder(now: number): Order {
  return {
    kind: 'order',
    number: `curl-${now.toString(36)}`,
    amount: '10.00',
    currency: 'BRL',
    description: 'Coffee beans',
    at: new Date(now).toISOString(),
    sample: true,
  };
}
