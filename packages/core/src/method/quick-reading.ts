import { ownProperty } from '../plain-data.ts';
import type { PreparedOperation } from './prepared.ts';
import type { Scope, Sources } from './scope.ts';
import { knownValue, own, parameterPath, type Read, reader } from './values.ts';

/** Looks one path up. */
type Lookup = (scope: Scope, sources: Sources) => unknown;

/** As `reader`, of an operation whose paths are taken apart once. */
export function quickReading(operation: PreparedOperation): (scope: Scope, sources: Sources) => Read {
  const lookups = new Map<string, Lookup>();
  return (scope, sources) => (path) => {
    let lookup = lookups.get(path);
    if (lookup === undefined) lookups.set(path, (lookup = lookupOf(operation, path)));
    return lookup(scope, sources);
  };
}

function lookupOf(operation: PreparedOperation, path: string): Lookup {
  const { spec, needs, shapes } = operation;
  const names = path.split('.');
  const [first, name = '', ...rest] = names;
  if (first !== 'parameters' && !needs.has(path)) return ({ session }) => names.reduce(ownProperty, session);
  const field = first === 'parameters' && rest.length === 0 ? shapes.get(undefined)?.fields.get(name) : undefined;
  // A field of the one shape that depends on no other. All else may lead from path to path.
  if (field === undefined || field.info.when !== undefined || 'variants' in spec)
    return (scope, sources) => reader(operation, scope, sources)(path);
  return (scope, sources) => {
    const given = own(scope.own, name);
    return given === undefined ? knownValue(field, parameterPath(scope, name), given, sources).value : given;
  };
}
