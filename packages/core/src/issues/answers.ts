import { hintOf } from './hints.ts';
import { invalidValueCode, type Issue } from './issue.ts';

/** An HTTP answer before it is written: core does no I/O. */
export interface Answer<B> {
  readonly status: number;
  readonly body: B;
}

export interface ValidationBody {
  readonly http_code?: number;
  readonly error_code: 0;
  readonly error_message: string;
  readonly errors: readonly {
    readonly error_code: number;
    readonly error_message: string;
    /** The values that the field takes, where they are known. */
    readonly hint?: string | undefined;
  }[];
  readonly request_id?: string;
}

export interface ErrorBody {
  readonly http_code: number;
  /** A string, as the protocol says. */
  readonly error_code: string;
  readonly error_message: string;
  /** More about the refusal, where the text is the protocol's own. */
  readonly hint?: string | undefined;
  readonly request_id?: string;
}

/** More than a developer reads at once: a body of 256 KB could be answered with megabytes. */
const MOST_ISSUES = 100;

/** The answer to a request whose fields are wrong: up to a hundred issues at once, as `<path>: <text>`, and how many more there are. */
export function validationAnswer(issues: readonly Issue[]): Answer<ValidationBody> {
  const more = issues.length - MOST_ISSUES;
  const listed = issues.slice(0, MOST_ISSUES);
  const rest = { path: 'body', message: `${more} more problems are not listed.`, code: invalidValueCode };
  return {
    status: 400,
    body: {
      error_code: 0,
      error_message: 'Request data is invalid.',
      errors: [...listed, ...(more > 0 ? [rest] : [])].map((each) => {
        const hint = hintOf(each, issues);
        return {
          error_code: each.code,
          error_message: `${each.path}: ${each.message}`,
          ...(hint !== undefined && { hint }),
        };
      }),
    },
  };
}

/** The answer to a repeat of merchant key and order number within 15 seconds. Clients rely on there being no `errors`. */
export function duplicateAnswer(): Answer<ErrorBody> {
  return { status: 400, body: { http_code: 400, error_code: '400', error_message: 'Duplicate request.' } };
}

/**
 * The answer to a request that is well formed and cannot be done, as one text with its code; always 400 (protocol: Errors).
 *
 * @example refusedAnswer('Payment does not exist.', notFoundCode)
 */
export function refusedAnswer(message: string, code: number = invalidValueCode, hint?: string): Answer<ErrorBody> {
  const body = { http_code: 400, error_code: String(code), error_message: message };
  return { status: 400, body: hint === undefined ? body : { ...body, hint } };
}

/** Every other error. The message is for the merchant: no stack, no SQL, no secret. */
export function errorAnswer(error: {
  readonly http_code: number;
  readonly error_code: string;
  readonly error_message: string;
  readonly request_id: string;
}): Answer<ErrorBody> {
  const { http_code, error_code, error_message, request_id } = error;
  return { status: http_code, body: { http_code, error_code, error_message, request_id } };
}
