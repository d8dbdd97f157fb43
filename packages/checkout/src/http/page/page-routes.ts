import { type Context, Hono } from 'hono';
import { startPayment, checkEntries, type PayerInput } from '../../payments/operations/start-payment.ts';
import { renew } from '../../payments/runs/renew.ts';
import { resumeRun } from '../../payments/runs/resume-run.ts';
import { WALLET_TOKEN } from '../../cards/wallet-attempt.ts';
import { BESIDE_INPUT, BROWSER_INPUT } from '../../page/index.ts';
import { besideOf } from './beside.ts';
import type { PageDeps } from './deps.ts';
import { AMOUNT_FIELD, CHANGE_AMOUNT, REVIEWED } from '../../sessions/payer-amount.ts';
import { savedCards } from '../../cards/index.ts';
import { storedNextAction } from '../../payments/state/stored-views.ts';
import { answerWithNumbers } from '../../sessions/phones.ts';
import type { HttpEnv } from '../basics/answers.ts';
import type { Changes } from '../basics/changes.ts';
import { limitPages } from '../basics/limit-senders.ts';
import { declinerOf } from '../basics/rate-limits.ts';
import { askedFields } from './asked-fields.ts';
import { describedBrowser } from './described-browser.ts';
import { isOver, type LoadedSession, loadSession, sessionToPay, upToDate, versionOf } from './load-session.ts';
import { ownForms } from './own-forms.ts';
import { askForFragment } from './fragment-return.ts';
import { events, type PageUpdates } from './page-updates.ts';
import { watchPages } from './watch-pages.ts';
import { pageStreams } from './page-streams.ts';
import { readForm } from '../basics/read-body.ts';
import { orError } from './page-error.ts';
import { formTooLarge, missingPage, problemsFor, showPage, tooManyDeclines } from './show-page.ts';
import { showTicket } from './show-ticket.ts';
import { validateMerchant } from './wallet-routes.ts';
import { returnToMerchant } from './merchant-return.ts';
import { backToPage, cancel, change } from './ways-out.ts';

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

/** How much the payer says, which the page shows as it was understood; in a link of the page it is what the payer has reviewed. */
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
  const started = await startPayment(context, loaded.session, payer);
  if (started.kind === 'started') return backToPage(c, loaded);
  if (loaded.isInHand) {
    const read = await loadSession(context, loaded.token);
    return read === undefined ? missingPage(c) : payBy(context, c, await upToDate(context, read), form);
  }
  if (started.kind === 'busy')
    return backToPage(c, loaded, `?${new URLSearchParams({ unpaid: payer.methodKey }).toString()}`);
  const problems = new Map(started.issues.map(({ path, message, said }) => [path, said ?? message]));
  for (const [path, text] of card) if (REPEATED.has(path)) entered.set(path, text);
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
  return c.json({ problems: problemsFor(c, session, issues, fields) });
}

/** The inputs of a refused card that the page shows again: never its number or code. */
const REPEATED: ReadonlySet<string> = new Set(['card.expiry', 'card.name']);

/** The inputs of a form that the payer does not fill in. */
const NO_ENTRIES: ReadonlySet<string> = new Set(['method', WALLET_TOKEN, BROWSER_INPUT, BESIDE_INPUT]);

/** The entries that are not empty, those of a card apart from all others. */
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

/** Where a visit ends. What the browser brings is a hint: the flow asks the provider. */
async function comeBack(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const form = c.req.method === 'POST' ? await readForm(c) : new Map<string, string>();
  if (form === undefined) return formTooLarge(c);
  const values = { ...c.req.query(), ...Object.fromEntries(form) };
  const visit = loaded.runs.find((run) => run.state === 'suspended');
  const asked = askForFragment(context, c, { session: loaded.session, visit, base: `/auth/${loaded.token}` });
  if (asked !== undefined) return asked;
  if (loaded.payment !== undefined && visit?.suspendedStep != null)
    await resumeRun(context, loaded.payment, { step: visit.suspendedStep, values });
  return backToPage(c, loaded);
}
