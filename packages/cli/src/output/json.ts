/** JSON for programs: a bigint, as amounts have, becomes its digits. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each), 2);
}
