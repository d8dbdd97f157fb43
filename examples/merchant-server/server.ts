import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from '@railyard/client';

const { CHECKOUT_URL: baseUrl = '', MERCHANT_KEY: merchantKey = '', PORT = '3000' } = process.env;
const { REQUEST_KEY: id = '', REQUEST_SECRET: secret = '', CALLBACK_SECRET: callbackSecret = '' } = process.env;
const railyard = createClient({ baseUrl, merchantKey, requestKey: { id, secret }, callbackSecret });
const order = { number: `order-${Date.now()}`, amount: '10.00', currency: 'BRL', description: 'Two books' };
let paid = false; // In your shop: kept with the order.

/** The status and the text of an answer; with 303 where to go. */
async function answer(request: IncomingMessage): Promise<[number, string]> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://shop');
  if (pathname === '/buy') {
    const session = { methods: ['pix'], order, success_url: `http://127.0.0.1:${PORT}/return` };
    return [303, (await railyard.createSession({ operation: 'purchase', ...session })).redirect_url];
  }
  if (pathname === '/callbacks') {
    const checked = railyard.verifyCallback({ body: await text(request), headers: request.headers });
    if (!checked.ok) return [400, checked.reason];
    const { type, status, order_status, order_number, order_amount } = checked.callback.fields;
    const isOurs = order_number === order.number && order_amount === order.amount;
    if (isOurs && type === 'sale' && status === 'success' && order_status === 'settled') paid = true;
    return [200, 'OK'];
  }
  // Do not ship when the payer returns. Ship on the callback; until it comes, ask for the status.
  const back = railyard.verifyReturn({ query: search, order });
  return back.ok ? [200, paid ? 'paid' : (await railyard.status(back.return)).status] : [400, 'No return of ours.'];
}

const server = createServer(async (request, response) => {
  const [status, said] = await answer(request).catch((error: Error) => [502, error.message] as const);
  response.writeHead(status, status === 303 ? { location: said } : {}).end(said);
});
server.listen(Number(PORT), '127.0.0.1');
