import * as z from 'zod';
import { ownProperty } from '../plain-data.ts';
import { type Issue, issue, onePerPath } from './issue.ts';
import { TEXTS } from './texts.ts';

type ZodIssue = z.core.$ZodIssue;

/** One value of each kind that zod names in its default text "expected …, received …". */
const received: readonly unknown[] = [
  undefined,
  null,
  '',
  0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  0n,
  [],
  {},
  new Map(),
  new Set(),
  () => {},
];

export interface ZodIssuesOptions {
  /** Dotted path of the value that was parsed. */
  readonly prefix?: string;
  /** The value that was parsed. With it, a choice that is missing is reported as blank instead of as a wrong choice. */
  readonly input?: unknown;
}

/**
 * The issues of a schema in the protocol's texts. A text that the schema itself carries wins. One issue per path.
 *
 * @example issuesOfZod(result.error, { prefix: 'parameters.pix' })
 */
export function issuesOfZod(error: z.core.$ZodError, options: ZodIssuesOptions = {}): Issue[] {
  const prefix = options.prefix === undefined || options.prefix === '' ? [] : [options.prefix];
  return onePerPath(error.issues.flatMap((found) => flatten(found, prefix, options.input)));
}

function flatten(found: ZodIssue, prefix: readonly string[], input: unknown): Issue[] {
  const path = [...prefix, ...found.path.map(String)];
  const whole = (message: string): Issue[] => [
    { ...issue(path.join('.'), message), hint: hintOf(found, valueAt(input, found.path)) },
  ];
  if (!isDefaultText(found)) return whole(found.message);
  if (found.code === 'unrecognized_keys')
    return found.keys.map((key) => issue([...path, key].join('.'), TEXTS.unexpected));
  const absent = input !== undefined && (valueAt(input, found.path) ?? undefined) === undefined;
  if (absent) return [issue(path.join('.'), TEXTS.blank)];
  if (found.code === 'invalid_union') {
    const branch = tellingBranch(found.errors);
    if (branch !== undefined) return branch.flatMap((inner) => flatten(inner, path, valueAt(input, found.path)));
  }
  return whole(textOf(found));
}

/** See `hint` of an issue. */
function hintOf(found: ZodIssue, value: unknown): Issue['hint'] {
  if (found.code === 'invalid_value') return found.values;
  return found.code === 'invalid_type' ? typeof value : undefined;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(ownProperty, value);
}

/** The one alternative of a union that the value was clearly meant for: it has the right type, but something within is wrong. */
function tellingBranch(branches: readonly ZodIssue[][]): ZodIssue[] | undefined {
  const near = branches.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return near.length === 1 ? near[0] : undefined;
}

function textOf(found: ZodIssue): string {
  switch (found.code) {
    case 'invalid_type':
      return isMissing(found) ? TEXTS.blank : TEXTS.type(typeNames.get(found.expected) ?? found.expected);
    case 'too_small':
      return tooSmall(found);
    case 'too_big':
      return tooBig(found);
    case 'invalid_format':
      return formatTexts.get(found.format) ?? TEXTS.notValid;
    case 'invalid_value':
      return TEXTS.choice;
    case 'invalid_union':
      return found.discriminator === undefined ? TEXTS.notValid : TEXTS.choice;
    case 'unrecognized_keys':
    case 'invalid_key':
      return TEXTS.unexpected;
    case 'not_multiple_of':
      return TEXTS.multipleOf(found.divisor);
    default:
      return TEXTS.notValid;
  }
}

/** The merchant's word for a type that zod names differently. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['int', 'integer'],
  ['record', 'object'],
]);

const formatTexts: ReadonlyMap<string, string> = new Map([
  ['email', TEXTS.email],
  ['url', TEXTS.url],
  ['uuid', TEXTS.uuid],
  ['guid', TEXTS.uuid],
  ['ipv4', TEXTS.ip],
  ['ipv6', TEXTS.ip],
  ['date', TEXTS.date],
  ['datetime', TEXTS.datetime],
  ['time', TEXTS.time],
]);

function tooSmall({ origin, minimum, inclusive, exact }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'string') {
    if (exact) return TEXTS.exactLength(Number(minimum));
    return Number(minimum) === 1 ? TEXTS.blank : TEXTS.tooShort(Number(minimum));
  }
  if (origin === 'array' || origin === 'set' || origin === 'map') return TEXTS.tooFew(Number(minimum));
  return inclusive === false ? TEXTS.above(minimum) : TEXTS.atLeast(minimum);
}

function tooBig({ origin, maximum, inclusive, exact }: z.core.$ZodIssueTooBig): string {
  if (origin === 'string') return exact ? TEXTS.exactLength(Number(maximum)) : TEXTS.tooLong(Number(maximum));
  if (origin === 'array' || origin === 'set' || origin === 'map') return TEXTS.tooMany(Number(maximum));
  return inclusive === false ? TEXTS.below(maximum) : TEXTS.atMost(maximum);
}

/** A value that is absent or null. */
function isMissing(found: ZodIssue): boolean {
  return found.message === defaultText(found, undefined) || found.message === defaultText(found, null);
}

/** zod keeps no trace of where a text came from, so it is compared with what zod itself says, in whatever language is set. */
function isDefaultText(found: ZodIssue): boolean {
  return received.some((value) => found.message === defaultText(found, value));
}

function defaultText(found: ZodIssue, input: unknown): string | undefined {
  const { customError, localeError } = z.config();
  const raw = found.code === 'invalid_type' ? { ...found, input } : { ...found, input: undefined };
  const text = customError?.(raw) ?? localeError?.(raw);
  return typeof text === 'object' && text !== null ? text.message : (text ?? undefined);
}
