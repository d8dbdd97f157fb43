import type { Demo } from './demo.ts';
import { merchant } from './merchant.ts';
import { sessionRequest } from './session-request.ts';

/** The text that is printed once everything runs: three links, and a request that works as it stands. */
export function welcome(demo: Demo): string {
  const body = JSON.stringify(sessionRequest(demo.sample, { operation: 'purchase', methods: ['pix'] }, demo.shopUrl));
  return `
Railyard runs.

  Shop            ${demo.shopUrl}
  Payer's bank    ${demo.simulatorUrl}
  Checkout        ${demo.checkoutUrl}/health

Buy something in the shop, then pay its code at the payer's bank
(or wait: it is paid by itself after 20 seconds).

Or create a session yourself and open its redirect_url
(the same order number is refused for a while; another order needs another hash):

  curl -s ${demo.checkoutUrl}/api/v1/session \\
    -H 'content-type: application/json' \\
    -d '${body}'

The hash of another one, in mine.json:

  RAILYARD_PASSWORD=${merchant.password} npm run -s railyard -- sign session mine.json

The checkout's log is in ${demo.logFile}. Ctrl-C stops everything.
`;
}
