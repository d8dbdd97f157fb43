import { RECEIPT } from '../../page/model.ts';
import { Hono, type Context, type Next } from 'hono';
import { endNotNeeded, turnBack, withdrawNow } from '../../payments/lookups.ts';
import type { PageDeps } from '../deps.ts';
import { limitPages, type HttpEnv } from '../basics/answers.ts';
import { isOver, loadSession, sessionToPay, upToDate, versionOf, visitOf, type LoadedSession } from './load-session.ts';
import { storedNextAction } from '../../payments/payment.ts';
import { NewerRequestError, readStoredSession, returnUrl, type OpenSession } from '../../sessions/session.ts';
import { DatabaseUnavailableError, type FlowRun, type Payment } from '../../storage/index.ts';
import {
  BESIDE_INPUT,
  BROWSER_INPUT,
  CHOSEN,
  fragmentPage,
  leavingAddress,
  pageHeaders,
  returnPage,
} from '../../page/index.ts';
import {
  formTooLarge,
  keepLanguage,
  missingPage,
  pageLanguage,
  pageOptions,
  problemsFor,
  showError,
  showPage,
  showTicket,
  tooManyDeclines,
} from './show.ts';
import { textsIn } from '../../page/texts/index.ts';
import { readPayerBrowser, type PayerBrowser } from '@railyard/core/driver';
import * as z from 'zod';
import { renew, resumeRun } from '../../payments/runs/again.ts';
import { BrokenOffError, readForm } from '../basics/request.ts';
import { OverloadedError, declinerOf } from '../basics/limits.ts';
import { checkEntries, startPayment, type PayerInput } from '../../payments/pay.ts';
import { WALLET_TOKEN } from '../../cards/wallet.ts';
import { liveOf } from '../../payments/status.ts';
import { askedFields, besideOf } from './state.ts';
import { AMOUNT_FIELD, CHANGE_AMOUNT, REVIEWED } from '../../sessions/payer-input.ts';
import { savedCards } from '../../cards/index.ts';
import { answerWithNumbers } from '../../sessions/phones.ts';
import type { Changes } from '../basics/server.ts';
import { events, pageStreams, watchPages, type PageUpdates } from './updates.ts';
import { validateMerchant } from './wallet-routes.ts';

/** Longer headers come from no browser. */
const MOST_OF_HEADER = 2048;

const described = z.record(z.string(), z.unknown());

/**
 * The payer's browser by its headers and by the description that the page's script wrote into the form. Without a script the form says nothing:
 * `javaScriptEnabled` is then `false`, and what only a script can see is not known. A stranger may write anything here, so only what can
 * be true is kept.
 */
export function describedBrowser(c: Context, text: string | undefined): PayerBrowser {
  const [userAgent, accept, languages] = ['user-agent', 'accept', 'accept-language'].map((name) =>
    c.req.header(name)?.slice(0, MOST_OF_HEADER),
  );
  const script = readScript(text);
  return readPayerBrowser({
    language: languages?.split(/[,;]/)[0]?.trim(),
    ...script,
    userAgent,
    accept,
    javaScriptEnabled: script !== undefined,
  });
}

