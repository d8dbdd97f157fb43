/** Also recognises errors of another copy of this package, which `instanceof` does not. */
const MARK = Symbol.for('railyard.client.error');

/** One thing that is wrong with a request. */
export interface FieldIssue {
  /** Dotted: `order.amount`, `parameters.pix.debtor_document`. Empty where the service names no field. */
  readonly path: string;
  readonly message: string;
  readonly code: number;
  /** The values that the field takes, where they are known. */
  readonly hint?: string;
}

interface ErrorAnswer {
  /** The request: `POST /api/v1/payment/refund`. */
  readonly call: string;
  /** The HTTP status of the answer, where one came. */
  readonly status?: number | undefined;
  /** The service's own name for the request; quote it when you ask its operator. */
  readonly requestId?: string | undefined;
}

/** No error carries a password, a secret, a hash or the body of a request. */
abstract class CallError extends Error implements ErrorAnswer {
  readonly [MARK] = true;
  readonly call: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, { call, status, requestId }: ErrorAnswer, options?: ErrorOptions) {
    super(`${call}: ${message}`, options);
    this.call = call;
    this.status = status;
    this.requestId = requestId;
  }
}

/** Fields are wrong. Nothing was done: correct them and send the request again. */
export class InvalidRequestError extends CallError {
  override readonly name = 'InvalidRequestError';
  readonly kind = 'invalid';
  readonly issues: readonly FieldIssue[];

  constructor(issues: readonly FieldIssue[], told: ErrorAnswer) {
    super(issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join(' '), told);
    this.issues = issues;
  }
}

/** The request is well formed and cannot be done: a duplicate, an unknown payment, a refund above the rest. Nothing was done. */
export class RefusedError extends CallError {
  override readonly name = 'RefusedError';
  readonly kind = 'refused';
  /** `error_code` of the protocol: `101000` for a payment or order that does not exist. */
  readonly code: string;
  /** The service's words, without the call before them. */
  readonly reason: string;
  /** More about the refusal, where the service says more. */
  readonly hint: string | undefined;

  constructor(reason: string, told: ErrorAnswer & { readonly code: string; readonly hint?: string | undefined }) {
    super(reason, told);
    this.code = told.code;
    this.hint = told.hint;
    this.reason = reason;
  }
}

/** Too many requests, or one with this idempotency key is still being handled. Send it again after `retryAfterSeconds`. */
export class BusyError extends CallError {
  override readonly name = 'BusyError';
  readonly kind = 'busy';
  readonly retryAfterSeconds: number;

  constructor(reason: string, told: ErrorAnswer & { readonly retryAfterSeconds: number }) {
    super(reason, told);
    this.retryAfterSeconds = told.retryAfterSeconds;
  }
}

/**
 * No answer came, or none that can be read: **the outcome is unknown**, and it is never a decline. Ask for the status, or send
 * the request again with the same `idempotencyKey`, which has an effect once at most.
 */
export class UnknownOutcomeError extends CallError {
  override readonly name = 'UnknownOutcomeError';
  readonly kind = 'unknown';
  /** No answer came within `timeoutMs`. */
  readonly timedOut: boolean;

  constructor(why: string, told: ErrorAnswer & { readonly timedOut?: boolean }, cause?: unknown) {
    super(`${why} Whether anything was done is unknown.`, told, cause === undefined ? undefined : { cause });
    this.timedOut = told.timedOut === true;
  }
}

/** Distinguished by `kind`. */
export type RailyardError = InvalidRequestError | RefusedError | BusyError | UnknownOutcomeError;

/**
 * Whether something that was thrown is an error of this client.
 *
 * @example
 * if (isRailyardError(error) && error.kind === 'unknown') await lookLater(order);
 */
export function isRailyardError(error: unknown): error is RailyardError {
  return error instanceof Error && MARK in error;
}
