import { resolveMethod } from '@railyard/core/registry';
import { describe, expect, it } from 'vitest';
import { identificationTypes } from '../src/index.ts';
import { answer, paymentTo, registry, sessionOf, today } from './support/sessions.ts';

const BLANK = 'This value should not be blank.';
const CHOICE = 'The value you selected is not a valid choice.';
const UNEXPECTED = 'This field was not expected.';
const LIST = 'parameters.open-banking.payee_identifications';

/** The types as the protocol lists them (2-methods.md, Open-banking method). */
const TYPES = [
  'SORT_CODE',
  'ACCOUNT_NUMBER',
  'IBAN',
  'BBAN',
  'BIC',
  'PAN',
  'MASKED_PAN',
  'MSISDN',
  'BSB',
  'NCC',
  'ABA',
  'ABA_WIRE',
  'ABA_ACH',
  'ROLL_NUMBER',
  'BLZ',
  'IFS',
  'CLABE',
  'CTN',
  'BRANCH_CODE',
  'VIRTUAL_ACCOUNT_ID',
];

const x = (length: number) => 'x'.repeat(length);
const n = (length: number) => '1'.repeat(length);

interface Row {
  readonly type: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  readonly expected: string;
}

/**
 * What each type takes and refuses, written out from the specification (reference/methods-facts.md, 8, with 6, 7 and 9), at both ends of
 * each length.
 */
const ROWS: readonly Row[] = [
  {
    type: 'SORT_CODE',
    right: ['040004', '04-00-04', '04 00 04'],
    wrong: ['04000', '0400044', '04000x'],
    expected: '6 digits',
  },
  {
    type: 'ACCOUNT_NUMBER',
    right: ['1', '12345678', x(34), 'AB12'],
    wrong: [x(35), '1234-5678', '1234 5678', 'é'],
    expected: '1 to 34 letters and digits',
  },
  {
    type: 'IBAN',
    right: ['GB29NWBK60161331926819', 'GB29 NWBK 6016 1331 9268 19', 'gb29nwbk60161331926819'],
    wrong: ['GB28NWBK60161331926819', 'GB29NWBK6016133192681', 'XX29NWBK60161331926819', '12345678'],
    expected: 'an IBAN with right check digits',
  },
  { type: 'BBAN', right: ['1', x(30)], wrong: [x(31), 'NWBK 6016'], expected: '1 to 30 letters and digits' },
  {
    type: 'BIC',
    right: ['COBADEFF', 'COBADEFFXXX', 'cobadeff', 'COBA DE FF'],
    wrong: ['COBADEF', 'COBADEFFXX', 'COBADEFFXXXX', 'COBAXXFF', '1OBADEFF'],
    expected: '8 or 11 letters and digits',
  },
  {
    type: 'PAN',
    right: ['4111111111111111', '378282246310005', '500000000009', '6304000000000000000'],
    wrong: ['4111111111111112', '50000000006', '41111111111111111111', '4111 1111 1111 1111'],
    expected: '12 to 19 digits with their check digit',
  },
  {
    type: 'MASKED_PAN',
    right: ['411111******1111', '411111XXXXXX1111', '********1111', `${'*'.repeat(15)}1111`],
    wrong: ['4111111111111111', '*******1111', `${'*'.repeat(16)}1111`, '411111------1111'],
    expected: '12 to 19 digits, some of them hidden by * or X',
  },
  {
    type: 'MSISDN',
    right: ['25471234', '254712345678', '+254712345678', '123456789012345'],
    wrong: ['2547123', '1234567890123456', '0712345678', '254 712 345678'],
    expected: '8 to 15 digits with the calling code',
  },
  { type: 'BSB', right: ['062000', '062-000'], wrong: ['06200', '0620000', '06200x'], expected: '6 digits' },
  { type: 'NCC', right: ['1', 'AB12', x(35)], wrong: [x(36), '12-34'], expected: '1 to 35 letters and digits' },
  ...['ABA', 'ABA_WIRE', 'ABA_ACH'].map((type) => ({
    type,
    right: ['111000025'],
    wrong: ['112000025', '11100002', '1110000255', '11100002B'],
    expected: '9 digits with their check digit',
  })),
  { type: 'ROLL_NUMBER', right: ['1', 'A/123456-7 B', x(18)], wrong: [x(19)], expected: '1 to 18 characters' },
  {
    type: 'BLZ',
    right: ['37040044'],
    wrong: ['3704004', '370400444', '3704004x'],
    expected: '8 digits, or 5 in Austria',
  },
  {
    type: 'IFS',
    right: ['HDFC0000001', 'SBIN0ABC123'],
    wrong: ['HDFC1000001', 'HDFC000001', 'HDFC00000012', 'HDF00000001', 'hdfc0000001'],
    expected: '4 letters, a zero, 6 letters or digits',
  },
  {
    type: 'CLABE',
    right: ['032180000118359719', '002010077777777771'],
    wrong: ['03218000011835971', '0321800001183597199', '00000000000000000a'],
    expected: '18 digits',
  },
  ...['CTN', 'BRANCH_CODE', 'VIRTUAL_ACCOUNT_ID'].map((type) => ({
    type,
    right: ['1', 'a-b/c d', x(34)],
    wrong: [x(35)],
    expected: '1 to 34 characters',
  })),
];