function readScript(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return described.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * The page that sends the fragment of a payer's address.
 *
 * @param base where the payer goes on without it
 * @returns undefined where the visit brings nothing so, or something stands in the query
 */
export function askForFragment(
  context: PageDeps,
  c: Context<HttpEnv>,
  {
    session,
    visit,
    base,
  }: { readonly session: OpenSession; readonly visit: FlowRun | undefined; readonly base: string },
): Response | undefined {
  const asks = visit && storedNextAction(context.sealer, visit);
  const isBare = c.req.method === 'GET' && Object.keys(c.req.query()).length === 0;
  if (!isBare || asks?.kind !== 'visit' || asks.inFragment !== true) return undefined;
  const options = pageOptions(c, session);
  return c.html(fragmentPage({ base, ...options }), 200, pageHeaders(undefined, options));
}

const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame']);

/**
 * The browsing context in which a payer goes back to the merchant, where the browser needs the payer's press for it; nothing where a redirect
 * leads there as well. The MID's counts before the request's, `_top` where neither names one (reference: term_url_target, return_url_target;
 * protocol: Override Link Target).
 *
 * In a frame of a page whose origin the merchant has not listed in `frameOrigins` no page of ours is shown: the payer is redirected there.
 */
export function pressedTarget(
  { directory }: PageDeps,
  c: Context,
  { command, fields, request, merchant }: OpenSession,
  payment: Payment | undefined,
): string | undefined {
  const override = payment && directory.mid(payment.midId)?.config.linkTarget;
  // The page that holds the fields is the merchant's own, and so is the frame that it opened for a bank.
  const asked = fields === undefined ? command?.returnTarget : (request.url_target ?? '_self');
  const target = override ?? asked ?? '_top';
  if (target === '_self') return undefined;
  // The browser's own word for what it loads (Fetch Metadata). A browser that sends none is redirected.
  const isFramed = FRAMES.has(c.req.header('sec-fetch-dest') ?? '');
  if (!isFramed) return target === '_top' || target === '_parent' ? undefined : target;
  return merchant.config.frameOrigins.length > 0 ? target : undefined;
}

/**
 * The way back of a payer whom the merchant sent away: the flow goes on, and the payer is led to the merchant, in the browsing context in
 * which they came (reference: 3DS flow). What the browser brings is a hint: the flow asks the provider.
 *
 * @returns undefined where the address belongs to a page of ours, or to nothing
 */
export async function returnToMerchant(context: PageDeps, c: Context<HttpEnv>): Promise<Response | undefined> {
  const stored = await context.stores.sessions.findByTokenHash(context.pageTokens.hash(c.req.param('token') ?? ''));
  if (stored?.payerPresence !== 'merchant' && stored?.payerPresence !== 'fields') return undefined;
  const form = c.req.method === 'POST' ? await readForm(c) : new Map<string, string>();
  if (form === undefined) return formTooLarge(c);
  const attempts = await context.stores.payments.ofSession(stored.id);
  const visit = await visitOf(context, attempts);
  const session = readStoredSession(context, stored);
  const asked = askForFragment(context, c, { session, visit: visit?.run, base: session.request.success_url });
  if (asked !== undefined) return asked;
  // Read before the run goes on, which may end the payment.
  const live = liveOf(attempts, stored.paidPaymentId);
  const target = pressedTarget(context, c, session, live);
  if (visit !== undefined) {
    const values = { ...c.req.query(), ...Object.fromEntries(form) };
    // The payer goes on without waiting for the outcome: a callback notifies the merchant.
    await resumeRun(context, visit.payment, { step: visit.step, values }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown';
      context.log.error({ event: 'return-unclear', payment: visit.payment.id, error: why });
    });
  }
  const after = session.fields && live && (await context.stores.payments.find(live.id));
  return leadBack(c, session, target, after);
}

function leadBack(
  c: Context<HttpEnv>,
  session: OpenSession,
  target: string | undefined,
  payment: Payment | undefined,
): Response {
  const { request, merchant, fields } = session;
  // A return of a command has no parameters of ours; that of hosted fields has them as a page's (reference: Hosted Payment Fields, 4).
  const url = fields === undefined ? request.success_url : returnUrl(request.success_url, session, payment);
  const address = leavingAddress(url);
  if (target === undefined || address === undefined) return c.redirect(url, 303);
  const { name, frameOrigins } = merchant.config;
  const options = pageOptions(c, session);
  const page = returnPage({ merchantName: name, address, target, language: options.language });
  return c.html(page, 200, pageHeaders(undefined, { ...options, frameOrigins }));
}

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

/** After a POST the browser is sent to the page, so that reload and back never send the form again. */
export function backToPage(c: Context, { token }: Pick<LoadedSession, 'token'>, query = ''): Response {
  return c.redirect(`/auth/${token}${query}`, 303);
}

/** The payer gives up an attempt and pays another way, where no money can move by it any more. */
export async function change(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  if (loaded.payment !== undefined) await turnBack(context, loaded.payment);
  return afterwards(context, c, loaded, '?again=1');
}

