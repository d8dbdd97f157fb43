/**
 * A condition is data, so that server, page and documentation read the same rule.
 *
 * Paths are dotted paths of the session (`billing_address.country`); `parameters.<name>` means the method's own parameters.
 *
 * `in` of a list holds where one of its elements is among the values.
 *
 * @example { path: 'billing_address.country', in: ['BR', 'CL', 'CO'] }
 */
export type Condition =
  | { readonly path: string; readonly in: readonly string[] }
  | { readonly path: string; readonly notIn: readonly string[] }
  | { readonly path: string; readonly present: boolean }
  | { readonly all: readonly Condition[] }
  /** `says`: what it means, where the parts would be tedious to read. */
  | { readonly any: readonly Condition[]; readonly says?: string };

/** Whether a value counts as given: an empty text is a field left blank. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/**
 * Whether the condition holds; an absent condition always holds.
 *
 * @param read gives the value at a path, or `undefined`
 */
export function holds(condition: Condition | undefined, read: (path: string) => unknown): boolean {
  if (condition === undefined) return true;
  if ('all' in condition) return condition.all.every((each) => holds(each, read));
  if ('any' in condition) return condition.any.some((each) => holds(each, read));
  const value = read(condition.path);
  if ('present' in condition) return isGiven(value) === condition.present;
  if ('in' in condition) {
    const isAmong = (each: unknown) => typeof each === 'string' && condition.in.includes(each);
    return Array.isArray(value) ? value.some(isAmong) : isAmong(value);
  }
  return typeof value !== 'string' || !condition.notIn.includes(value);
}

/** The condition in words, for tables and error texts. */
export function describeCondition(condition: Condition): string {
  if ('all' in condition) return condition.all.map(describeCondition).join(' and ');
  if ('any' in condition) return condition.says ?? condition.any.map(describeCondition).join(' or ');
  if ('present' in condition) return `${condition.path} is ${condition.present ? 'given' : 'absent'}`;
  if ('in' in condition) return `${condition.path} is ${condition.in.join(', ')}`;
  return `${condition.path} is none of ${condition.notIn.join(', ')}`;
}