/** What some types need beside them, so that only the value itself is looked at. */
const BESIDE: Readonly<Record<string, string>> = {
  SORT_CODE: '12345678',
  BSB: n(9),
  ABA: n(9),
  ABA_WIRE: n(9),
  ABA_ACH: n(9),
  IFS: n(9),
};

function itemsOf(type: string, identification: unknown): readonly object[] {
  const account = BESIDE[type];
  return [
    { type, identification },
    ...(account === undefined ? [] : [{ type: 'ACCOUNT_NUMBER', identification: account }]),
  ];
}

const named = (type: string, identification: unknown, payee_country = 'GB') =>
  answer(paymentTo({ payee_country, payee_identifications: itemsOf(type, identification) }));

describe('an identification', () => {
  it('has the twenty types of the protocol', () => {
    expect(identificationTypes).toEqual(TYPES);
    expect(ROWS.map(({ type }) => type)).toEqual(TYPES);
  });

  it.each(ROWS.flatMap(({ type, right }) => right.map((value) => [type, value] as const)))(
    '%s may be %s',
    (type, value) => {
      const country = type === 'BLZ' ? 'DE' : 'GB';
      expect(named(type, value, country)).toEqual([]);
    },
  );

  it.each(ROWS.flatMap(({ type, wrong, expected }) => wrong.map((value) => [type, value, expected] as const)))(
    '%s may not be %s',
    (type, value, expected) => {
      expect(named(type, value)).toEqual([`${LIST}.0.identification: This value is not valid. Expected ${expected}.`]);
    },
  );

  it.each(TYPES)('%s may not be blank, absent, a number or with control characters', (type) => {
    const at = `${LIST}.0.identification: `;
    expect(named(type, '')).toEqual([`${at}${BLANK}`]);
    expect(named(type, ' ')).toEqual([`${at}${BLANK}`]);
    expect(named(type, undefined)).toEqual([`${at}${BLANK}`]);
    expect(named(type, null)).toEqual([`${at}${BLANK}`]);
    expect(named(type, 40_004)).toEqual([`${at}This value should be of type string.`]);
    expect(named(type, '1\u0000')).toEqual([`${at}This value contains characters that are not allowed.`]);
  });

  it('is sent on without what people write between the groups', () => {
    const sent = (type: string, identification: string) => {
      const result = registry.validate(paymentTo({ payee_identifications: itemsOf(type, identification) }), { today });
      if (!result.ok) throw new Error(JSON.stringify(result.issues));
      const resolved = resolveMethod(registry, result.session, 'open-banking');
      return resolved.kind === 'complete' ? resolved.value.parameters['payee_identifications'] : resolved;
    };
    for (const [type, identification, bare] of [
      ['SORT_CODE', '04-00-04', '040004'],
      ['BSB', '062-000', '062000'],
      ['IBAN', 'gb29 nwbk 6016 1331 9268 19', 'GB29NWBK60161331926819'],
      ['BIC', 'coba de ff', 'COBADEFF'],
      ['MSISDN', '+254712345678', '254712345678'],
    ] as const)
      expect(sent(type, identification)).toContainEqual({ type, identification: bare });
  });
});

