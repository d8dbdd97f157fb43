import { ownProperty } from '../plain-data.ts';
import { isGiven } from './condition.ts';

/** The places that an account requires within a parameter: of `cart.items.name` the `items.name`, for the parameter `cart`. */
export function requiredWithin(name: string, required: readonly string[] | undefined): readonly string[] {
  if (required === undefined) return [];
  const within = `${name}.`;
  return required.filter((path) => path.startsWith(within)).map((path) => path.slice(within.length));
}

/** Where a required path is not there. Each element of a list must have its own, so there may be several places. */
export function absentPlaces(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((each: unknown, index) => absentPlaces(each, path).map((place) => `${index}.${place}`));
  const [name = '', ...rest] = path.split('.');
  const child = ownProperty(value, name);
  if (!isGiven(child)) return [path];
  return rest.length === 0 ? [] : absentPlaces(child, rest.join('.')).map((place) => `${name}.${place}`);
}
