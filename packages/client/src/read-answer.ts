import { BusyError, type FieldIssue, InvalidRequestError, RefusedError, UnknownOutcomeError } from './errors.ts';

export interface RawAnswer {
  readonly call: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** The body of a good answer; what the service says of any other is thrown (protocol: Errors). */
export function readAnswer({ call, status, retryAfter, text }: RawAnswer): unknown {
  const body = parse(text);
  const told = { call, status, requestId: textOf(body, 'request_id') };
  if (status === 200 && isObject(body)) return body;
  const reason = textOf(body, 'error_message');
  if (reason === undefined) throw new UnknownOutcomeError(`HTTP ${status}, and not an answer of a checkout.`, told);
  const said = `HTTP ${status}: ${reason}`;
  if (status === 409 || status === 429) throw new BusyError(said, { ...told, retryAfterSeconds: seconds(retryAfter) });
  if (status < 400 || status >= 500) throw new UnknownOutcomeError(said, told);
  const errors = valueOf(body, 'errors');
  if (Array.isArray(errors) && errors.length > 0) throw new InvalidRequestError(errors.map(issueOf), told);
  const code = String(valueOf(body, 'error_code') ?? status);
  throw new RefusedError(reason, { ...told, code, hint: textOf(body, 'hint') });
}

/** An entry of `errors` or `warnings`: `<path>: <text>`. A path has no spaces, a text without one has. */
export function issueOf(entry: unknown): FieldIssue {
  const text = textOf(entry, 'error_message') ?? '';
  const [, path = '', message = text] = /^([^\s:]+): (.*)$/s.exec(text) ?? [];
  const hint = textOf(entry, 'hint');
  return { path, message, code: Number(valueOf(entry, 'error_code') ?? 0), ...(hint !== undefined && { hint }) };
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function valueOf(body: unknown, name: string): unknown {
  return isObject(body) ? Reflect.get(body, name) : undefined;
}

export function textOf(body: unknown, name: string): string | undefined {
  const value = valueOf(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** A date counts as one second: a caller that comes back too early gets the same answer again. */
function seconds(retryAfter: string | null): number {
  return /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : 1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