/** The payer chooses another language, for this page and for whatever they come back to. */
async function speak(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = await readTyped(c);
  if (form === undefined) return formTooLarge(c);
  keepLanguage(c, form.get('language'), context.config.publicUrl);
  const method = form.get('chosen');
  if (method !== undefined) return backToPage(c, loaded, `?${new URLSearchParams({ method }).toString()}#${CHOSEN}`);
  return backToPage(c, loaded, form.has(RECEIPT) ? `?${RECEIPT}=1` : '');
}

/**
 * Closing the form ends a session without an attempt that may still bring money (protocol: cancel_url). The page itself leads on
 * to the merchant: a form may not be redirected to another host under the page's policy.
 */
export async function cancel(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  if (loaded.payment !== undefined) await turnBack(context, loaded.payment);
  await context.stores.sessions.close(loaded.session.stored.id, 'cancelled');
  return afterwards(context, c, loaded, '');
}

/** An attempt that is still open is not left without a word. */
async function afterwards(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
  query: string,
): Promise<Response> {
  const now = (await loadSession(context, loaded.token)) ?? loaded;
  const isOpen = now.payment?.state === 'created' || now.payment?.state === 'pending';
  return backToPage(c, loaded, isOpen ? '?leaving=1' : query);
}

/**
 * Answers a fault of our own at a known session with its error page, which leads to `error_url` (protocol: error_url). After a form whose
 * payment is under way the page says how that stands: money may have moved.
 */
export async function orError(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const isPassing = [DatabaseUnavailableError, NewerRequestError, OverloadedError, BrokenOffError].some(
      (each) => error instanceof each,
    );
    if (isPassing) throw error;
    context.log.error({
      event: 'request-failed',
      request: c.get('requestId'),
      method: c.req.method,
      error: error instanceof Error ? error.message : 'unknown',
    });
    const now = (await loadSession(context, loaded.token)) ?? loaded;
    const { payment } = now;
    const isOpen = payment?.state === 'created' || payment?.state === 'pending';
    return isOpen && c.req.method === 'POST' ? backToPage(c, now) : showError(context, c, now);
  }
}

type Handler = (c: Context<HttpEnv>, loaded: LoadedSession) => Response | Promise<Response>;

/** The hosted page of a session, under `/auth/<token>`. */
export function pageRoutes(context: PageDeps, changes: Changes): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const updates: PageUpdates = { changes, open: pageStreams(), watch: watchPages(context, changes) };
  const withSession =
    (handle: Handler, load = loadSession) =>
    async (c: Context<HttpEnv>) => {
      const loaded = await load(context, c.req.param('token') ?? '');
      return loaded === undefined ? missingPage(c) : handle(c, loaded);
    };
  const onPage = (handle: Handler, load = loadSession) => {
    const work = async (c: Context<HttpEnv>, loaded: LoadedSession) => handle(c, await upToDate(context, loaded));
    return withSession((c, loaded) => orError(context, c, loaded, () => work(c, loaded)), load);
  };
  const post = (action: string, handle: Handler, load = loadSession) =>
    routes.post(`/:token/${action}`, ownForms, onPage(handle, load));
  routes.use(limitPages(context));
  routes.get(
    '/:token',
    onPage((c, loaded) => showPage(context, c, loaded, { ...requested(c), ...amountSaid(c) })),
  );
  routes.get(
    '/:token/ticket',
    onPage((c, loaded) => showTicket(context, c, loaded)),
  );
  post('pay', (c, loaded) => pay(context, c, loaded), sessionToPay);
  post('check', (c, loaded) => checkForm(context, c, loaded));
  post('wallet', (c, loaded) => validateMerchant(context, c, loaded));
  post('answer', (c, loaded) => answer(context, c, loaded));
  post('renew', async (c, loaded) => {
    if (loaded.payment !== undefined) await renew(context, loaded.session, loaded.payment);
    return backToPage(c, loaded);
  });
  post('language', (c, loaded) => speak(context, c, loaded));
  post('change', (c, loaded) => change(context, c, loaded));
  post('cancel', (c, loaded) => cancel(context, c, loaded));
  const backOnPage = onPage((c, loaded) => comeBack(context, c, loaded));
  routes.on(['GET', 'POST'], '/:token/back', async (c) => (await returnToMerchant(context, c)) ?? backOnPage(c));
  routes.get(
    '/:token/status',
    withSession((c, loaded) => c.json({ version: versionOf(loaded, context.now()), final: isOver(loaded) })),
  );
  routes.get(
    '/:token/events',
    withSession((c, loaded) => events(context, c, loaded, updates)),
  );
  return routes;
}

