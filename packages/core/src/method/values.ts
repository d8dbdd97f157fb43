import * as z from 'zod';
import { holds, isGiven, readPath } from './condition.ts';
import type { OperationSpec } from './define-method.ts';
import { type FieldInfo, fieldInfo, SOURCES } from './field.ts';
import type { Origin, Scope, Sources } from './scope.ts';

/** A parameter, or something that an operation needs of the session. */
export interface Field {
  /** The name under `parameters.<key>`, or the dotted session path of a need. */
  readonly name: string;
  /** The path that error texts and the page use. */
  readonly path: string;
  readonly schema: z.ZodType;
  readonly info: FieldInfo;
}

export interface Known {
  /** Absent: nobody has given the field. */
  readonly origin?: Origin;
  readonly value?: unknown;
}

export function parameterField(schema: z.core.$ZodType, name: string, scope: Scope): Field {
  if (!(schema instanceof z.ZodType)) throw new Error(`Parameter ${name}: declare it with "zod", not with "zod/mini".`);
  return { name, path: `parameters.${scope.key}.${name}`, schema, info: fieldInfo(schema, name) };
}

export function needField(schema: z.ZodType, path: string): Field {
  return { name: path, path, schema, info: fieldInfo(schema, path) };
}

/** What the request itself carries for a parameter. */
export function givenParameter(scope: Scope, name: string): unknown {
  return own(scope.own, name);
}

/** The value of a field: the request's, else that of the first source that the field allows and that has one. */
export function knownValue({ name, path, schema, info }: Field, given: unknown, sources: Sources): Known {
  // A value of `null` is a value: the schema refuses it with the path, instead of it being taken for absent.
  if (given !== undefined) return { origin: 'session', value: given };
  const { profile, mid = profile?.values, payer } = sources;
  const values = { mid: own(mid, name), payer: own(payer, path), default: info.fallback };
  // A page sends every input, also those that the payer left blank.
  const origin = SOURCES.find((source) => info.sources?.includes(source) && isGiven(values[source]));
  if (origin !== undefined) return { origin, value: values[origin] };
  const empty = schema.safeParse(undefined);
  return empty.success && empty.data !== undefined ? { origin: 'default', value: empty.data } : {};
}

/**
 * Looks paths up for conditions, variants and limits. A declared field has the value that the flow will get, whatever its
 * source; any other path is read from the session alone, so that nobody but the merchant can bring it.
 */
export function reader(spec: OperationSpec, scope: Scope, sources: Sources): (path: string) => unknown {
  // Fields being looked at: a condition that leads back to its own field finds nothing there.
  const open = new Set<string>();
  const read = (path: string): unknown => {
    const at = fieldAt(path);
    if (at === undefined) return path.startsWith(PARAMETERS) ? readOwn(path) : readPath(scope.session, path);
    const { field, given, rest } = at;
    if (open.has(field.path)) return undefined;
    open.add(field.path);
    const applies = given !== undefined || holds(field.info.when, read);
    open.delete(field.path);
    const { value } = applies ? knownValue(field, given, sources) : {};
    return rest === '' ? value : readPath(value, rest);
  };
  const readOwn = (path: string) => readPath(scope.own, path.slice(PARAMETERS.length));
  const fieldAt = (path: string) => {
    if (!path.startsWith(PARAMETERS)) {
      const need = own(spec.needs, path);
      return need && { field: needField(need, path), given: readPath(scope.session, path), rest: '' };
    }
    const [name = '', ...rest] = path.slice(PARAMETERS.length).split('.');
    const schema = own(shapeOf()?.shape, name);
    return (
      schema && {
        field: parameterField(schema, name, scope),
        given: givenParameter(scope, name),
        rest: rest.join('.'),
      }
    );
  };
  const shapeOf = () => {
    if ('parameters' in spec) return spec.parameters;
    const value = read(spec.variants.by);
    return typeof value === 'string' ? own(spec.variants.cases, value) : undefined;
  };
  return read;
}

const PARAMETERS = 'parameters.';

/** A property of the record's own; `constructor` and the like are not inherited. */
export function own<V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
