import { randomInt } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { beginPayment, checkEntries, type PayerInput } from '../payments/begin.ts';
import { renew } from '../payments/renew.ts';
import { bringBack } from '../payments/turns.ts';
import { WALLET_TOKEN } from '../payments/wallet-attempt.ts';
import type { ServiceContext } from '../service-context.ts';
import { AMOUNT_FIELD } from '../sessions/payer-amount.ts';
import { savedCards } from '../vault/index.ts';
import type { HttpEnv } from './answers.ts';
import type { Changes } from './changes.ts';
import { limitPages } from './limit-senders.ts';
import { isOver, type LoadedSession, loadSession, versionOf } from './load-session.ts';
import { ownForms } from './own-forms.ts';
import { pageStreams } from './page-streams.ts';
import { readForm } from './read-body.ts';
import { formTooLarge, missingPage, problemsFor, showPage } from './show-page.ts';
import { validateMerchant } from './wallet-routes.ts';

type Handler = (c: Context<HttpEnv>, loaded: LoadedSession) => Response | Promise<Response>;

/** The hosted page of a session, under `/auth/<token>`. */
export function pageRoutes(context: ServiceContext, changes: Changes): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const news: News = { changes, begin: pageStreams() };
  const withSession = (handle: Handler) => async (c: Context<HttpEnv>) => {
    const loaded = await loadSession(context, c.req.param('token') ?? '');
    return loaded === undefined ? missingPage(c) : handle(c, loaded);
  };
  routes.use(limitPages(context));
  routes.get(
    '/:token',
    withSession((c, loaded) =>
      showPage(context, c, loaded, {
        chosen: c.req.query('method'),
        chosenCard: c.req.query('card'),
        again: c.req.query('again') === '1',
        ...amountSaid(c),
      }),
    ),
  );
  routes.post(
    '/:token/pay',
    ownForms,
    withSession((c, loaded) => pay(context, c, loaded)),
  );
  routes.post(
    '/:token/check',
    ownForms,
    withSession((c, loaded) => checkForm(context, c, loaded)),
  );
  routes.post(
    '/:token/wallet',
    ownForms,
    withSession((c, loaded) => validateMerchant(context, c, loaded)),
  );
  routes.post(
    '/:token/answer',
    ownForms,
    withSession((c, loaded) => answer(context, c, loaded)),
  );
  routes.post(
    '/:token/renew',
    ownForms,
    withSession(async (c, loaded) => {
      if (loaded.payment !== undefined) await renew(context, loaded.session, loaded.payment);
      return backToPage(c, loaded);
    }),
  );
  routes.post(
    '/:token/cancel',
    ownForms,
    withSession((c, loaded) => cancel(context, c, loaded)),
  );
  routes.on(
    ['GET', 'POST'],
    '/:token/back',
    withSession((c, loaded) => comeBack(context, c, loaded)),
  );
  routes.get(
    '/:token/status',
    withSession((c, loaded) => c.json({ version: versionOf(loaded), final: isOver(loaded) })),
  );
  routes.get(
    '/:token/events',
    withSession((c, loaded) => events(context, c, loaded, news)),
  );
  return routes;
}

/** How much the payer says, which the page shows as it was understood. */
function amountSaid(c: Context): { readonly entered?: ReadonlyMap<string, string> } {
  const said = c.req.query(AMOUNT_FIELD);
  return said === undefined ? {} : { entered: new Map([[AMOUNT_FIELD, said]]) };
}

/** After a POST the browser is sent to the page, so that reload and back never send the form again. */
function backToPage(c: Context, loaded: LoadedSession): Response {
  return c.redirect(`/auth/${loaded.token}`, 303);
}

/** What a form of the page brings to an attempt. */
async function entriesOf(context: ServiceContext, c: Context<HttpEnv>, { session }: LoadedSession) {
  const form = await readForm(c);
  if (form === undefined) return undefined;
  const methodKey = form.get('method') ?? (session.routes.length === 1 ? session.routes[0]?.key : undefined) ?? '';
  const { entered, card } = partsOf(form);
  const payer: PayerInput = {
    methodKey,
    answers: Object.fromEntries(entered),
    card: { entered: card, saved: await savedCards(context, session) },
    ip: c.get('client'),
    browser: browserOf(c),
    walletToken: form.get(WALLET_TOKEN) || undefined,
  };
  return { payer, entered, card };
}

async function pay(context: ServiceContext, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const entries = await entriesOf(context, c, loaded);
  if (entries === undefined) return formTooLarge(c);
  const { payer, entered, card } = entries;
  const begun = await beginPayment(context, loaded.session, payer);
  if (begun.kind === 'begun' || begun.kind === 'busy') return backToPage(c, loaded);
  const problems = new Map(begun.issues.map(({ path, message }) => [path, message]));
  for (const [path, text] of card) if (REPEATED.has(path)) entered.set(path, text);
  const entry = { chosen: payer.methodKey, chosenCard: card.get('card.saved'), entered, problems, again: true };
  return showPage(context, c, loaded, entry, 422);
}

