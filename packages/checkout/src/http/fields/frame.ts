import type { Context } from 'hono';
import { savedCards } from '../../cards/index.ts';
import { savedAt } from '../../cards/paid-with.ts';
import { chooseLanguage, fieldsPage, isFrame, pageHeaders } from '../../page/index.ts';
import { brandsOf, cardRoutes, coBrandsOf, isOpenAt } from '../../payments/pay-by-fields.ts';
import type { OpenSession } from '../../sessions/session.ts';
import { jsonError, type HttpEnv } from '../basics/answers.ts';
import type { MerchantApiDeps } from '../deps.ts';
import { pageOptions } from '../page/show.ts';
import { cardPageFields, choiceOf } from '../page/state.ts';
import { badToken } from './token.ts';

/** The language of the session comes first, then that of the merchant's page, then those of the browser. */
export function fieldsLanguage(c: Context<HttpEnv>, { request }: OpenSession): string {
  const wishes = [request.billing_address?.language, c.req.query('language'), c.req.header('accept-language')];
  return chooseLanguage(wishes.filter((wish) => wish !== undefined).join(','));
}

/** A frame with payment fields. Only pages of the merchant's `fieldOrigins` may hold it. */
export async function showFrame(
  context: MerchantApiDeps,
  c: Context<HttpEnv>,
  session: OpenSession,
): Promise<Response> {
  const frame = c.req.param('frame') ?? '';
  if (!isFrame(frame)) return jsonError(c, 404, 'There is no such frame.');
  const now = context.now();
  // A frame may show the saved cards of its payer.
  if (!isOpenAt(session.stored, now)) return badToken(c);
  const { fieldOrigins } = session.merchant.config;
  const taken = brandsOf(context, session);
  const coBrands = coBrandsOf(context, session);
  const saved = savedAt(context, session, cardRoutes(context, session), await savedCards(context, session));
  const { operation } = session.request;
  const hasNumber = frame === 'form' || frame === 'card';
  const asked = {
    operation,
    payee: false,
    saved: undefined,
    taken,
    coBrands,
    oneWordName: false,
    namedLater: true,
    now,
  } as const;
  const options = { ...pageOptions(c, session), language: fieldsLanguage(c, session) };
  const page = fieldsPage(
    {
      frame,
      token: c.req.param('token') ?? '',
      origins: fieldOrigins,
      card: { taken, ...(hasNumber && coBrands.length > 0 && { coBrands }), others: [] },
      fields: cardPageFields(asked),
      saved: saved.map((each) => ({ ...choiceOf(each), brand: each.brand })),
      now: new Date(now).toISOString(),
    },
    options,
  );
  return c.html(page, 200, pageHeaders(undefined, { ...options, frameOrigins: fieldOrigins }));
}
