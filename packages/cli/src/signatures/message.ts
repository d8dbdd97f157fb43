import { readPath } from '@railyard/core';
import { cardDigits } from '@railyard/core/protocol';
import { UsageError } from '../commands/command.ts';
import { ALL_FIELDS, fieldsInOrder } from './callback-fields.ts';
import { type AnyFormula, signedBy } from './formula.ts';
import { formulasOf, type HashKind } from './kinds.ts';

/** A message to sign or check: its fields as they were sent, and its hash. */
export interface Message {
  readonly formula: AnyFormula;
  /** In the order of the formula. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly given: string | undefined;
  /** Every text of the message by its name: what else might have been signed. */
  readonly all: Readonly<Record<string, string>>;
}

/**
 * Reads a message: JSON, a form, or an address with a query. Values are taken as they stand, because their bytes are signed.
 *
 * @param order where the message does not repeat the order (a return), the merchant's own record of it
 * @throws UsageError that names the fields that are missing
 */
export function readMessage(kind: HashKind, text: string, order: string | undefined): Message {
  if (kind === 'command-callback') return readCallback(text);
  const sources = [dataOf(text), ...(order === undefined ? [] : [dataOf(order)])];
  const textOf = (name: string) =>
    sources
      .flatMap((source) => placesOf(name, kind).map((place) => textAt(source, place)))
      .find((each) => each !== undefined);
  const valueOf = (name: string) => (name === 'card' ? cardOf(textOf) : textOf(name));
  const [usual, other] = formulasOf(kind);
  const lacking = (formula: AnyFormula) =>
    signedBy(formula).filter((name) => valueOf(name) === undefined && !MAY_BE_ABSENT.has(name));
  const formula =
    other !== undefined && usual !== undefined && lacking(usual).length > 0 && lacking(other).length === 0
      ? other
      : usual;
  if (formula === undefined) throw new UsageError(`There is no formula for ${kind}.`);
  const missing = lacking(formula);
  if (missing.length > 0)
    throw new UsageError(
      `The message has no ${missing.join(', ')}. A ${kind} is signed over ${signedBy(formula).join(', ')}.${kind === 'return' ? ' Give your record of the order with --order FILE.' : ''}`,
    );
  return {
    formula,
    fields: signedBy(formula).map((name) => [name, valueOf(name) ?? '']),
    given: textAt(sources[0], 'hash'),
    all: Object.assign({}, ...sources.map((source) => textsIn(source))),
  };
}

/** A callback of S2S APM: every field is signed. */
function readCallback(text: string): Message {
  const data = dataOf(text);
  const fields = fieldsInOrder(data);
  if (fields.length === 0) throw new UsageError('The callback has no fields.');
  return { formula: ALL_FIELDS, fields, given: textAt(data, 'hash'), all: textsIn(data) };
}

/** Commands leave them out of what they sign where they do not send them. */
const MAY_BE_ABSENT: ReadonlySet<string> = new Set(['identifier', 'payer_email', 'card']);

/** The part of a card that is signed: digits of the number that was sent, as they were masked in a callback, or the token. */
function cardOf(textOf: (name: string) => string | undefined): string | undefined {
  const number = textOf('card_number') ?? textOf('payer_card_number') ?? textOf('card');
  return number === undefined ? textOf('card_token') : cardDigits(number);
}

/** Where a signed field stands: by its own name, in the order of a session, or as callbacks and card credits call it. */
function placesOf(name: string, kind: HashKind): string[] {
  const places = [name, `order.${name}`, `order_${name}`];
  if (name === 'payment_id' && kind === 'callback') return ['id', ...places];
  return places;
}

function dataOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return jsonOf(text);
  const query = /^(?:https?:\/\/[^?]*)?\?/i.test(trimmed) ? trimmed.slice(trimmed.indexOf('?') + 1) : trimmed;
  return Object.fromEntries(new URLSearchParams(query.replace(/#.*/, '')));
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new UsageError('The message begins like JSON and is none.');
  }
}

function textAt(data: unknown, place: string): string | undefined {
  const value = readPath(data, place);
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function textsIn(data: unknown, prefix = ''): Record<string, string> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
      const place = prefix === '' ? name : `${prefix}.${name}`;
      if (typeof value === 'object') return Object.entries(textsIn(value, place));
      return name === 'hash' ? [] : [[place, String(value)]];
    }),
  );
}