describe('the list of identifications', () => {
  const list = (payee_identifications: unknown, payee_country = 'GB') =>
    answer(paymentTo({ payee_identifications, payee_country }));
  const item = (type: unknown, identification: unknown = n(9)) => ({ type, identification });

  it.each([
    ['absent', undefined, [`${LIST}: ${BLANK}`]],
    ['null', null, [`${LIST}: ${BLANK}`]],
    ['empty', [], [`${LIST}: This collection should contain 1 element or more.`]],
    ['an object', {}, [`${LIST}: This value should be of type array.`]],
    ['text', 'GB29NWBK60161331926819', [`${LIST}: This value should be of type array.`]],
    ['of texts', ['x'], [`${LIST}.0: This value should be of type object.`]],
    ['of an unknown type', [item('EMAIL', 'ann@example.com')], [`${LIST}.0.type: ${CHOICE}`]],
    ['of a type in small letters', [item('iban')], [`${LIST}.0.type: ${CHOICE}`]],
    ['without a type', [{ identification: '1' }], [`${LIST}.0.type: ${BLANK}`]],
    ['with more', [{ ...item('CTN'), name: 'x' }], [`${LIST}.0.name: ${UNEXPECTED}`]],
    [
      'with a wrong second',
      [item('CTN'), item('IBAN', 'GB')],
      [`${LIST}.1.identification: This value is not valid. Expected an IBAN with right check digits.`],
    ],
    [
      'longer than there are types',
      Array.from({ length: 21 }, () => item('CTN')),
      [`${LIST}: This collection should contain 20 elements or less.`],
    ],
  ])('may not be %s', (_what, value, expected) => {
    expect(list(value)).toEqual(expected);
  });

  it.each([
    ['IBAN alone', [item('IBAN', 'GB29NWBK60161331926819')]],
    ['CLABE alone', [item('CLABE', '032180000118359719')]],
    ['IBAN and BIC', [item('IBAN', 'GB29NWBK60161331926819'), item('BIC', 'NWBKGB2L')]],
    [
      'ABA_WIRE, ABA_ACH and an account',
      [item('ABA_WIRE', '111000025'), item('ABA_ACH', '111000025'), item('ACCOUNT_NUMBER', 'A1')],
    ],
  ])('may be %s', (_what, items) => {
    expect(list(items)).toEqual([]);
  });

  it.each(TYPES)('has %s once', (type) => {
    const { right: [first = ''] = [] } = ROWS.find((row) => row.type === type) ?? {};
    const country = type === 'BLZ' ? 'DE' : 'GB';
    expect(list([...itemsOf(type, first), item(type, first)], country)).toEqual([
      `${LIST}.${itemsOf(type, first).length}.type: This value is not valid. Give each type once.`,
    ]);
  });

  it.each([
    ['SORT_CODE', '040004'],
    ['BSB', '062000'],
    ['ABA', '111000025'],
    ['ABA_WIRE', '111000025'],
    ['ABA_ACH', '111000025'],
    ['IFS', 'HDFC0000001'],
  ])('has an account number beside %s', (type, value) => {
    expect(list([item(type, value)])).toEqual([
      `${LIST}: This value is not valid. ${type} needs an ACCOUNT_NUMBER beside it.`,
    ]);
  });

  it.each(['1234567', '123456789', 'ABCDEFGH'])('has no account %s beside a sort code', (account) => {
    expect(list([item('ACCOUNT_NUMBER', account), item('SORT_CODE', '040004')])).toEqual([
      `${LIST}.0.identification: This value is not valid. Expected 8 digits beside a SORT_CODE.`,
    ]);
  });
});

/** reference/methods-facts.md, 8: NZ, IE 6; ES 8-9; HK 3; IT 10; PT 8. BLZ: 8 digits (AT: 5). */
const OF_COUNTRY = [
  ['NCC', 'NZ', [6], [5, 7], '6 digits'],
  ['NCC', 'IE', [6], [5, 7], '6 digits'],
  ['NCC', 'ES', [8, 9], [7, 10], '8 to 9 digits'],
  ['NCC', 'HK', [3], [2, 4], '3 digits'],
  ['NCC', 'IT', [10], [9, 11], '10 digits'],
  ['NCC', 'PT', [8], [7, 9], '8 digits'],
  ['NCC', 'SE', [1, 35], [], ''],
  ['BLZ', 'DE', [8], [5], '8 digits'],
  ['BLZ', 'AT', [5], [8], '5 digits'],
] as const;

