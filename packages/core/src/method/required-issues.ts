import type * as z from 'zod';
import { type Issue, issue } from '../issues/issue.ts';
import { type Method, type OperationSpec, schemasOf } from './define-method.ts';
import { shapeWithin } from './shape-within.ts';

/**
 * The paths that a configuration requires of a method and that no operation of it has: requiring them would change nothing. Each issue
 * has the place in the list as its path.
 *
 * @example requiredIssues(pix, ['debtor_documnet']) // [{ path: '0', message: '"debtor_documnet" is neither … Use one of …' }]
 */
export function requiredIssues(method: Method, required: readonly string[]): Issue[] {
  const fields = Object.values<OperationSpec>(method.operations).flatMap((spec) => [
    ...schemasOf(spec).flatMap((schema) => Object.entries(schema.shape)),
    ...Object.entries(spec.needs ?? {}),
  ]);
  const names = [...new Set(fields.map(([name]) => name))];
  const choice = names.length === 0 ? 'It takes none: leave the list out.' : `Use one of ${names.join(', ')}.`;
  return required.flatMap((path, at) => {
    if (fields.some(([name, schema]) => name === path || isWithin(name, schema, path))) return [];
    return [
      issue(String(at), `"${path}" is neither a parameter of "${method.key}" nor a session field it uses. ${choice}`),
    ];
  });
}

/** Whether a path leads to something within a field: of `cart.items.name` the `items.name` of each item in `cart`. */
function isWithin(name: string, schema: z.core.$ZodType, path: string): boolean {
  return path.startsWith(`${name}.`) && has(schema, path.slice(name.length + 1).split('.'));
}

function has(schema: z.core.$ZodType, [name = '', ...rest]: readonly string[]): boolean {
  const inner = shapeWithin(schema)?.[name];
  return inner !== undefined && (rest.length === 0 || has(inner, rest));
}
