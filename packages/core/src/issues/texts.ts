/** Of a wrong signature. Apart from the others, because a page that validates checks none. */
export const WRONG_HASH = 'Hash is not valid.';

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/**
 * Every text of a validation answer. The published ones are exact, because clients match on them; where the protocol
 * shows none, it is the default English wording of the same family.
 */
export const TEXTS = {
  blank: 'This value should not be blank.',
  choice: 'The value you selected is not a valid choice.',
  greaterThanZero: 'This value should be greater than 0.',
  notValid: 'This value is not valid.',
  notCorrect: 'This value is not correct.',
  url: 'This value is not a valid URL.',
  email: 'This value is not a valid email address.',
  date: 'This value is not a valid date.',
  datetime: 'This value is not a valid datetime.',
  time: 'This value is not a valid time.',
  country: 'This value is not a valid country.',
  language: 'This value is not a valid language.',
  ip: 'This value is not a valid IP address.',
  uuid: 'This value is not a valid UUID.',
  unexpected: 'This field was not expected.',
  // Below: not of that family, for rules that it does not have.
  characters: 'This value contains characters that are not allowed.',
  wholeAmount: 'This value should have no decimals other than zeros.',
  unsafeNumber: 'This number has more digits than can be kept. Send it as a string.',
  tooShort: (limit: number) => `This value is too short. It should have ${counted(limit, 'character')} or more.`,
  tooLong: (limit: number) => `This value is too long. It should have ${counted(limit, 'character')} or less.`,
  exactLength: (length: number) => `This value should have exactly ${counted(length, 'character')}.`,
  tooFew: (limit: number) => `This collection should contain ${counted(limit, 'element')} or more.`,
  tooMany: (limit: number) => `This collection should contain ${counted(limit, 'element')} or less.`,
  between: (low: number | string, high: number | string) => `This value should be between ${low} and ${high}.`,
  atLeast: (limit: number | bigint | string) => `This value should be greater than or equal to ${limit}.`,
  atMost: (limit: number | bigint | string) => `This value should be less than or equal to ${limit}.`,
  above: (limit: number | bigint | string) => `This value should be greater than ${limit}.`,
  below: (limit: number | bigint | string) => `This value should be less than ${limit}.`,
  multipleOf: (step: number | bigint) => `This value should be a multiple of ${step}.`,
  type: (name: string) => `This value should be of type ${name}.`,
  decimals: (limit: number) => `This value should have ${counted(limit, 'decimal')} or less.`,
  nesting: (limit: number) => `This value should not be nested deeper than ${counted(limit, 'level')}.`,
  keyCount: (limit: number) => `This request should not have more than ${counted(limit, 'key')}.`,
  keyLength: (limit: number) => `A key of this value should not be longer than ${counted(limit, 'character')}.`,
  onlyFor: (condition: string) => `This value is only allowed with ${condition}.`,
} as const;
