import { formulas, withoutTrailingSlashes } from '@railyard/core/protocol';
import {
  type CallbackFields,
  type CheckedSignature,
  type CommandCallbackFields,
  type Formula,
  type InnerDigest,
  type ReturnProblem,
  type SignedFields,
  type SignedOrder,
  signRequest,
  signSession,
  type VerifiedReturn,
  type VerifyCallback,
  verifyCallback,
  verifyCommandCallback,
  verifyReturn,
  webhookSignature,
} from '@railyard/core/merchant';
import {
  type Accepted,
  accepted,
  type Charged,
  charged,
  type CreatedSession,
  createdSession,
  type CreatedToken,
  createdToken,
  type FieldsPaid,
  fieldsPaid,
  type MovedClock,
  movedClock,
  type PaymentStatus,
  paymentStatus,
  paymentStatuses,
  type Read,
  type Voided,
  voided,
} from './answers.ts';
import { ask } from './ask.ts';
import { type Commands, commandsOf } from './commands.ts';
import { valueOf } from './read-answer.ts';
import type {
  AmountOnPayment,
  CardCredit,
  FieldsPayment,
  NewSession,
  NewToken,
  OnPayment,
  RecurringCharge,
} from './requests.ts';
import { type CallOptions, checkedTimeout, type Fetch, type RequestKey, type Sending } from './send.ts';

export interface ClientOptions {
  /** Where the checkout is: `https://pay.example.com`. */
  readonly baseUrl: string;
  readonly merchantKey: string;
  /** The merchant password. It signs and is never sent. Not needed beside a `requestKey`, which signs more. */
  readonly password?: string;
  /** The key that signs each request in its headers: payouts need it. The checkout has its id and its secret, `whsec_…`. */
  readonly requestKey?: RequestKey;
  /** The digest agreed with the checkout. Default: `md5`. */
  readonly digest?: InnerDigest;
  /** `whsec_…`, for `verifyCallback`; both while it is being replaced. */
  readonly callbackSecret?: string | readonly string[];
  /** How many milliseconds a call waits for its answer. Default: 60 000. */
  readonly timeoutMs?: number;
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch;
}

export interface ReceivedCallback {
  /** The body as it came, before anything parsed it. */
  readonly body: string | Uint8Array;
  readonly headers: VerifyCallback['headers'];
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number;
}

export type CheckedCallback = CheckedSignature<CallbackFields>;

export type CheckedCommandCallback = CheckedSignature<CommandCallbackFields>;

export type CheckedReturn =
  | { readonly ok: true; readonly return: VerifiedReturn }
  | { readonly ok: false; readonly reason: ReturnProblem };

export interface Client extends Commands {
  /** Creates a session; send the payer to its `redirect_url`. */
  createSession(session: NewSession, options?: CallOptions): Promise<CreatedSession>;
  /** Creates a session for payment fields on your own page, and gives its token. */
  createToken(session: NewToken, options?: CallOptions): Promise<CreatedToken>;
  /** Pays with the card that stands in the payment fields. A repeat without another card is answered as the payment stands. */
  payByFields(payment: FieldsPayment, options?: Omit<CallOptions, 'idempotencyKey'>): Promise<FieldsPaid>;
  /** How a payment stands. */
  status(payment: OnPayment, options?: CallOptions): Promise<PaymentStatus>;
  /** How the newest payment of an order stands. */
  orderStatus(order: { readonly order_id: string }, options?: CallOptions): Promise<PaymentStatus>;
  /** The payments of an order, newest first; `size` is 1 to 100. */
  orderPayments(
    order: { readonly order_id: string; readonly size: number },
    options?: CallOptions,
  ): Promise<PaymentStatus[]>;
  /** Takes money that is held, whole or in part. */
  capture(payment: AmountOnPayment, options?: CallOptions): Promise<Accepted>;
  /** Gives money back, whole or in part. */
  refund(payment: AmountOnPayment, options?: CallOptions): Promise<Accepted>;
  /** Takes a settled payment back, before the banks have cleared it. */
  void(payment: OnPayment, options?: CallOptions): Promise<Voided>;
  /** Charges again what a first payment agreed to. */
  recurring(charge: RecurringCharge, options?: CallOptions): Promise<Charged>;
  /** Tries a charge again that was declined softly. */
  retry(payment: OnPayment, options?: CallOptions): Promise<Accepted>;
  /** Pays out to a card. */
  credit(payout: CardCredit, options?: CallOptions): Promise<Accepted>;
  /** Has time pass for the test payments of a test key: `30min`, `6h`, `40d`. A repeat moves it again, unless it has the `idempotencyKey` of the first. */
  moveClock(move: { readonly advance: string }, options?: CallOptions): Promise<MovedClock>;
  /** Checks that a callback comes from the checkout, whole and unchanged, and reads it. */
  verifyCallback(received: ReceivedCallback): CheckedCallback;
  /** The same for the callbacks of server-to-server commands, which have other fields. */
  verifyCommandCallback(received: ReceivedCallback): CheckedCommandCallback;
  /** Checks that a return names a payment of this order, and with the `callbackSecret` how it stood. **Deliver for a callback, not for a return.** */
  verifyReturn(returned: {
    readonly query: string;
    readonly order: SignedOrder;
    /** Milliseconds since 1970. Default: now. */
    readonly now?: number;
  }): CheckedReturn;
}