describe('a code of a country', () => {
  it.each(OF_COUNTRY)('%s of %s', (type, country, right, wrong, expected) => {
    for (const length of right) expect(named(type, n(length), country)).toEqual([]);
    for (const length of wrong)
      expect(named(type, n(length), country)).toEqual([
        `${LIST}.0.identification: This value is not valid. Expected ${expected} in ${country}.`,
      ]);
  });
});

describe('a doubt', () => {
  const strict = { methods: { 'open-banking': { method: 'open-banking', strict_documents: true } } };

  it.each([
    [
      'an IBAN of another country',
      'FR',
      { type: 'IBAN', identification: 'GB29NWBK60161331926819' },
      'This IBAN is of GB, payee_country is FR.',
    ],
    [
      'a CLABE with a wrong check digit, as published samples have',
      'MX',
      { type: 'CLABE', identification: '012027111111111118' },
      'The check digit of this CLABE is not correct.',
    ],
  ])('is told: %s. An account with strict documents refuses it', (_what, payee_country, item, says) => {
    const session = paymentTo({ payee_country, payee_identifications: [item] });
    expect(answer(session)).toEqual([`warning ${LIST}.0.identification: ${says}`]);
    expect(answer(session, strict)).toEqual([`${LIST}.0.identification: ${says}`]);
  });
});

describe('the payee', () => {
  const at = 'parameters.open-banking.';
  const country = `${at}payee_country: This value is not a valid country. Send two capital letters (ISO 3166-1 alpha-2), GB for example.`;

  it.each([
    ['payee_name', 'A', []],
    ['payee_name', x(255), []],
    ['payee_name', 'Søren Ærø', []],
    ['payee_name', x(256), [`${at}payee_name: This value is too long. It should have 255 characters or less.`]],
    ['payee_name', '', [`${at}payee_name: ${BLANK}`]],
    ['payee_name', undefined, [`${at}payee_name: ${BLANK}`]],
    ['payee_name', 5, [`${at}payee_name: This value should be of type string.`]],
    ['payee_name', 'Ann\nLee', [`${at}payee_name: This value contains characters that are not allowed.`]],
    ['payee_country', 'GB', []],
    ['payee_country', undefined, [`${at}payee_country: ${BLANK}`]],
    ['payee_country', 'GBR', [country]],
    ['payee_country', 'gb', [country]],
    ['payee_country', '826', [country]],
    ['payee_country', 'XX', [country]],
    ['payee_country', '', [country]],
    ['payee_email', 'ann@example.com', [`${at}payee_email: ${UNEXPECTED}`]],
  ])('row %#: %s is %j', (name, value, expected) => {
    expect(answer(paymentTo({ [name]: value }))).toEqual(expected);
  });

  it('is named by the request: neither the payer nor the account supplies it', () => {
    expect(answer(sessionOf('open-banking', {}))).toEqual([
      `${at}payee_name: ${BLANK}`,
      `${at}payee_country: ${BLANK}`,
      `${at}payee_identifications: ${BLANK}`,
    ]);
  });

  it.each(['debit', 'credit', 'transfer'])('is paid by purchase, not by %s', (operation) => {
    expect(answer(paymentTo({}, { operation }))).toContain(`methods: ${CHOICE}`);
  });
});

describe('online bank transfer', () => {
  const session = (more: object = {}, parameters: object = {}) =>
    sessionOf('online-bank-transfer', { ...parameters }, more);

  it('takes no parameter', () => {
    expect(answer(session())).toEqual([]);
    expect(answer(session({}, { payment_methods: 'OBT' }))).toEqual([
      `parameters.online-bank-transfer.payment_methods: ${UNEXPECTED}`,
    ]);
  });

  it('asks the payer for a name where the session has none', () => {
    const missing = (more: object) => {
      const result = registry.validate(session(more), { today });
      if (!result.ok) throw new Error(JSON.stringify(result.issues));
      const resolved = resolveMethod(registry, result.session, 'online-bank-transfer');
      return resolved.kind === 'missing' ? resolved.fields.map(({ path }) => path) : resolved.kind;
    };
    expect(missing({})).toBe('complete');
    expect(missing({ customer: undefined })).toEqual(['customer.name']);
    expect(missing({ customer: { email: 'ada@example.com' } })).toEqual(['customer.name']);
  });
});
