import { hash } from 'node:crypto';
import {
  parseSession,
  signRequest,
  type HashHex,
  type Issue,
  type SessionRequest,
  type Verification,
} from '@railyard/core/protocol';
import { openText, sealedAt, type Sealer } from '../secrets/index.ts';
import type { Merchant, Route } from '../merchants/directory.ts';
import { namesOf } from '../merchants/methods.ts';
import { vatIn } from '../merchants/shares.ts';
import type { Resource } from '../idempotency.ts';
import type { SessionDeps } from './deps.ts';
import type { MerchantScope, NewSession, Payment, Session } from '../storage/index.ts';
import { newest } from '../deployment/catalogue.ts';
import { routesOf } from '@railyard/core/registry';
import { withNumbers } from './phones.ts';
import { money, type Money } from '@railyard/core';
import { THREE_D_SECURE_FIELDS, type AuthenticationValues, statusWord } from '@railyard/core/payment';
import * as z from 'zod';
import { returnState } from '@railyard/core/merchant';

/** Node's own digests, several times as fast as core's. If its OpenSSL has no MD5 (FIPS), core's are used. */
export const fastHash: HashHex | undefined = hasMd5() ? (algorithm, text) => hash(algorithm, text) : undefined;

function hasMd5(): boolean {
  try {
    return hash('md5', '') !== '';
  } catch {
    return false;
  }
}

/** The legacy hash of callbacks and returns; both cover the same fields (reference: Signatures, row 11). */
export function callbackHash(session: OpenSession, paymentId: string): string {
  const { order } = session.request;
  const options = {
    digest: session.stored.hashDigest,
    dialect: session.stored.hashDialect,
    ...(fastHash && { hash: fastHash }),
  };
  const password = newest(session.merchant.config.password);
  const fields = {
    payment_id: paymentId,
    number: order.number,
    currency: order.currency,
    description: order.description,
  };
  return order.amount === undefined
    ? signRequest('callback_without_amount', fields, password, options)
    : signRequest('callback', { ...fields, amount: order.amount }, password, options);
}

/** The form in which requests are kept. One more for each change by which a process of before would misread them. */
const FORM = 1;

const newerForm = z.object({ form: z.int().gt(FORM) });

/** The request was kept by a newer version of the service, in a form that this one does not know: a newer process takes it. */
export class NewerRequestError extends Error {
  override readonly name = 'NewerRequestError';

  constructor() {
    super('The request was kept by a newer version of the service: a process of that version takes it.');
  }
}

/** Values of 3-D Secure as they are stored. */
export const authenticationSchema = z.partialRecord(z.enum(THREE_D_SECURE_FIELDS), z.string());

/**
 * A request as it was accepted: its fields, read, and the amount that they came to. What was accepted stays so: no later rule may keep
 * a payment from ending, or change what a run that is under way sends.
 */
const acceptedSchema = z.object({
  /** See `FORM`; the first one had no mark. */
  form: z.int().exactOptional(),
  accepted: z.custom<Omit<SessionRequest, 'amount'>>((fields) => typeof fields === 'object' && fields !== null),
  /** A decimal string, or `payer`. */
  amount: z.string(),
  command: z
    .object({
      action: z.string(),
      protocol: z.enum(['card', 'apm']).exactOptional(),
      returnTarget: z.string().exactOptional(),
      callbackUrl: z.string().exactOptional(),
      payer: z
        .object({
          payer_first_name: z.string().exactOptional(),
          payer_last_name: z.string().exactOptional(),
          payer_address2: z.string().exactOptional(),
        })
        .exactOptional(),
      payerPresent: z.boolean().exactOptional(),
      authentication: authenticationSchema.exactOptional(),
    })
    .exactOptional(),
  fields: z.object({ askedFrom: z.string().exactOptional() }).exactOptional(),
  vatRate: z.string().exactOptional(),
});

