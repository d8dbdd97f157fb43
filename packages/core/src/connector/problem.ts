import { call, type Calls, type Endpoint } from './endpoint.ts';
import { readPath } from '../plain-data.ts';
import { declined, type Outcome, type ProviderWord, unknown } from './outcome.ts';
import { type Reasons, unlessTakenBefore, withReason } from './reasons.ts';

/** A provider's account of what was wrong, as most of them write it. */
export interface Problem {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * The provider did not take the request: no money has moved.
 *
 * @param takenBefore codes that say that the provider has a request under this reference or key already: the outcome is unknown then
 * @example refusedBy(answer.body, new Set(['duplicate_reference']))
 */
export function refusedBy(problem: Problem, takenBefore: ReadonlySet<string> = new Set()): Outcome {
  const reason = 'The provider refused the request.';
  return unlessTakenBefore(declined('hard', 'declined_by_provider', { reason, ...wordOf(problem) }), takenBefore);
}

/** The provider does not know the payment. That is no decline: the request may still be on its way. */
export const notFound = (problem: Problem = {}): Outcome =>
  unknown('The provider does not know this payment.', wordOf(problem));

function wordOf({ code, message }: Problem): { readonly provider?: ProviderWord } {
  if (code === undefined && message === undefined) return {};
  return { provider: { ...(code !== undefined && { code }), ...(message !== undefined && { message }) } };
}

/** How a provider says that something was wrong: `P` is the body of its replies `refused` and `absent`. */
export interface ProblemFacts<P> {
  /** The code and the text in the body of a problem; its fields `code` and `message` unless given. */
  readonly words?: (body: P) => Problem;
  /** The meaning of codes, as in `withReason`. */
  readonly reasons?: Reasons;
  /** Codes that say that the provider has the request already, as in `refusedBy`. */
  readonly takenBefore?: ReadonlySet<string>;
}

/** The replies that no reader of an outcome is given. */
type Refusing = { readonly reply: 'refused' | 'absent' };

/** Reads the replies `refused` and `absent` of any endpoint of a provider. */
export interface ProblemReaders<S, P> {
  /** The outcome of a refusal: `refusedBy` with the provider's words, and the reason that its code gives. */
  refusal(body: P): Outcome;
  /** The outcome of an absence: `notFound` with the provider's words. */
  notFound(body: P): Outcome;
  /**
   * One provider request and its outcome: a `refused` reply is a refusal, an `absent` one is `notFound`, and `read` says what any other
   * means.
   *
   * @example return yield* api.outcome(getCharge, id, ({ body }) => chargeOutcome(body, payment));
   */
  outcome<I, R extends { readonly reply: string; readonly body: unknown }>(
    endpoint: Endpoint<S, I, R> & ReadableProblems<R, P>,
    input: I,
    read: (answer: Exclude<R, Refusing>) => Outcome,
  ): Calls<Outcome>;
}

/** Nothing to compile against where a problem has another body than the provider's. */
type ReadableProblems<R, P> = [Extract<R, Refusing>] extends [{ readonly body: P }] ? unknown : never;

export function problemReaders<S, P>({
  words = plainWords,
  reasons = new Map(),
  takenBefore,
}: ProblemFacts<P>): ProblemReaders<S, P> {
  const refusal = (body: P): Outcome => {
    const said = words(body);
    return withReason(refusedBy(said, takenBefore), reasons, said.code);
  };
  // The signature of `outcome` lets no endpoint in whose problems have another body.
  const isProblem = (answer: Said): answer is Refusing & { readonly body: P } =>
    answer.reply === 'refused' || answer.reply === 'absent';
  return {
    refusal,
    notFound: (body) => notFound(words(body)),
    *outcome(endpoint, input, read) {
      const answer = yield* call(endpoint, input);
      if (isProblem(answer)) return answer.reply === 'refused' ? refusal(answer.body) : notFound(words(answer.body));
      // It is one of the others; TypeScript narrows no type parameter.
      return read(answer as Exclude<typeof answer, Refusing>);
    },
  };
}

interface Said {
  readonly reply: string;
  readonly body: unknown;
}

const textIn = (body: unknown, name: string) => {
  const value = readPath(body, name);
  return typeof value === 'string' ? value : undefined;
};

const plainWords = (body: unknown): Problem => ({ code: textIn(body, 'code'), message: textIn(body, 'message') });
