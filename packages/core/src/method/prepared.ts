import * as z from 'zod';
import { asDeclared, type Compile } from '../compile.ts';
import type { OperationSpec } from './define-method.ts';
import { type FieldInfo, fieldInfo, type Source, SOURCES } from './field.ts';

/** The facts about a field before any session: computed once, because that takes longer than checking a value. */
export interface PreparedField {
  /** The name under `parameters.<key>`, or the dotted session path of a need. */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly info: FieldInfo;
  /** Where a value may come from beside the request, in the order in which they are asked. */
  readonly sources: readonly Source[];
  /** Whether the schema refuses that there is no value. */
  readonly mandatory: boolean;
  /** Whether the schema itself supplies a value where there is none. */
  readonly hasDefault: boolean;
  /** The schema in the form that checks fastest. */
  readonly fast: z.ZodType;
}

export interface PreparedShape {
  readonly variant: string | undefined;
  readonly fields: ReadonlyMap<string, PreparedField>;
}

export interface PreparedOperation {
  readonly spec: OperationSpec;
  readonly needs: ReadonlyMap<string, PreparedField>;
  /** By the value that chooses the variant; under `undefined` where there is but one shape. */
  readonly shapes: ReadonlyMap<unknown, PreparedShape>;
}

/** Gives the prepared form of an operation. */
export type Prepare = (spec: OperationSpec) => PreparedOperation;

/** Prepares each operation when it is first met, and keeps the result. */
export function preparing(compile: Compile): Prepare {
  const known = new WeakMap<OperationSpec, PreparedOperation>();
  return (spec) => {
    const before = known.get(spec);
    if (before !== undefined) return before;
    const prepared = prepareOperation(spec, compile);
    known.set(spec, prepared);
    return prepared;
  };
}

/** Operations whose schemas are used as they were declared. */
export const prepareAsDeclared: Prepare = preparing(asDeclared);

function prepareOperation(spec: OperationSpec, compile: Compile): PreparedOperation {
  const shapes: [string | undefined, z.ZodObject][] =
    'parameters' in spec ? [[undefined, spec.parameters]] : Object.entries(spec.variants.cases);
  return {
    spec,
    needs: prepareFields(spec.needs ?? {}, compile),
    shapes: new Map(
      shapes.map(([variant, { shape }]) => [variant, { variant, fields: prepareFields(shape, compile) }]),
    ),
  };
}

function prepareFields(fields: Readonly<Record<string, z.core.$ZodType>>, compile: Compile) {
  return new Map(Object.entries(fields).map(([name, schema]) => [name, prepareField(schema, name, compile)]));
}

function prepareField(schema: z.core.$ZodType, name: string, compile: Compile): PreparedField {
  if (!(schema instanceof z.ZodType)) throw new Error(`Parameter ${name}: use "zod", not "zod/mini".`);
  const absent = schema.safeParse(undefined);
  const info = fieldInfo(schema, name);
  return {
    name,
    schema,
    info,
    sources: SOURCES.filter((source) => info.sources?.includes(source)),
    mandatory: !absent.success,
    hasDefault: absent.success && absent.data !== undefined,
    fast: compile(schema),
  };
}