/** The server-to-server command that a request came as. */
export interface AcceptedCommand {
  readonly action: string;
  /** S2S CARD or S2S APM. Default: S2S APM. */
  readonly protocol?: 'card' | 'apm';
  /** The browsing context that the payer comes back in: a keyword or the name of a frame (reference: term_url_target). */
  readonly returnTarget?: string;
  /** Where this payment's callbacks go in place of the merchant's address. */
  readonly callbackUrl?: string;
  /** The fields of the payer that a session has no place for; callbacks carry them as they were sent. */
  readonly payer?: {
    readonly payer_first_name?: string;
    readonly payer_last_name?: string;
    readonly payer_address2?: string;
  };
  /** Whether the payer is there, as the merchant says it (protocol: payer_present). */
  readonly payerPresent?: boolean;
  /** The result of 3-D Secure at the merchant's own MPI; callbacks and lookups carry it as it was sent (protocol: 3DS attributes). */
  readonly authentication?: AuthenticationValues;
}

/** The request for a token of hosted fields that a session came as. */
export interface AcceptedFields {
  /** The address that asked for the token. */
  readonly askedFrom?: string;
}

/** The facts of an accepted request beside its own fields. */
interface AcceptedWith {
  readonly command?: AcceptedCommand | undefined;
  readonly fields?: AcceptedFields | undefined;
  /** The rate of value-added tax in percent when it was accepted, where it asked for the tax. */
  readonly vatRate?: string | undefined;
}

/** The request as a session stores it. */
export function acceptedText(
  { amount, ...accepted }: SessionRequest,
  { command, fields, vatRate }: AcceptedWith = {},
): string {
  const kept: z.input<typeof acceptedSchema> = {
    form: FORM,
    accepted,
    amount: amount === 'payer' ? amount : amount.text,
    ...(command && { command }),
    ...(fields && { fields }),
    ...(vatRate !== undefined && { vatRate }),
  };
  return JSON.stringify(kept);
}

