/** The autofill tokens (HTML, autofill field names), by the last part of a field's path. */
const TOKENS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['first_name', 'given-name'],
  ['last_name', 'family-name'],
  ['email', 'email'],
  ['phone', 'tel'],
  ['birth_date', 'bday'],
  ['country', 'country'],
  ['state', 'address-level1'],
  ['city', 'address-level2'],
  ['district', 'address-level3'],
  ['address', 'street-address'],
  ['zip', 'postal-code'],
]);

/** The `autocomplete` token of an input: what the field says, else what its path says, else nothing is offered. */
export function autocompleteOf(field: {
  readonly name: string;
  readonly input: string;
  readonly autocomplete?: string;
}): string {
  if (field.autocomplete !== undefined) return field.autocomplete;
  if (field.input === 'code') return 'one-time-code';
  const path = field.name.split('.');
  // Outside of these groups a name may be anyone's: the name of a bank is not the payer's.
  if (path[0] !== 'customer' && path[0] !== 'billing_address') return 'off';
  return TOKENS.get(path.at(-1) ?? '') ?? 'off';
}
