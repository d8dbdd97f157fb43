import type { Demo } from './demo.ts';
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
(works once; start again for a new one):

  curl -s ${demo.checkoutUrl}/api/v1/session \\
    -H 'content-type: application/json' \\
    -d '${body}'

The checkout's log is in ${demo.logFile}. Ctrl-C stops everything.
`;
}