/** The payer's amount, which the page shows as it was understood. In a link of the page it is the reviewed amount. */
function amountSaid(c: Context) {
  const said = c.req.query(AMOUNT_FIELD);
  if (said === undefined) return { changesAmount: c.req.query(CHANGE_AMOUNT) !== undefined };
  return { entered: new Map([[AMOUNT_FIELD, said]]), amountTyped: c.req.query(REVIEWED) === undefined };
}

/** The query of the page's address. A payer who chooses a method wants to pay with it, also after a failed attempt. */
function requested(c: Context<HttpEnv>) {
  const chosen = c.req.query('method');
  return {
    chosen,
    chosenCard: c.req.query('card'),
    again: c.req.query('again') === '1' || chosen !== undefined,
    leaving: c.req.query('leaving') === '1',
    unpaid: c.req.query('unpaid'),
    stays: c.req.query(RECEIPT) !== undefined,
  };
}

/** People type less. */
const LONGEST_ENTRY = 1000;

/** The payer's input in a form of the page; `undefined` for more than a person types, which would cost much to read. */
async function readTyped(c: Context<HttpEnv>): Promise<ReadonlyMap<string, string> | undefined> {
  const form = await readForm(c);
  const isLong = [...(form ?? [])].some(([name, { length }]) => length > LONGEST_ENTRY && name !== WALLET_TOKEN);
  return isLong ? undefined : form;
}

/** The entries of a form of the page, for an attempt. */
async function entriesOf(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
  form: ReadonlyMap<string, string>,
) {
  const { session } = loaded;
  const methodKey = form.get('method') ?? (session.routes.length === 1 ? session.routes[0]?.key : undefined) ?? '';
  const { entered, card } = partsOf(form);
  const payer: PayerInput = {
    methodKey,
    answers: Object.fromEntries(entered),
    card: { entered: card, saved: await savedCards(context, session) },
    ip: c.get('client'),
    beside: form.has(BESIDE_INPUT) && besideOf(context, loaded) !== undefined,
    browser: describedBrowser(c, form.get(BROWSER_INPUT)),
    walletToken: form.get(WALLET_TOKEN) || undefined,
  };
  return { payer, entered, card };
}

async function pay(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = await readTyped(c);
  return form === undefined ? formTooLarge(c) : payBy(context, c, loaded, form);
}

async function payBy(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
  form: ReadonlyMap<string, string>,
): Promise<Response> {
  if (loaded.session.stored.state !== 'open') return backToPage(c, loaded);
  const { payer, entered, card } = await entriesOf(context, c, loaded, form);
  const tooMany = await context.limits.spent('declines', declinerOf(loaded.session.merchant.config.key, payer.ip));
  if (tooMany !== undefined) return tooManyDeclines(c, tooMany);
  // With wrong entries nothing is begun, and nothing is taken back.
  if (
    payer.beside === true &&
    loaded.payment !== undefined &&
    checkEntries(context, loaded.session, payer).length === 0
  )
    await withdrawNow(context, loaded.payment);
  const started = await startPayment(context, loaded.session, payer);
  if (started.kind === 'started') return backToPage(c, loaded);
  if (loaded.isCached) {
    const read = await loadSession(context, loaded.token);
    return read === undefined ? missingPage(c) : payBy(context, c, await upToDate(context, read), form);
  }
  if (started.kind === 'busy')
    return backToPage(c, loaded, `?${new URLSearchParams({ unpaid: payer.methodKey }).toString()}`);
  const problems = new Map(started.issues.map(({ path, message, said }) => [path, said ?? message]));
  // Of a card only name and network are filled in again: an old date would be taken for the next card's. Without scripts a network that the
  // card has not could not be taken back.
  for (const name of ['card.name', 'card.brand']) {
    const text = card.get(name);
    if (text !== undefined && (name === 'card.name' || !problems.has(name))) entered.set(name, text);
  }
  const entry = { chosen: payer.methodKey, chosenCard: card.get('card.saved'), entered, problems, again: true };
  return showPage(context, c, loaded, entry, 422);
}

