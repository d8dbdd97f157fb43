import { holds, isGiven } from './condition.ts';
import { readPath } from '../plain-data.ts';
import type { PreparedField, PreparedOperation } from './prepared.ts';
import type { Origin, Scope, Sources } from './scope.ts';

export interface Known {
  /** Absent: no source has given the field. */
  readonly origin?: Origin;
  readonly value?: unknown;
}

/** The path of a parameter that error texts and the page use. */
export function parameterPath(scope: Scope, name: string): string {
  return `parameters.${scope.key}.${name}`;
}

/** The value of a field: the request's, else the first value among the sources that the field allows. */
export function knownValue(
  { name, fast, info, hasDefault, sources: allowed }: PreparedField,
  path: string,
  given: unknown,
  sources: Sources,
): Known {
  // A value of `null` is a value: the schema refuses it with the path, instead of it being taken for absent.
  if (given !== undefined) return { origin: 'session', value: given };
  const { profile, mid = profile?.values, payer } = sources;
  for (const origin of allowed) {
    const value = origin === 'mid' ? own(mid, name) : origin === 'payer' ? own(payer, path) : info.fallback;
    // A page sends every input, also those that the payer left blank.
    if (isGiven(value)) return { origin, value };
  }
  return hasDefault ? { origin: 'default', value: fast.safeParse(undefined).data } : NO_VALUE;
}

const NO_VALUE: Known = {};

/** Looks a path up. */
export type Read = (path: string) => unknown;

/**
 * Looks paths up for conditions, variants and limits. A declared field has the value that the flow will get, whatever its
 * source; any other path is read from the session alone, so that only the merchant can give it.
 */
export function reader(operation: PreparedOperation, scope: Scope, sources: Sources): Read {
  const { spec } = operation;
  // Fields being looked at: a condition that leads back to its own field finds nothing there.
  const open = new Set<string>();
  const read = (path: string): unknown => {
    const at = fieldAt(path);
    if (at === undefined) return path.startsWith(PARAMETERS) ? readOwn(path) : readPath(scope.session, path);
    const { field, at: place, given, rest } = at;
    if (open.has(place)) return undefined;
    // No other source can give it, so whether it applies does not matter; related fields would ask each other over and over.
    if (given === undefined && field.sources.length === 0 && !field.hasDefault) return undefined;
    open.add(place);
    const applies = given !== undefined || holds(field.info.when, read);
    open.delete(place);
    const { value } = applies ? knownValue(field, place, given, sources) : {};
    return rest === '' ? value : readPath(value, rest);
  };
  const readOwn = (path: string) => readPath(scope.own, path.slice(PARAMETERS.length));
  const fieldAt = (path: string) => {
    if (!path.startsWith(PARAMETERS)) {
      const need = operation.needs.get(path);
      return need && { field: need, at: path, given: readPath(scope.session, path), rest: '' };
    }
    const [name = '', ...rest] = path.slice(PARAMETERS.length).split('.');
    const field = shapeOf()?.fields.get(name);
    return (
      field && {
        field,
        at: parameterPath(scope, name),
        given: own(scope.own, name),
        rest: rest.join('.'),
      }
    );
  };
  const shapeOf = () => operation.shapes.get('variants' in spec ? read(spec.variants.by) : undefined);
  return read;
}

const PARAMETERS = 'parameters.';

/** A property of the record's own; `constructor` and the like are not inherited. */
export function own<V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