export type ReadRequest =
  | {
      readonly ok: true;
      readonly session: SessionRequest;
      readonly command?: AcceptedCommand;
      readonly fields?: AcceptedFields;
      readonly vatRate?: string;
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads the stored part of a session's request. Today's rules do not judge it again; only one from before requests were kept as
 * accepted, which is the merchant's own text, is read by them.
 *
 * @param today the day on which it was accepted, `YYYY-MM-DD`
 * @throws NewerRequestError for a request that a newer version stored
 */
export function readAccepted(text: string, today: string): ReadRequest {
  const stored: unknown = JSON.parse(text);
  const kept = acceptedSchema.safeParse(stored);
  if (kept.success ? (kept.data.form ?? FORM) > FORM : newerForm.safeParse(stored).success)
    throw new NewerRequestError();
  if (!kept.success) return parseSession(stored, { today, openAmount: () => true });
  const { accepted, amount, command, fields, vatRate } = kept.data;
  return {
    ok: true,
    session: { ...accepted, amount: amount === 'payer' ? amount : money(amount, accepted.order.currency) },
    ...(command && { command }),
    ...(fields && { fields }),
    ...(vatRate !== undefined && { vatRate }),
  };
}

/** A stored session with its request read again and its merchant. */
export interface OpenSession {
  readonly stored: Session;
  readonly request: SessionRequest;
  readonly merchant: Merchant;
  /** The methods that the payer can use, in the order of the request. */
  readonly routes: readonly Route[];
  /** The server-to-server command that it came as: its payments are called back in the words of commands. */
  readonly command?: AcceptedCommand;
  /** The request for a token of hosted fields that it came as. */
  readonly fields?: AcceptedFields;
  /** The rate of value-added tax in percent, where the merchant asked for the tax. */
  readonly vatRate?: string;
}

/**
 * Reads a stored session again, as it was accepted, whatever has become of the rules and of the merchant's methods and limits since:
 * money that comes must always find its session.
 *
 * @throws Error when the merchant is no longer configured; NewerRequestError when a newer version of the service kept it.
 */
export function readStoredSession(context: Pick<SessionDeps, 'directory' | 'sealer'>, stored: Session): OpenSession {
  const merchant = context.directory.merchantOf(stored);
  if (merchant === undefined) throw new Error(`Session ${stored.id}: its merchant is no longer configured.`);
  const request = openText(context.sealer, stored.requestText, sealedAt.request(stored.id));
  const today = stored.createdAt.toISOString().slice(0, 10);
  const parsed = readAccepted(request, today);
  if (!parsed.ok)
    throw new Error(`Session ${stored.id}: it cannot be read at ${parsed.issues.map((each) => each.path).join(', ')}.`);
  const { session, command, fields, vatRate } = parsed;
  let routes: readonly Route[] | undefined;
  // The payer of a method cannot mend a number that the merchant sent.
  const canRead = (key: string) =>
    withNumbers(context.directory.registry, merchant.profile, session, key).issues.length === 0;
  return {
    stored,
    request: session,
    merchant,
    // Found when they are asked for: a page and an attempt need them, a report of a provider does not.
    get routes() {
      return (routes ??= usableRoutes(context, merchant, session).filter(({ key }) => canRead(key)));
    },
    ...(command && { command }),
    ...(fields && { fields }),
    ...(vatRate !== undefined && { vatRate }),
  };
}

/**
 * The value-added tax that the order's amount contains, of a session that asked for it.
 *
 * @param received the amount of an order that leaves it to the payer, once it is known
 */
export function vatOf(
  { request: { order }, vatRate }: Pick<OpenSession, 'request' | 'vatRate'>,
  received?: string,
): { readonly rate: string; readonly amount: Money } | undefined {
  const text = order.amount ?? received;
  if (vatRate === undefined || text === undefined) return undefined;
  return { rate: vatRate, amount: vatIn(money(text, order.currency), vatRate) };
}

/**
 * The methods that the payer can use. The request names them; otherwise the merchant's rules choose. Each with the first of
 * its MIDs that takes this request. What the payer can still be asked for does not stand in the way.
 *
 * @param except ids of MIDs that were tried already
 */
export function usableRoutes(
  { directory }: Pick<SessionDeps, 'directory'>,
  { profile, config }: Merchant,
  request: SessionRequest,
  except?: ReadonlySet<string>,
): Route[] {
  return routesOf(directory.registry, request, { profile, except }).flatMap(({ key, method, entry }) => {
    const mid = directory.mid(entry.mid ?? '');
    const names = namesOf(
      method,
      config.methods.find((each) => each.key === key),
    );
    return mid === undefined ? [] : [{ key, method, names, mid, profile: entry }];
  });
}

/** The merchant who asks for a charge or a payout, and how the request is signed. */
export interface Asker {
  readonly merchant: Merchant;
  readonly scope: MerchantScope;
  readonly signature: Extract<Verification, { ok: true }>;
  /** The address that the request came from, where it came by the network. */
  readonly client?: string | undefined;
}

/**
 * The session of a request by a merchant's server, which has no page. Its id is the resource's, and so is the id of its first
 * payment.
 *
 * @param command the server-to-server command that asks for it, in whose words it is called back
 * @param payerPresence `merchant` where the merchant sends the payer to what the flow asks for
 * @returns undefined for an order number that was used within the duplicate window
 */
export async function chargeSession(
  context: SessionDeps,
  { scope, signature }: Asker,
  request: SessionRequest,
  { resourceId: id, isRetry }: Resource,
  command?: AcceptedCommand,
  payerPresence: 'merchant' | 'none' = 'none',
): Promise<OpenSession | undefined> {
  const before = isRetry ? await context.stores.sessions.find(id) : undefined;
  if (before !== undefined) return readStoredSession(context, before);
  const created = await context.stores.sessions.create({
    ...newSession(context, { id, scope, request, command, payerPresence }),
    hashDialect: signature.dialect === 'either' ? 'ascii' : signature.dialect,
    hashDigest: signature.digest,
  });
  return created.result === 'duplicate' ? undefined : readStoredSession(context, created.stored);
}

/** The charge, its merchant, and how it reaches the payer. */
interface Charged {
  readonly id: string;
  readonly scope: MerchantScope;
  readonly request: SessionRequest;
  readonly command: AcceptedCommand | undefined;
  readonly payerPresence: 'merchant' | 'none';
}

/** The session of a charge as it is stored; how it is signed is said by its caller. */
export function newSession(
  { pageTokens, sealer }: SessionDeps,
  { id, scope, request, command, payerPresence }: Charged,
): Omit<NewSession, 'hashDialect' | 'hashDigest'> {
  return {
    id,
    merchantKey: scope.merchantKey,
    keyAsSent: request.merchant_key,
    operation: request.operation,
    orderNumber: request.order.number,
    tokenHash: pageTokens.hash(pageTokens.of(id)),
    requestText: sealer.seal(acceptedText(request, { command }), sealedAt.request(id)),
    test: scope.test,
    lifetimeMinutes: request.session_expiry,
    payerPresence,
  };
}

/** Stands where the merchant's words about the order were. */
export const ERASED = 'Removed after the retention period.';

/**
 * The rest of a request once its personal data is erased, sealed: the order's number and amount, and the fields that decide how
 * later events of the provider are passed on. All other fields are removed.
 *
 * @throws Error when the request cannot be read
 */
export function erasedRequest(sealer: Sealer, { id, requestText, createdAt }: Session): string {
  const text = openText(sealer, requestText, sealedAt.request(id));
  const read = readAccepted(text, createdAt.toISOString().slice(0, 10));
  if (!read.ok) throw new Error(`Session ${id}: its request cannot be read.`);
  const { session, command, fields, vatRate } = read;
  const { number, amount, currency } = session.order;
  const left = {
    merchant_key: session.merchant_key,
    operation: session.operation,
    // Its page leads back to the shop, and says nothing else.
    success_url: new URL(session.success_url).origin,
    session_expiry: session.session_expiry,
    hash: '',
    order: { number, currency, description: ERASED, ...(amount !== undefined && { amount }) },
    amount: session.amount,
    ...(session.methods && { methods: session.methods }),
    req_token: session.req_token,
    auth: session.auth,
    recurring_init: session.recurring_init,
    vat_calc: session.vat_calc,
    recurring_consent_required: session.recurring_consent_required,
  };
  const acceptedWith = { command: command && { ...command, payer: {} }, fields: fields && {}, vatRate };
  return sealer.seal(acceptedText(left, acceptedWith), sealedAt.request(id));
}

/** The part of a payment that the return parameters report. */
type Returned = Pick<
  Payment,
  'id' | 'merchantReference' | 'method' | 'methodAlias' | 'cardBrand' | 'updatedAt' | 'state' | 'unknown'
>;

/** The parameters that every return has, whatever becomes of the payment (protocol: Redirects). */
export function returnParameters(session: OpenSession, payment: Pick<Payment, 'id' | 'merchantReference'>) {
  return {
    payment_id: payment.id,
    trans_id: payment.merchantReference,
    order_id: session.request.order.number,
    hash: session.merchant.config.returnHash ? callbackHash(session, payment.id) : undefined,
  };
}

/**
 * A merchant's URL with the return parameters (protocol: Redirects). They replace parameters of the same names, so that none can
 * be forged; the rest of the merchant's query stays.
 */
export function returnUrl(url: string, session: OpenSession, payment: Returned | undefined): string {
  const target = new URL(url);
  if (payment === undefined) return target.href;
  const { config } = session.merchant;
  const { hash: ofPayment, ...usual } = returnParameters(session, payment);
  const parameters = { ...usual, state: stateFor(session, payment), hash: ofPayment };
  // The parameters that the merchant has switched on (protocol: Return additional parameters).
  const further = {
    payment_method: payment.methodAlias,
    brand: payment.cardBrand ?? payment.method,
    checkout_payment_method: payment.methodAlias,
  };
  const added = new Map<string, string | undefined>([
    ...config.returnData.map((name) => [name, further[name]] as const),
    ...Object.entries(parameters),
  ]);
  // Not by `searchParams`, which writes the whole query anew: the merchant's part may be signed, or be a template (RFC 3986, 2.4).
  const kept = target.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !added.has(nameOf(pair)));
  const ours = new URLSearchParams(
    [...added].flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  );
  target.search = [...kept, ours.toString()].join('&');
  return target.href;
}

/** The name of a pair as a reader of forms sees it. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

/** So long after its last change a return says how a payment stands. */
const STATE_SECONDS = 24 * 3600;

/** How the payment stands, signed with the callback secret; absent where the merchant has none. */
function stateFor({ request, merchant }: OpenSession, payment: Returned): string | undefined {
  const { callbackSecret } = merchant.config;
  if (callbackSecret === undefined) return undefined;
  return returnState(newest(callbackSecret), {
    merchant_key: request.merchant_key,
    payment_id: payment.id,
    trans_id: payment.merchantReference,
    order_id: request.order.number,
    status: statusWord(payment),
    expires: Math.floor(payment.updatedAt.getTime() / 1000) + STATE_SECONDS,
  });
}
