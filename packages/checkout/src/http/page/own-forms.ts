import type { Context, Next } from 'hono';
import type { HttpEnv } from '../basics/answers.ts';

/**
 * Refuses forms that another site made the payer's browser send. A browser says where a form came from; clients that say
 * nothing are no browsers of today, and for those the page's address is the secret.
 */
export async function ownForms(c: Context<HttpEnv>, next: Next): Promise<Response | void> {
  const from = c.req.header('sec-fetch-site');
  if (from === undefined || from === 'same-origin' || from === 'none') return next();
  return c.text('This form came from another site. Go back to the payment page and use the buttons there.', 403, {
    'cache-control': 'no-store',
  });
}
