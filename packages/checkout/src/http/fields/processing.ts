import { TEXTS } from '@railyard/core';
import { addressFields, customerFields } from '@railyard/core/payer';
import { readPayerBrowser, type PayerBrowser } from '@railyard/core/driver';
import { callbackWords } from '@railyard/core/payment';
import {
  issue,
  onePerPath,
  refusedAnswer,
  validationAnswer,
  type ErrorBody,
  type Issue,
  type ValidationBody,
} from '@railyard/core/protocol';
import type { Context } from 'hono';
import * as z from 'zod';
import { textField } from '../../callbacks/field-schemas.ts';
import type { HeadedAnswer } from '../../idempotency.ts';
import { chooseLanguage } from '../../page/index.ts';
import { textsIn } from '../../page/texts/index.ts';
import { declineText } from '../../page/view.ts';
import { payByFields, type FieldsPayment } from '../../payments/pay-by-fields.ts';
import { kindOf, publicId, stateOf, type Known } from '../../payments/payment.ts';
import { returnParameters, type OpenSession } from '../../sessions/session.ts';
import { jsonAnswer, jsonError, logRefused, type HttpEnv } from '../basics/answers.ts';
import { requiredText } from '../basics/call.ts';
import { declinerOf, tooMany } from '../basics/limits.ts';
import { checkObject, NOT_UTF_8, parseJson, readJsonBytes, unreadableBody, utf8 } from '../basics/request.ts';
import { redirectOf } from '../commands/transactions.ts';
import { declineOf } from '../page/state.ts';
import { fieldsOf } from '../merchant-api/api-call.ts';
import type { FIELDS_OPERATIONS } from '../merchant-api/create-token.ts';
import type { MerchantApiDeps } from '../deps.ts';
import { mayCall } from './cors.ts';
import { badToken } from './token.ts';

type Operation = (typeof FIELDS_OPERATIONS)[number];

/** The payer's browser as clients describe it: the names of the protocol's callbacks without `browser_`, and one that clients send (reference: 4 browser_info). */
const BROWSER_NAMES = {
  accept_headers: 'accept',
  accept_header: 'accept',
  user_agent: 'userAgent',
  language: 'language',
  javascript_enabled: 'javaScriptEnabled',
  java_enabled: 'javaEnabled',
  color_depth: 'colorDepth',
  screen_height: 'screenHeight',
  screen_width: 'screenWidth',
  timezone_offset: 'timeZoneOffset',
  platform: 'platform',
} as const;

/** The body of `processing/…/card` (reference: Hosted Payment Fields, 4 pay). Other fields are ignored. */
export const processingSchema = z.object({
  name: requiredText.describe('The name on the card.'),
  with_hosted_fields: z
    .literal([true, 'true', 'Y'], TEXTS.choice)
    .describe('The card was entered into hosted fields. There is no other way to pay at this address.')
    .optional(),
  email: customerFields.email.describe('E-mail address of the payer.').optional(),
  birth_date: customerFields.birth_date.describe('Birth date of the payer.').optional(),
  selected_language: requiredText
    .describe('The language of the merchant’s page, where the browser tells none.')
    .optional(),
  billing_address: z.object(addressFields).partial().describe('The address of the payer, as in a session.').optional(),
  browser_info: z
    .record(z.string(), z.unknown(), TEXTS.type('object'))
    .describe('The payer’s browser, for 3-D Secure: `user_agent`, `language`, `screen_width` and so on.')
    .optional(),
  public_id: requiredText
    .describe('Asks how this payment of the token stands, as its answer named it. Without it a payment begins.')
    .optional(),
});

type Fields = z.output<typeof processingSchema>;