/** What the form would be refused for: the page asks before it sends it, so that no other entry is lost. */
async function checkForm(context: ServiceContext, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const entries = await entriesOf(context, c, loaded);
  if (entries === undefined) return formTooLarge(c);
  return c.json({ problems: problemsFor(c, checkEntries(context, loaded.session, entries.payer)) });
}

/** Longer headers come from no browser. */
const MOST_OF_HEADER = 500;

function browserOf(c: Context): NonNullable<PayerInput['browser']> {
  const [userAgent, accept, languages] = ['user-agent', 'accept', 'accept-language'].map((name) =>
    c.req.header(name)?.slice(0, MOST_OF_HEADER),
  );
  const language = languages?.split(/[,;]/)[0]?.trim();
  return { ...(userAgent && { userAgent }), ...(accept && { accept }), ...(language && { language }) };
}

/** What the page shows again of a card that was refused: never its number or code. */
const REPEATED: ReadonlySet<string> = new Set(['card.expiry', 'card.name']);

/** What was entered, without what is empty; what is about a card is kept apart from all else. */
function partsOf(form: ReadonlyMap<string, string>) {
  const given = [...form]
    .map(([name, value]): [string, string] => [name, value.trim()])
    .filter(([name, value]) => name !== 'method' && name !== WALLET_TOKEN && value !== '');
  const isCard = ([name]: [string, string]) => name.startsWith('card.');
  return { entered: new Map(given.filter((each) => !isCard(each))), card: new Map(given.filter(isCard)) };
}

async function answer(context: ServiceContext, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = await readForm(c);
  if (form === undefined) return formTooLarge(c);
  const step = form.get('step');
  if (step === undefined || loaded.payment === undefined) return backToPage(c, loaded);
  const values = Object.fromEntries([...form].filter(([name]) => name !== 'step' && name !== 'resend'));
  const driven = await bringBack(
    context,
    loaded.payment,
    form.has('resend') ? { step, resend: true } : { step, values },
  );
  if (driven.kind === 'moved') return backToPage(c, loaded);
  const now = await loadSession(context, loaded.token);
  const problems = new Map(driven.problems.map(({ field, message }) => [field, message]));
  return showPage(context, c, now ?? loaded, { entered: new Map(Object.entries(values)), problems, again: false }, 422);
}

/** Where a visit ends. What the browser brings is a hint: the flow asks the provider. */
async function comeBack(context: ServiceContext, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = c.req.method === 'POST' ? await readForm(c) : new Map<string, string>();
  if (form === undefined) return formTooLarge(c);
  const values = { ...c.req.query(), ...Object.fromEntries(form) };
  const visit = loaded.runs.find((run) => run.state === 'suspended');
  if (loaded.payment !== undefined && visit?.suspendedStep != null)
    await bringBack(context, loaded.payment, { step: visit.suspendedStep, values });
  return backToPage(c, loaded);
}

/**
 * Closing the form ends a session without an attempt that may still bring money (protocol: cancel_url). The page itself leads on
 * to the merchant: a form may not be redirected to another host under the page's policy.
 */
async function cancel(context: ServiceContext, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  await context.stores.sessions.close(loaded.session.stored.id, 'cancelled');
  return backToPage(c, loaded);
}

/** Looked at again this often, for changes of which no news came. */
const LOOK_AGAIN_MS = 3000;
const STREAM_MS = 10 * 60_000;
const COME_BACK_MS = [1000, 5000] as const;

/** Where news come from, and who is told. */
interface News {
  readonly changes: Changes;
  readonly begin: ReturnType<typeof pageStreams>;
}

function events(context: ServiceContext, c: Context<HttpEnv>, loaded: LoadedSession, news: News): Response {
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const end = news.begin(loaded.session.stored.id, gone);
    try {
      await tellNews(context, stream, loaded, { changes: news.changes, gone: gone.signal });
    } catch (error) {
      // The stream ends, and the page comes back: what went wrong is not for the payer.
      const why = error instanceof Error ? error.message : 'unknown';
      context.log.warn({ event: 'news-ended', request: c.get('requestId'), error: why });
    } finally {
      end();
    }
  });
}

async function tellNews(
  context: ServiceContext,
  stream: SSEStreamingApi,
  loaded: LoadedSession,
  { changes, gone }: { readonly changes: Changes; readonly gone: AbortSignal },
): Promise<void> {
  const until = context.now() + STREAM_MS;
  let told = -1;
  while (!gone.aborted && !context.stopping.aborted && context.now() < until) {
    const now = (await loadSession(context, loaded.token)) ?? loaded;
    const version = versionOf(now);
    if (version !== told) await stream.writeSSE({ data: JSON.stringify({ version, final: isOver(now) }) });
    else await stream.write(': still here\n\n');
    told = version;
    if (isOver(now)) return;
    await changes.next(
      now.payment?.id ?? now.session.stored.id,
      LOOK_AGAIN_MS,
      AbortSignal.any([gone, context.stopping]),
    );
  }
  // Each page comes back at a time of its own, so that a restart is not followed by all of them at once.
  if (context.stopping.aborted) await stream.write(`retry: ${randomInt(...COME_BACK_MS)}\n\n`);
}
