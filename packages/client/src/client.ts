import {
  type CallbackProblem,
  type Formula,
  type InnerDigest,
  type ReturnProblem,
  type SignedFields,
  type SignedOrder,
  signRequest,
  signSession,
  type VerifiedCallback,
  type VerifiedReturn,
  type VerifyCallback,
  verifyCallback,
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
  type PaymentStatus,
  paymentStatus,
  paymentStatuses,
  type Voided,
  voided,
} from './answers.ts';
import { UnknownOutcomeError } from './errors.ts';
import type { AmountOnPayment, CardCredit, NewSession, OnPayment, RecurringCharge } from './requests.ts';
import { type CallOptions, checkedTimeout, type Fetch, type Sending, send } from './send.ts';

export interface ClientOptions {
  /** Where the checkout is: `https://pay.example.com`. */
  readonly baseUrl: string;
  readonly merchantKey: string;
  /** The merchant password. It signs and is never sent. */
  readonly password: string;
  /** As agreed with the checkout: `md5` unless given. */
  readonly digest?: InnerDigest;
  /** `whsec_…`, for `verifyCallback`; both while it is being replaced. */
  readonly callbackSecret?: string | readonly string[];
  /** How long an answer is waited for, in milliseconds: 60 000 unless given. */
  readonly timeoutMs?: number;
  /** The platform's own unless given. */
  readonly fetch?: Fetch;
}

export interface ReceivedCallback {
  /** The body as it came, before anything parsed it. */
  readonly body: string | Uint8Array;
  readonly headers: VerifyCallback['headers'];
  /** Milliseconds since 1970: now, unless given. */
  readonly now?: number;
}

export type CheckedCallback =
  | { readonly ok: true; readonly callback: VerifiedCallback }
  | { readonly ok: false; readonly reason: CallbackProblem };

export type CheckedReturn =
  | { readonly ok: true; readonly return: VerifiedReturn }
  | { readonly ok: false; readonly reason: ReturnProblem };

export interface Client {
  /** Creates a session; send the payer to its `redirect_url`. */
  createSession(session: NewSession, options?: CallOptions): Promise<CreatedSession>;
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
  /** Checks that a callback comes from the checkout, whole and unchanged, and reads it. */
  verifyCallback(received: ReceivedCallback): CheckedCallback;
  /** Checks that a return names a payment of this order. **It does not prove that anything was paid.** */
  verifyReturn(returned: { readonly query: string; readonly order: SignedOrder }): CheckedReturn;
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
  for (const secret of [callbackSecret].flat()) checkSecret(secret);
  const sending = sendingOf(options);
  const sign = <F extends Formula>(formula: F, fields: SignedFields<F>) =>
    signRequest(formula, fields, password, { digest });

  /** Sends and reads the answer; one that is not of the expected form says nothing of what was done. */
  async function ask<A>(path: string, body: object, read: (answer: unknown) => A | undefined, call?: CallOptions) {
    const signed = { merchant_key: options.merchantKey, ...body };
    const answer = read(await send(sending, `/api/v1${path}`, signed, call));
    if (answer !== undefined) return answer;
    throw new UnknownOutcomeError('HTTP 200, and not an answer to this call.', { call: `POST /api/v1${path}` });
  }

  return {
    createSession: (session, call) =>
      ask('/session', { ...session, hash: signSession(session.order, password, { digest }) }, createdSession, call),
    status: ({ payment_id }, call) =>
      ask('/payment/status', { payment_id, hash: sign('status_by_payment', { payment_id }) }, paymentStatus, call),
    orderStatus: ({ order_id }, call) =>
      ask('/payment/status', { order_id, hash: sign('status_by_order', { order_id }) }, paymentStatus, call),
    orderPayments: ({ order_id, size }, call) =>
      ask('/payment/status', { order_id, size, hash: sign('status_by_order', { order_id }) }, paymentStatuses, call),
    capture: ({ payment_id, amount }, call) =>
      ask('/payment/capture', { payment_id, amount, hash: sign('capture', { payment_id, amount }) }, accepted, call),
    refund: ({ payment_id, amount }, call) =>
      ask('/payment/refund', { payment_id, amount, hash: sign('refund', { payment_id, amount }) }, accepted, call),
    void: ({ payment_id }, call) =>
      ask('/payment/void', { payment_id, hash: sign('void', { payment_id }) }, voided, call),
    recurring: (charge, call) =>
      ask('/payment/recurring', { ...charge, hash: sign('recurring', { ...charge, ...charge.order }) }, charged, call),
    retry: ({ payment_id }, call) =>
      ask('/payment/retry', { payment_id, hash: sign('retry', { payment_id }) }, accepted, call),
    credit: (payout, call) =>
      ask('/payment/card/credit', { ...payout, hash: sign('card_credit', payout) }, accepted, call),
    verifyCallback({ body, headers, now = Date.now() }) {
      const { callbackSecret: secret } = options;
      if (secret === undefined) throw new RangeError('callbackSecret: createClient was given none.');
      return verifyCallback({ body, headers, secret, now });
    },
    verifyReturn: ({ query, order }) => verifyReturn({ query, order, password, digest }),
  };
}

function sendingOf({ baseUrl, merchantKey, password, timeoutMs = 60_000, ...given }: ClientOptions): Sending {
  if (!merchantKey) throw new RangeError('merchantKey: expected the key that the checkout gave you.');
  if (!password) throw new RangeError('password: expected the password that the checkout gave you.');
  return {
    baseUrl: checkedBaseUrl(baseUrl),
    timeoutMs: checkedTimeout(timeoutMs),
    // Not as a method of something: some platforms refuse that of their own.
    fetch: given.fetch ?? ((url, init) => fetch(url, init)),
  };
}

/** Found out here, and not by the first callback. */
function checkSecret(secret: string): void {
  try {
    webhookSignature(secret, { id: '', timestamp: '' }, new Uint8Array());
  } catch (cause) {
    throw new RangeError('callbackSecret: expected "whsec_" and Base64, as the checkout has it.', { cause });
  }
}

/** What stands before `/api/v1`. The address is not repeated in the error: it may hold a password where somebody misread the option. */
function checkedBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || url.search !== '' || url.hash !== '')
    throw new RangeError('baseUrl: expected an address such as https://pay.example.com.');
  return url.href.replace(/\/+$/, '');
}
