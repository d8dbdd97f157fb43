import { ownProperty } from '../plain-data.ts';
import type { SessionRequest } from '../session/parse-session.ts';
import { holds, isGiven } from './condition.ts';
import type { OperationSpec, Rule, RuleFacts } from './define-method.ts';
import { seenBy } from './inspect.ts';
import { orderOf } from './order-of.ts';
import type { Prepare, PreparedField, PreparedOperation, PreparedShape } from './prepared.ts';
import { quickReading } from './quick-reading.ts';
import { absentPlaces, requiredWithin } from './required-within.ts';
import { canComeLater, type Resolved } from './resolve.ts';
import type { Origin, Scope, Sources } from './scope.ts';
import { textIssues } from './text-rules.ts';
import { knownValue, parameterPath, type Read } from './values.ts';

/**
 * The values of an operation for a request about which there is nothing to say: nothing is wrong or missing, and no rule warns. For every
 * other request it gives nothing, and `examine` says what there is to say. Both go by the same records, conditions and rules, and a test
 * compares them.
 */
export type Quick = (session: SessionRequest, scope: Scope, sources: Sources, absence: Absence) => Resolved | undefined;

/** Whether a required field may be absent that another source can still give: so it is at the session, and not at the payment. */
export type Absence = 'may-end' | 'is-wrong';

/** Gives the quick form of each operation, made when it is first met. */
export function quickening(prepare: Prepare): (spec: OperationSpec) => Quick {
  const known = new WeakMap<OperationSpec, Quick>();
  return (spec) => {
    const before = known.get(spec);
    if (before !== undefined) return before;
    const made = quickOf(prepare(spec));
    known.set(spec, made);
    return made;
  };
}

/** A field of an operation. */
interface Slot {
  readonly field: PreparedField;
  /** Of a need; that of a parameter has the method's key in it. */
  readonly path: string | undefined;
  /** Whether it is required whatever the account says. */
  readonly required: boolean;
}

/** One request at one operation. */
interface Attempt {
  readonly scope: Scope;
  readonly sources: Sources;
  readonly absence: Absence;
  readonly read: Read;
  readonly origins: Record<string, Origin>;
}

function quickOf(operation: PreparedOperation): Quick {
  const { spec } = operation;
  const by = 'variants' in spec ? spec.variants.by : undefined;
  const needs = [...operation.needs.values()].map((field) => ({
    names: field.name.split('.'),
    slot: { field, path: field.name, required: field.mandatory },
  }));
  const shapes = new Map([...operation.shapes].map(([value, shape]) => [value, shapeOf(shape)]));
  const { rules = [] } = spec;
  const reading = quickReading(operation);
  return (session, scope, sources, absence) => {
    const read = reading(scope, sources);
    const attempt: Attempt = { scope, sources, absence, read, origins: {} };
    const needed: Record<string, unknown> = {};
    for (const { names, slot } of needs) {
      if (!holds(slot.field.info.when, read)) continue;
      if (!put(attempt, needed, slot, names.reduce(ownProperty, session))) return undefined;
    }
    // Without the value that chooses there is no shape, so that it is always required.
    const shape = shapes.get(by === undefined ? undefined : read(by));
    const parameters = shape && parametersOf(attempt, shape);
    if (shape === undefined || parameters === undefined) return undefined;
    if (!keepsTo(rules, parameters, session, sources)) return undefined;
    if (textIssues(sources.profile?.texts, parameters, (name) => name).length > 0) return undefined;
    return { variant: shape.variant, parameters, needed, origins: attempt.origins, warnings: [] };
  };
}

/** A shape whose fields have places, so that what is sent is looked through once. */
interface Shape {
  readonly variant: string | undefined;
  readonly slots: readonly Slot[];
  readonly places: ReadonlyMap<string, number>;
  /** A place for each field, in which nothing is. */
  readonly blank: readonly undefined[];
}

function shapeOf({ variant, fields }: PreparedShape): Shape {
  const slots = [...fields.values()].map((field) => ({ field, path: undefined, required: field.mandatory }));
  const places = new Map(slots.map(({ field }, place) => [field.name, place]));
  return { variant, slots, places, blank: slots.map(() => undefined) };
}

function parametersOf(attempt: Attempt, { slots, places, blank }: Shape): Record<string, unknown> | undefined {
  const { scope, read } = attempt;
  const sent: unknown[] = [...blank];
  for (const name in scope.own) {
    const place = places.get(name) ?? -1;
    const info = slots[place]?.field.info;
    if (info === undefined || info.request === false || !holds(info.only, read)) return undefined;
    sent[place] = scope.own[name];
  }
  const values: Record<string, unknown> = {};
  let place = 0;
  for (const slot of slots) {
    const given = sent[place];
    place += 1;
    if (given === undefined && !holds(slot.field.info.when, read)) continue;
    if (!put(attempt, values, slot, given)) return undefined;
  }
  return values;
}

/** Puts a field's value among the others. `false` where it is wrong, or missing. */
function put(
  { scope, sources, absence, origins }: Attempt,
  values: Record<string, unknown>,
  { field, path, required: always }: Slot,
  given: unknown,
): boolean {
  const { name } = field;
  const named = sources.profile?.required;
  const required = always || named?.includes(name) === true;
  const mayBeKnown = given === undefined && (field.sources.length > 0 || field.hasDefault);
  // The path is put together only for a field that may be the payer's to give.
  const known = mayBeKnown ? knownValue(field, path ?? parameterPath(scope, name), given, sources) : undefined;
  const value = known === undefined ? given : known.value;
  const origin = given === undefined ? known?.origin : 'session';
  const lacks = named !== undefined && requiredWithin(name, named).some((rest) => absentPlaces(value, rest).length > 0);
  if (origin === undefined)
    return !(required || lacks) || (absence === 'may-end' && canComeLater(field, sources.profile?.supplied ?? []));
  const parsed = field.fast.safeParse(value);
  if (lacks || !parsed.success || (required && !isGiven(parsed.data))) return false;
  values[name] = parsed.data;
  origins[name] = origin;
  return true;
}

/** Whether no rule has anything to say. */
function keepsTo(
  rules: readonly Rule[],
  values: Readonly<Record<string, unknown>>,
  session: SessionRequest,
  sources: Sources,
): boolean {
  let facts: RuleFacts | undefined;
  for (const rule of rules) {
    const seen = seenBy(rule, values);
    if (seen !== undefined && rule.check(seen, (facts ??= factsOf(session, sources))) !== undefined) return false;
  }
  return true;
}

function factsOf(session: SessionRequest, { today, profile }: Sources): RuleFacts {
  const { order, amount } = session;
  // A commission may stand on the amount that is paid; rules are of the order's own.
  const isOrders = amount !== 'payer' && amount.text === order.amount && amount.currency === order.currency;
  return {
    today,
    currency: order.currency,
    amount: isOrders ? amount : orderOf(session).amount,
    account: profile && { test: profile.test ?? false },
  };
}