/** The answer of `processing/…/card` (reference: Hosted Payment Fields, 4 answer). */
export const processingAnswer = z.object({
  result: z
    .enum(['success', 'decline', 'redirect', 'waiting', 'undefined'])
    .describe('`redirect`: send the payer to `redirect_url`. `waiting` and `undefined`: a callback follows.'),
  public_id: textField('The payment, as callbacks name it.'),
  return_url_query_params: z
    .record(z.string(), z.string())
    .describe('The query with which the payer comes back to `return_url`.'),
  redirect_url: textField('Send the payer there.').optional(),
  redirect_method: z.enum(['GET', 'POST']).describe('How to send the payer there.').optional(),
  redirect_params: z
    .record(z.string(), z.string())
    .describe('To be submitted by POST. Empty where the payer just goes there.')
    .optional(),
  decline_message: textField('Why it was declined, for the payer, in the language of the payer.').optional(),
});

type ProcessingBody = z.output<typeof processingAnswer>;

const RESULTS = { success: 'success', fail: 'decline', waiting: 'waiting', undefined: 'undefined' } as const;

/** `POST /api/v1/processing/{purchase|debit}/card`: the token proves the caller, and its session has the order. */
export async function processCard(
  context: MerchantApiDeps,
  c: Context<HttpEnv>,
  session: OpenSession,
  operation: Operation,
): Promise<Response> {
  if (!mayCall(c, session.merchant.config))
    return jsonError(c, 403, 'This origin is not among the fieldOrigins of the merchant.');
  const body = await readJsonBytes(c);
  const answer = body.ok ? await processed(context, session, operation, utf8(body.bytes)) : body.answer;
  if (answer === 'bad-token') return badToken(c);
  const call = `/processing/${operation}/card`;
  if (answer.status >= 400) logRefused(context, c, { call, answer, merchantKey: session.request.merchant_key });
  return jsonAnswer(c, answer);
}

async function processed(
  context: MerchantApiDeps,
  session: OpenSession,
  operation: Operation,
  text: string | undefined,
): Promise<HeadedAnswer<ProcessingBody | ValidationBody | ErrorBody> | 'bad-token'> {
  if (text === undefined) return unreadableBody(NOT_UTF_8);
  const read = parseJson(text);
  if (!read.ok) return read.answer;
  const object = checkObject(read.body);
  if (!object.ok) return object.answer;
  const checked = fieldsOf(processingSchema, withoutEmpty(object.body));
  if (!checked.ok) return checked.answer;
  // The endpoint must match the session's operation (protocol: Endpoints).
  if (session.stored.operation !== operation) return validationAnswer([issue('operation', TEXTS.choice)]);
  const { public_id } = checked.fields;
  if (public_id !== undefined) {
    const payments = await context.stores.payments.ofSession(session.stored.id);
    const payment = payments.find((each) => publicId(each) === public_id);
    if (payment === undefined) return validationAnswer([issue('public_id', NO_SUCH_PAYMENT)]);
    return { status: 200, body: await bodyOf(context, session, { payment }, languageOf(session, checked.fields)) };
  }
  const paid = await payByFields(context, session, {
    ...paymentOf(checked.fields),
    declinesSpent: async (addresses) => {
      const { key } = session.merchant.config;
      const waits = addresses.map((each) => context.limits.spent('declines', declinerOf(key, each)));
      const seconds = (await Promise.all(waits)).filter((each) => each !== undefined);
      return seconds.length === 0 ? undefined : Math.max(...seconds);
    },
  });
  switch (paid.kind) {
    case 'begun':
      return { status: 200, body: await bodyOf(context, session, paid.known, languageOf(session, checked.fields)) };
    case 'invalid':
      return validationAnswer(onePerPath(paid.issues.map(sentAs)));
    case 'busy':
      return refusedAnswer('Previous payment not completed.');
    case 'over':
      return 'bad-token';
    case 'limited':
      return tooMany(paid.seconds);
  }
}

const NO_SUCH_PAYMENT = 'No payment of this token has this id. Send the request without it to begin one.';

/** An empty field is like one that is not sent, as in a session. */
function withoutEmpty(body: object): object {
  const filled = (value: object) =>
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== '' && each !== null));
  const { name, billing_address, ...others }: Record<string, unknown> = { ...body };
  const isObject = typeof billing_address === 'object' && billing_address !== null && !Array.isArray(billing_address);
  return {
    ...filled(others),
    ...(name !== undefined && { name }),
    ...(billing_address !== undefined && { billing_address: isObject ? filled(billing_address) : billing_address }),
  };
}

