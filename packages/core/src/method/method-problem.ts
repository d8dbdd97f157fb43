import * as z from 'zod';
import { countryCodes } from '../country-codes.ts';
import { type Method, type OperationSpec, schemasOf } from './define-method.ts';
import { limitProblem, type LimitsTable } from './limits.ts';
import { METHOD_KEY, PARAMETER_NAME } from './method-key.ts';

/**
 * The problem of a declaration, or nothing: a key that is not usable as a property name, an operation that accepts unknown
 * names, a variant whose choice is not among the operation's needs, a country or a limit that is none. `defineConnector` calls it.
 * `defineMethod` does not, so that a page which only validates does not carry it.
 */
export function methodProblem(method: Method): string | undefined {
  if (sound.has(method)) return undefined;
  const problem = firstProblem(method);
  if (problem === undefined) sound.add(method);
  return problem;
}

/** Methods and tables in which no problem was found: several connectors of a package serve a method, and several methods have a table. */
const sound = new WeakSet<Method | LimitsTable>();

function firstProblem(method: Method): string | undefined {
  const { key, operations, limits } = method;
  if (!METHOD_KEY.test(key))
    return `Method key ${JSON.stringify(key)}: use letters, digits, "-", "_" and "."; at most 64.`;
  for (const [operation, spec] of Object.entries<OperationSpec>(operations)) {
    const problem = operationProblem(spec);
    if (problem !== undefined) return `Method ${key}, ${operation}: ${problem}`;
  }
  const place = countriesProblem(method);
  if (place !== undefined) return `Method ${key}: ${place}`;
  return limits && !sound.has(limits) ? tableProblem(limits) : undefined;
}

function tableProblem(limits: LimitsTable): string | undefined {
  for (const row of limits.rows) {
    const problem = limitProblem(row);
    if (problem !== undefined) return `Limits row ${JSON.stringify(row)}: ${problem}`;
  }
  sound.add(limits);
  return undefined;
}

function countriesProblem({ countries, home }: Pick<Method, 'countries' | 'home'>): string | undefined {
  if (countries && home) return 'give countries, or home where payers of other countries are taken too.';
  if (home?.elsewhere.trim() === '') return 'say in home.elsewhere why payers of other countries are taken.';
  const odd = (countries ?? home?.countries ?? []).find((code) => !countryCodes.has(code));
  return odd === undefined ? undefined : `${JSON.stringify(odd)} is no country of ISO 3166-1 in two letters.`;
}

function operationProblem(spec: OperationSpec): string | undefined {
  if (schemasOf(spec).some((schema) => !(schema._zod.def.catchall instanceof z.ZodNever)))
    return 'declare parameters with z.strictObject, so that a wrong name is refused.';
  const odd = schemasOf(spec)
    .flatMap((schema) => Object.keys(schema.shape))
    .find((name) => !PARAMETER_NAME.test(name));
  if (odd !== undefined)
    return `${JSON.stringify(odd)} is no name for a parameter: use letters, digits, "-" and "_"; at most 64.`;
  const needs = spec.needs ?? {};
  const own = Object.keys(needs).find((path) => path.startsWith('parameters.'));
  if (own !== undefined) return `"${own}" is a parameter. Needs are paths of the session.`;
  if ('variants' in spec && !Object.hasOwn(needs, spec.variants.by))
    return `declare "${spec.variants.by}" under needs, so that it can be asked for.`;
  return undefined;
}