/**
 * A client for one merchant of a checkout. Calls resolve with the protocol's own answers; whatever else comes of them is thrown as one of the errors, told
 * apart by `kind`.
 *
 * @throws RangeError for options that cannot work
 * @example
 * const railyard = createClient({ baseUrl: 'https://pay.example.com', merchantKey, password, callbackSecret });
 * const { redirect_url } = await railyard.createSession({ operation: 'purchase', success_url, order });
 */
export function createClient(options: ClientOptions): Client {
  const { password, digest = 'md5', callbackSecret = [] } = options;
  for (const secret of [callbackSecret].flat()) checkSecret('callbackSecret', secret);
  if (options.requestKey !== undefined) checkSecret('requestKey', options.requestKey.secret);
  const sending = sendingOf(options);
  const { merchantKey: merchant_key } = options;
  const api = <A>(path: string, body: object, read: Read<A>, call?: CallOptions) =>
    ask(sending, `/api/v1${path}`, { merchant_key, ...body }, read, call);
  const sign = <F extends Formula>(formula: F, fields: SignedFields<F>) =>
    password === undefined ? undefined : signRequest(formula, fields, password, { digest });
  /** A call that sends exactly the fields that it signs. */
  const signed =
    <F extends Formula, A>(path: string, formula: F, read: Read<A>) =>
    (given: SignedFields<F>, call?: CallOptions) => {
      const fields = Object.fromEntries(formulas[formula].map((name) => [name, valueOf(given, name)]));
      return api(path, { ...fields, hash: sign(formula, given) }, read, call);
    };
  const hashOf = (order: SignedOrder) =>
    password === undefined ? undefined : signSession(order, password, { digest });
  return {
    createSession: (session, call) =>
      api('/session', { ...session, hash: hashOf(session.order) }, createdSession, call),
    createToken: (session, call) =>
      api('/session/token', { ...session, hash: hashOf(session.order) }, createdToken, call),
    payByFields: ({ operation, token, ...payment }, call) =>
      ask(sending, `/api/v1/processing/${operation}/card`, { with_hosted_fields: true, ...payment }, fieldsPaid, {
        ...call,
        token,
      }),
    status: signed('/payment/status', 'status_by_payment', paymentStatus),
    orderStatus: signed('/payment/status', 'status_by_order', paymentStatus),
    orderPayments: ({ order_id, size }, call) =>
      api('/payment/status', { order_id, size, hash: sign('status_by_order', { order_id }) }, paymentStatuses, call),
    capture: signed('/payment/capture', 'capture', accepted),
    refund: signed('/payment/refund', 'refund', accepted),
    void: signed('/payment/void', 'void', voided),
    recurring: (charge, call) =>
      api('/payment/recurring', { ...charge, hash: sign('recurring', { ...charge, ...charge.order }) }, charged, call),
    retry: signed('/payment/retry', 'retry', accepted),
    credit: (payout, call) =>
      api('/payment/card/credit', { ...payout, hash: sign('card_credit', payout) }, accepted, call),
    moveClock: signed('/test/clock', 'test_clock', movedClock),
    ...commandsOf(sending, options),
    verifyCallback: (received) => verifyCallback(signedBy(options, received)),
    verifyCommandCallback: (received) => verifyCommandCallback(signedBy(options, received)),
    verifyReturn: ({ query, order, now = Date.now() }) =>
      verifyReturn({ query, order, password, digest, now, merchantKey: merchant_key, secret: options.callbackSecret }),
  };
}

function signedBy(
  { callbackSecret: secret }: ClientOptions,
  { body, headers, now = Date.now() }: ReceivedCallback,
): VerifyCallback {
  if (secret === undefined) throw new RangeError('callbackSecret: createClient was given none.');
  return { body, headers, secret, now };
}

function sendingOf({
  baseUrl,
  merchantKey,
  password,
  requestKey,
  timeoutMs = 60_000,
  ...given
}: ClientOptions): Sending {
  if (!merchantKey) throw new RangeError('merchantKey: expected the key that the checkout gave you.');
  if (password === '' || (password === undefined && requestKey === undefined))
    throw new RangeError('password: expected the password that the checkout gave you, or a requestKey.');
  return {
    key: requestKey,
    baseUrl: checkedBaseUrl(baseUrl),
    timeoutMs: checkedTimeout(timeoutMs),
    // Called without a receiver: some platforms refuse their own `fetch` as a method of another object.
    fetch: given.fetch ?? ((url, init) => fetch(url, init)),
  };
}

/** Found out here, and not by the first callback or request. */
function checkSecret(option: string, secret: string): void {
  try {
    webhookSignature(secret, { id: '', timestamp: '' }, new Uint8Array());
  } catch (cause) {
    throw new RangeError(`${option}: expected "whsec_" and Base64, as the checkout has it.`, { cause });
  }
}

/** The part before `/api/v1`. The error does not repeat the address: it may hold a password if the option was misread. */
function checkedBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || url.search !== '' || url.hash !== '')
    throw new RangeError('baseUrl: expected an address such as https://pay.example.com.');
  return withoutTrailingSlashes(url.href);
}
