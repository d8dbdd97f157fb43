import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { brandsOf, cardRoutes, enterCard, enteredIn, isOpenAt } from '../../payments/pay-by-fields.ts';
import { savedCards } from '../../cards/index.ts';
import { savedAt } from '../../cards/paid-with.ts';
import type { OpenSession } from '../../sessions/session.ts';
import { jsonAnswer, jsonError, onlyPost, type HttpEnv } from '../basics/answers.ts';
import { declinerOf, tooMany } from '../basics/limits.ts';
import { checkObject, parseJson, readBytes, utf8 } from '../basics/request.ts';
import type { MerchantApiDeps } from '../deps.ts';
import { ownForms } from '../page/routes.ts';
import { problemsFor } from '../page/show.ts';
import { textsIn } from '../../page/texts/index.ts';
import { preflight } from './cors.ts';
import { fieldsLanguage, showFrame } from './frame.ts';
import { FIELDS_OPERATIONS } from '../merchant-api/create-token.ts';
import { processCard } from './processing.ts';
import { badToken, withToken } from './token.ts';

/** Where a merchant has a payment made whose card was entered into hosted fields, below `/api/v1`. */
export function processingRoutes(context: MerchantApiDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  for (const operation of FIELDS_OPERATIONS) {
    const path = `/processing/${operation}/card`;
    routes.post(
      path,
      withToken(context, (c, session) => processCard(context, c, session, operation)),
    );
    routes.options(path, (c) => preflight(context, c));
    routes.all(path, onlyPost);
  }
  return routes;
}

/** Longer than any field is typed. */
const typed = z.string().max(64).optional();
const typedSchema = z.object({ number: typed, brand: typed, expiry: typed, cvv: typed, saved: typed });

/**
 * The addresses of the fields themselves, which are pages of ours in frames. A browser lets no other page reach them, so that no other ever sees
 * a card.
 */
export function fieldRoutes(context: MerchantApiDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get(
    '/session',
    ownForms,
    withToken(context, (c, session) => describe(context, c, session)),
  );
  routes.post(
    '/card',
    ownForms,
    withToken(context, (c, session) => enter(context, c, session)),
  );
  routes.all('/card', onlyPost);
  routes.get(
    '/frame/:frame/:token',
    withToken(context, (c, session) => showFrame(context, c, session)),
  );
  return routes;
}

/** The facts that a form has to know before anything is typed. */
async function describe(context: MerchantApiDeps, c: Context<HttpEnv>, session: OpenSession): Promise<Response> {
  const { request, merchant, stored } = session;
  if (!isOpenAt(stored, context.now())) return badToken(c);
  const saved = savedAt(context, session, cardRoutes(context, session), await savedCards(context, session));
  const entered = await enteredIn(context, session);
  return c.json({
    operation: request.operation,
    amount: request.order.amount,
    currency: request.order.currency,
    brands: brandsOf(context, session),
    saved: saved.map(({ key, brand, kept }) => ({
      key,
      brand,
      last_four: kept.lastFour,
      expires: `${kept.expiryMonth}/${kept.expiryYear}`,
    })),
    entered: entered === undefined ? null : { brand: entered.brand, last_four: entered.lastFour },
    origins: merchant.config.fieldOrigins,
  });
}

/** Takes the card that a payer has typed. */
async function enter(context: MerchantApiDeps, c: Context<HttpEnv>, session: OpenSession): Promise<Response> {
  // A thief tries cards from one address, so the count does not go by the merchant's `customer.ip`.
  const seconds = await context.limits.spent('declines', declinerOf(session.merchant.config.key, c.get('client')));
  if (seconds !== undefined) return jsonAnswer(c, tooMany(seconds));
  const body = await readBytes(c);
  const text = body.ok ? utf8(body.bytes) : undefined;
  const read = text === undefined ? undefined : parseJson(text);
  const object = read?.ok === true ? checkObject(read.body) : undefined;
  const fields = object?.ok === true ? typedSchema.safeParse(object.body) : undefined;
  if (fields?.success !== true)
    return jsonError(c, 400, 'Send a JSON object with the texts number, brand, expiry and cvv.');
  const entered = await enterCard(context, session, { ...fields.data, from: c.get('client') });
  switch (entered.kind) {
    case 'entered':
      return c.json({ result: 'success', card: { brand: entered.brand, last_four: entered.lastFour } });
    case 'invalid':
      return c.json(
        { result: 'error', problems: problemsFor(textsIn(fieldsLanguage(c, session)), entered.issues, []) },
        422,
      );
    case 'busy':
      return jsonError(c, 409, 'A payment is under way or done, or another card was entered just now.');
    case 'over':
      return badToken(c);
  }
}
