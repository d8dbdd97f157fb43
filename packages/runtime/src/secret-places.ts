import type { Connector, Method } from '@railyard/core';
import { fieldInfo } from '@railyard/core/registry';
import * as z from 'zod';

/** Whether the value at a place within a schema's data belongs to a field that is marked as secret, at whatever depth. */
export function isSecretPlace(schema: z.core.$ZodType, place: readonly string[]): boolean {
  if (fieldInfo(schema, '').secret === true) return true;
  const [name, ...rest] = place;
  return (
    name !== undefined && insideOf(schema, name).some(([inner, used]) => isSecretPlace(inner, used ? rest : place))
  );
}

/** The schemas that a schema is made of for one property, and whether the property's name is used up by them. */
function insideOf(schema: z.core.$ZodType, name: string): readonly (readonly [z.core.$ZodType, boolean])[] {
  const def = schema instanceof z.ZodType ? schema._zod.def : undefined;
  if (def === undefined) return [];
  if (schema instanceof z.ZodObject) {
    const inner = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return inner === undefined ? [] : [[inner, true]];
  }
  if (schema instanceof z.ZodArray) return [[schema.element, true]];
  if (schema instanceof z.ZodRecord) return [[schema.valueType, true]];
  if (schema instanceof z.ZodUnion) return schema.options.map((each) => [each, false] as const);
  if (schema instanceof z.ZodPipe)
    return [
      [schema.in, false],
      [schema.out, false],
    ];
  if (schema instanceof z.ZodLazy) return [[schema._zod.innerType, false]];
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return wraps ? [[schema.unwrap(), false]] : [];
}

/** Whether a setting of a connector is secret; `place` without its `settings.`. */
export function isSecretSetting(connector: Connector, place: string): boolean {
  return isSecretPlace(connector.settings, place.split('.'));
}

/** Whether a parameter of a method is secret in any of its operations. */
export function isSecretParameter(method: Method, place: string): boolean {
  return Object.values(method.operations).some((spec) =>
    ('parameters' in spec ? [spec.parameters] : Object.values(spec.variants.cases)).some((schema) =>
      isSecretPlace(schema, place.split('.')),
    ),
  );
}

/** Whether something that a method needs of the session is secret; `place` is its path. */
export function isSecretNeed(method: Method, place: string): boolean {
  return Object.values(method.operations).some(({ needs = {} }) =>
    Object.entries(needs).some(([path, schema]) => {
      if (place !== path && !place.startsWith(`${path}.`)) return false;
      return isSecretPlace(schema, place.slice(path.length + 1).split('.'));
    }),
  );
}