/** The problems of a form: the page asks before it submits, so that the other entries are not lost. */
async function checkForm(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = await readTyped(c);
  if (form === undefined) return formTooLarge(c);
  const { session } = loaded;
  const { payer, entered } = await entriesOf(context, c, loaded, form);
  const issues = checkEntries(context, session, payer);
  const route = session.routes.find(({ key }) => key === payer.methodKey);
  const fields = route === undefined || issues.length === 0 ? [] : askedFields(context, session, route, entered);
  return c.json({ problems: problemsFor(textsIn(pageLanguage(c, session)), issues, fields) });
}

/** The inputs of a form that the payer does not fill in. */
const NO_ENTRIES: ReadonlySet<string> = new Set(['method', WALLET_TOKEN, BROWSER_INPUT, BESIDE_INPUT]);

/** The entries that are not empty: a card's, and apart from them all others. */
function partsOf(form: ReadonlyMap<string, string>) {
  const given = [...form]
    .map(([name, value]): [string, string] => [name, value.trim()])
    .filter(([name, value]) => !NO_ENTRIES.has(name) && value !== '');
  const isCard = ([name]: [string, string]) => name.startsWith('card.');
  return { entered: new Map(given.filter((each) => !isCard(each))), card: new Map(given.filter(isCard)) };
}

async function answer(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = await readTyped(c);
  if (form === undefined) return formTooLarge(c);
  const step = form.get('step');
  if (step === undefined || loaded.payment === undefined) return backToPage(c, loaded);
  const values = Object.fromEntries([...form].filter(([name]) => name !== 'step' && name !== 'resend'));
  const entered = new Map(Object.entries(values));
  const read = answerWithNumbers(loaded.session.request, ...askedAt(context, loaded, step), values);
  if (read.issues.length > 0) {
    const problems = new Map(read.issues.map(({ path, message, said }) => [path, said ?? message]));
    return showPage(context, c, loaded, { entered, problems, again: false }, 422);
  }
  const signal = form.has('resend') ? ({ step, resend: true } as const) : { step, values: read.answers };
  const result = await resumeRun(context, loaded.payment, signal);
  if (result.kind === 'moved') return backToPage(c, loaded);
  const now = await loadSession(context, loaded.token);
  const problems = new Map(result.problems.map(({ field, message }) => [field, message]));
  return showPage(context, c, now ?? loaded, { entered, problems, again: false }, 422);
}

/** The method of the payment, and the fields for which its flow asks at this step. */
function askedAt({ directory, sealer }: PageDeps, { runs, payment }: LoadedSession, step: string) {
  const run = runs.find((each) => each.state === 'suspended' && each.suspendedStep === step);
  const asks = run && storedNextAction(sealer, run);
  const method = payment && directory.registry.find(payment.method);
  return [method, asks?.kind === 'collect' ? asks.fields : []] as const;
}

/** Where a visit ends. The browser's values are a hint: the flow asks the provider. */
async function comeBack(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = c.req.method === 'POST' ? await readForm(c) : new Map<string, string>();
  if (form === undefined) return formTooLarge(c);
  const values = { ...c.req.query(), ...Object.fromEntries(form) };
  const { session, attempts } = loaded;
  const visit = await visitOf(context, attempts);
  if (visit === undefined || (await endNotNeeded(context, visit.payment, session))) return backToPage(c, loaded);
  const asked = askForFragment(context, c, { session, visit: visit.run, base: `/auth/${loaded.token}` });
  if (asked !== undefined) return asked;
  await resumeRun(context, visit.payment, { step: visit.step, values });
  return backToPage(c, loaded);
}