function paymentOf({
  name,
  email,
  birth_date,
  billing_address = {},
  browser_info,
  selected_language,
}: Fields): Omit<FieldsPayment, 'declinesSpent'> {
  const address = Object.entries(billing_address).map(([key, value]) => [`billing_address.${key}`, value]);
  const answers = { 'customer.email': email, 'customer.birth_date': birth_date, ...Object.fromEntries(address) };
  return {
    name,
    answers: Object.fromEntries(
      Object.entries(answers).flatMap(([path, value]) => (typeof value === 'string' ? [[path, value]] : [])),
    ),
    browser: describedBy({ language: selected_language, ...browser_info }),
  };
}

/** The parts of it that can be true: a wrong word of a browser is no reason to refuse a payment. */
function describedBy(info: Readonly<Record<string, unknown>>): PayerBrowser {
  const named = Object.entries(BROWSER_NAMES).flatMap(([name, field]) => {
    const value = info[name] ?? info[`browser_${name}`];
    return value === undefined || value === null ? [] : [[field, plain(field, value)] as const];
  });
  // The protocol's own name counts before the one that clients send.
  return readPayerBrowser(Object.fromEntries(named.toReversed()));
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(['accept', 'userAgent', 'language', 'platform']);

/** Numbers and flags arrive as texts, too: from forms. */
function plain(field: string, value: unknown): unknown {
  if (typeof value !== 'string' || TEXT_FIELDS.has(field)) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return value.trim() === '' ? value : Number(value);
}

/** The page's paths, as this request names its fields. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ['card.name', 'name'],
  ['customer.name', 'name'],
  ['customer.email', 'email'],
  ['customer.birth_date', 'birth_date'],
]);

const sentAs = (each: Issue): Issue => ({ ...each, path: PATHS.get(each.path) ?? each.path });

/** The payer's language: that of the session, as on a page of ours, then that of the merchant's page and of the browser. */
function languageOf({ request }: OpenSession, { selected_language, browser_info = {} }: Fields): string {
  const wishes = [request.billing_address?.language, selected_language, describedBy(browser_info).language];
  return chooseLanguage(wishes.filter((wish) => wish !== undefined).join(','));
}

async function bodyOf(
  context: MerchantApiDeps,
  session: OpenSession,
  known: Known,
  language: string,
): Promise<ProcessingBody> {
  const { payment } = known;
  // Once it is stored, nothing may keep it from being answered.
  const redirect = await redirectOf(context, session, known).catch(() => undefined);
  const { status } = callbackWords(kindOf(payment), stateOf(payment));
  const { redirect_url, redirect_method = 'GET', redirect_params = {} } = redirect?.redirect ?? {};
  const result = redirect_url === undefined ? RESULTS[status] : 'redirect';
  const parameters = Object.entries(returnParameters(session, payment));
  return {
    result,
    public_id: publicId(payment),
    ...(redirect_url !== undefined && wayOf(redirect_url, redirect_method, redirect_params)),
    return_url_query_params: Object.fromEntries(
      parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    ...(result === 'decline' && { decline_message: declineMessage(payment, language) }),
  };
}

/** The text of the page: the reason of a payment is the provider's, for the merchant. */
function declineMessage(payment: Known['payment'], language: string): string {
  const page = textsIn(language);
  return declineText(page, declineOf(payment)) || page.texts.declines.declined_by_provider;
}

/** Clients submit parameters by POST whatever the method is: those of a GET stand in the address. */
function wayOf(url: string, redirect_method: 'GET' | 'POST', params: Readonly<Record<string, string>>) {
  if (redirect_method === 'POST') return { redirect_url: url, redirect_method, redirect_params: params };
  const target = new URL(url);
  // A query is not written anew: a bank may have signed it as it is.
  target.search = [target.search.slice(1), String(new URLSearchParams(params))].filter((each) => each !== '').join('&');
  const hasNone = Object.keys(params).length === 0;
  return { redirect_url: hasNone ? url : target.href, redirect_method, redirect_params: {} };
}
