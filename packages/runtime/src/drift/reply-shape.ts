import type { AnyEndpoint, ReplyVariant } from '@railyard/core/driver';
import * as z from 'zod';

/** The names that may stand at a place of a reply. */
export interface Shape {
  /** Whatever stands here is meant to. */
  readonly open: boolean;
  readonly fields: ReadonlyMap<string, Within>;
  /** The fields that may be left out; without fields of alternatives, because another alternative may have been meant. */
  readonly optional: readonly string[];
  /** Whether an object may stand here; where none may, a field within is no news. */
  readonly isObject: boolean;
  /** The items of a list. */
  readonly items: Within | undefined;
  /** The values of a map, whose names are data, and of the names that an object leaves open. */
  readonly values: Within | undefined;
}

/** A place below another one. Its shape is made when a reply has something there, so that a schema may name itself. */
export interface Within {
  readonly parts: Part[];
  shape?: Shape;
}

/** A source of the names of a place: `sure` unless it is one of several alternatives. */
type Part =
  | { readonly schema: z.core.$ZodType; readonly sure: boolean }
  /** A value of a sample: it names what the schema leaves out on purpose. */
  | { readonly sample: unknown };

const places = new WeakMap<ReplyVariant, Within>();

/**
 * The known names of a variant of a reply: from its schema and from the endpoint's samples. Made once for each variant, and
 * deeper only as far as replies go.
 */
export function shapeOf(endpoint: Pick<AnyEndpoint, 'plain' | 'examples'>, name: string, variant: ReplyVariant): Shape {
  const known = places.get(variant);
  if (known !== undefined) return shapeWithin(known);
  const samples = endpoint.examples.filter(({ is }) => endpoint.plain || is === name);
  const place: Within = {
    parts: [{ schema: variant.body, sure: true }, ...samples.map(({ body }) => ({ sample: body }))],
  };
  places.set(variant, place);
  return shapeWithin(place);
}

export const shapeWithin = (place: Within): Shape => (place.shape ??= builtOf(place.parts));

interface Building {
  open: boolean;
  isObject: boolean;
  readonly fields: Map<string, Within>;
  readonly optional: Set<string>;
  items: Within | undefined;
  values: Within | undefined;
}

function builtOf(parts: readonly Part[]): Shape {
  const shape: Building = {
    open: false,
    isObject: false,
    fields: new Map(),
    optional: new Set(),
    items: undefined,
    values: undefined,
  };
  const seen = new Set<z.core.$ZodType>();
  for (const part of parts)
    if ('schema' in part) addSchema(shape, part.schema, part.sure, seen);
    else addSample(shape, part.sample);
  return { ...shape, optional: [...shape.optional] };
}

/** Adds what a schema takes: of a pipe its beginning, because the reply is compared as it arrived. */
function addSchema(shape: Building, schema: z.core.$ZodType, sure: boolean, seen: Set<z.core.$ZodType>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  // Its getter would make it anew.
  if (schema instanceof z.core.$ZodLazy) return addSchema(shape, schema._zod.innerType, sure, seen);
  // The base class of zod's schemas does not say which of them it is; the list of all of them does.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return addObject(shape, def, sure);
    case 'array':
      shape.items = withPart(shape.items, { schema: def.element, sure });
      return;
    case 'tuple':
      for (const item of [...def.items, def.rest])
        if (item !== null) shape.items = withPart(shape.items, { schema: item, sure: false });
      return;
    case 'record':
      shape.values = withPart(shape.values, { schema: def.valueType, sure });
      return;
    case 'union':
      for (const option of def.options) addSchema(shape, option, false, seen);
      return;
    case 'intersection':
      for (const side of [def.left, def.right]) addSchema(shape, side, sure, seen);
      return;
    case 'pipe':
      return addPipe(shape, def, sure, seen);
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return addSchema(shape, def.innerType, sure, seen);
    case 'any':
    case 'unknown':
    case 'custom':
    case 'transform':
      shape.open = true;
      return;
    default:
    // A leaf, or what no JSON is.
  }
}

function addObject(shape: Building, { shape: named, catchall }: z.core.$ZodObjectDef, sure: boolean): void {
  shape.isObject = true;
  for (const [name, schema] of Object.entries(named)) {
    addField(shape, name, { schema, sure });
    if (sure && schema._zod.optin !== undefined) shape.optional.add(name);
  }
  // For a strict object it is a schema that nothing fits, so unnamed fields are refused.
  if (catchall !== undefined && catchall._zod.def.type !== 'never')
    shape.values = withPart(shape.values, { schema: catchall, sure });
}

/** `z.preprocess` begins with code. Where it ends in a list it is `oneOrMany`, which changes nothing within the items. */
function addPipe(
  shape: Building,
  { in: first, out }: z.core.$ZodPipeDef,
  sure: boolean,
  seen: Set<z.core.$ZodType>,
): void {
  if (first._zod.def.type !== 'transform') return addSchema(shape, first, sure, seen);
  if (out._zod.def.type === 'array') return addSchema(shape, out, sure, seen);
  shape.open = true;
}

function addSample(shape: Building, sample: unknown): void {
  if (Array.isArray(sample)) for (const item of sample) shape.items = withPart(shape.items, { sample: item });
  else if (typeof sample === 'object' && sample !== null)
    for (const [name, value] of Object.entries(sample)) addField(shape, name, { sample: value });
}

function addField(shape: Building, name: string, part: Part): void {
  const field = shape.fields.get(name);
  shape.fields.set(name, withPart(field, part));
}

const withPart = (place: Within | undefined, part: Part): Within => {
  if (place === undefined) return { parts: [part] };
  place.parts.push(part);
  return place;
};
