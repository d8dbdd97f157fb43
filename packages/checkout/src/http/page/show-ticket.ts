import type { Context } from 'hono';
import { ticketOf } from '../../page/index.ts';
import type { HttpEnv } from '../basics/answers.ts';
import type { PageDeps } from './deps.ts';
import type { LoadedSession } from './load-session.ts';
import { missingPage, modelUnderWay, pageLanguage } from './show-page.ts';

/** It is opened in a tab of its own, or kept as a file; it has no scripts and loads nothing. */
const HEADERS = {
  'content-type': 'application/pdf',
  'content-disposition': 'inline; filename="ticket.pdf"',
  'content-security-policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  vary: 'Accept-Language',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

/** The voucher that the page shows, as a document to print. */
export async function showTicket(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const language = pageLanguage(c, loaded.session);
  const ticket = ticketOf(modelUnderWay(context, loaded), language);
  if (ticket === undefined) return missingPage(c);
  const { ticketPdf } = await import('../../page/ticket/ticket-pdf.ts');
  return c.body(await ticketPdf(ticket, new Date(context.now())), 200, { ...HEADERS, 'content-language': language });
}
