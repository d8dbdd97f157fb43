import { resolveMethod } from '@railyard/core/registry';
import { describe, expect, it } from 'vitest';
import published from './fixtures/mobile-money.json' with { type: 'json' };
import { answer, collectionOf, PAYOUT, payoutOf, registry, sessionOf, today } from './support/sessions.ts';

const BLANK = 'This value should not be blank.';
const WRONG = 'This value is not valid.';
const CHOICE = 'The value you selected is not a valid choice.';
const EMAIL = 'This value is not a valid email address.';
const CHARACTERS = 'This value contains characters that are not allowed.';
const TEXT = 'This value should be of type string.';
const long = (limit: number) => `This value is too long. It should have ${limit} characters or less.`;
const at = (key: string, name: string, expected: string | undefined) =>
  expected === undefined ? [] : [`parameters.${key}.${name}: ${expected}`];

type Row = readonly [name: string, value: unknown, expected: string | undefined];

/** Mobile money payout via S2S APM (2-methods.md), each parameter at its edges. */
const PAYOUT_ROWS: readonly Row[] = [
  ['mobile_money_operator', 'safaricom-ke', undefined],
  ['mobile_money_operator', 't-kash-ke', undefined],
  ['mobile_money_operator', 'Safaricom-ke', CHOICE],
  ['mobile_money_operator', 'safaricom', CHOICE],
  ['mobile_money_operator', 'mtn-gh', CHOICE],
  ['mobile_money_operator', 'constructor', CHOICE],
  ['mobile_money_operator', '', CHOICE],
  ['mobile_money_operator', undefined, BLANK],
  ['mobile_number', '254712345678', undefined],
  ['mobile_number', '+254712345678', undefined],
  // Neither a prefix of the operator's nor of any mobile network: only code and length count.
  ['mobile_number', '254000000000', undefined],
  ['mobile_number', '25471234567', undefined],
  ['mobile_number', '+25471234567', WRONG],
  ['mobile_number', '+2547123456789', WRONG],
  ['mobile_number', '+233231234567', WRONG],
  // Money does not come back from a wrong number, so a merchant's system writes the calling code and no marks.
  ['mobile_number', '00254712345678', WRONG],
  ['mobile_number', '0712345678', WRONG],
  ['mobile_number', '254 712 345 678', WRONG],
  ['mobile_number', '++254712345678', WRONG],
  ['mobile_number', '٢٥٤٧١٢٣٤٥٦٧٨', WRONG],
  ['mobile_number', '254712345678\n', CHARACTERS],
  ['mobile_number', 254712345678, TEXT],
  ['mobile_number', ['254712345678'], TEXT],
  ['mobile_number', '', BLANK],
  ['mobile_number', undefined, BLANK],
  ['customer_email', 'ada@example.com', undefined],
  ['customer_email', 'ada', EMAIL],
  ['customer_email', '', BLANK],
  ['customer_email', undefined, BLANK],
  ['customer_name', 'Ada', undefined],
  ['customer_name', 'a'.repeat(255), undefined],
  ['customer_name', 'a'.repeat(256), long(255)],
  ['customer_name', undefined, undefined],
  ['customer_phone', '254712345678', 'This field was not expected.'],
];

/** Mobile money Uganda (2-methods.md, Method-specific parameters). */
const UGANDA_ROWS: readonly Row[] = [
  ['AccountProviderCode', 'MTN_UGANDA', undefined],
  ['AccountProviderCode', '', BLANK],
  ['AccountProviderCode', 'a'.repeat(256), long(255)],
  ['NarrativeFileName', 'a.pdf', undefined],
  ['NarrativeFileName', 'a'.repeat(255), undefined],
  ['NarrativeFileName', 'a'.repeat(256), long(255)],
  ['NarrativeFileName', '../../etc/passwd', WRONG],
  ['NarrativeFileName', '..', WRONG],
  ['NarrativeFileName', 'C:\\a.pdf', WRONG],
  ['NarrativeFileName', 'a\u0000.pdf', CHARACTERS],
  ['NarrativeFileBase64', 'JVBERi0=', undefined],
  ['NarrativeFileBase64', 'not base64!!', WRONG],
  ['NarrativeFileBase64', 'JVBERi0', WRONG],
  ['NarrativeFileBase64', 'JVBERi0=\n', CHARACTERS],
  ['NarrativeFileBase64', '', BLANK],
  // What is in the file is the provider's affair: it is carried, never opened.
  ['NarrativeFileBase64', 'PHNjcmlwdD4=', undefined],
  ['NarrativeFileBase64', Buffer.alloc(128 * 1024).toString('base64'), undefined],
  [
    'NarrativeFileBase64',
    Buffer.alloc(128 * 1024 + 1).toString('base64'),
    'The file should have 131072 bytes or less.',
  ],
  ['ProviderReferenceText', '</Narrative><Amount>1</Amount>', undefined],
  ['ProviderReferenceText', 'a'.repeat(256), long(255)],
  ['mobile_number', '+256 712 345 678', undefined],
  ['mobile_number', 'seven', WRONG],
  ['Narrative', 'x', 'This field was not expected.'],
];

describe('a payout', () => {
  it.each(PAYOUT_ROWS)('answers %s = %j', (name, value, expected) => {
    expect(answer(payoutOf({ [name]: value }))).toEqual(at('mobile-money', name, expected));
  });

  it.each(published.sandboxNumbers.payout)('takes the sandbox number $number of $operator', (sample) => {
    const { operator, number, currency } = sample;
    expect(answer(payoutOf({ mobile_money_operator: operator, mobile_number: number }, '100.00', currency))).toEqual(
      [],
    );
  });

  it.each([
    [
      'a currency that no operator has',
      '10.00',
      'USD',
      [`order.currency: ${CHOICE}`, `parameters.mobile-money.mobile_money_operator: ${CHOICE}`],
    ],
    ['half a franc', '100.50', 'XOF', ['order.amount: This value should have no decimals other than zeros.']],
  ])('in %s is refused', (_what, amount, currency, expected) => {
    const to = currency === 'XOF' ? { mobile_money_operator: 'mtn-ci', mobile_number: '2250123456789' } : {};
    expect(answer(payoutOf(to, amount, currency))).toEqual(expected);
  });

  it.each([
    ['XAF', 'mtn-cm', '237671234567'],
    ['XOF', 'wave-ci', '2250123456789'],
  ])(
    'in %s that is no multiple of five is warned of, and refused where the account is strict',
    (currency, operator, number) => {
      const session = payoutOf({ mobile_money_operator: operator, mobile_number: number }, '1001.00', currency);
      const text = 'order.amount: This value should be a multiple of 5.';
      expect(answer(session)).toEqual([`warning ${text}`]);
      const profile = { methods: { 'mobile-money': { method: 'mobile-money', strict_documents: true } } };
      expect(answer(session, profile)).toEqual([text]);
      expect(
        answer(payoutOf({ mobile_money_operator: operator, mobile_number: number }, '1005.00', currency), profile),
      ).toEqual([]);
    },
  );

  it('in shillings is no multiple of anything', () => {
    expect(answer(payoutOf({}, '1001.01'))).toEqual([]);
  });

  it.each([
    ['payee', { payee: undefined }, [`payee: ${BLANK}`]],
    ['payee.email', { payee: { name: 'Ada Lovelace' } }, [`payee.email: ${BLANK}`]],
    ['payee.email', { payee: { name: 'Ada Lovelace', email: 'payee' } }, [`payee.email: ${EMAIL}`]],
  ])('needs %s of the session', (_path, more, expected) => {
    expect(answer(payoutOf({}, '100.00', 'KES', more))).toEqual(expected);
  });
});

describe('a collection', () => {
  const missing = (session: unknown, key: string) => {
    const validated = registry.validate(session, { today });
    if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
    const resolution = resolveMethod(registry, validated.session, key);
    return resolution.kind === 'missing' ? resolution.fields.map(({ path }) => path) : resolution.kind;
  };

  it('asks the payer for the phone, and for an e-mail where the session has none', () => {
    expect(missing(sessionOf('mobile-money', {}), 'mobile-money')).toEqual(['parameters.mobile-money.mobile_number']);
    expect(missing(sessionOf('mobile-money', {}, { customer: undefined }), 'mobile-money')).toEqual([
      'customer.email',
      'parameters.mobile-money.mobile_number',
    ]);
    expect(missing(sessionOf('mobile-money', { mobile_number: '254712345678' }), 'mobile-money')).toBe('complete');
  });

  it.each([
    ['KES', '254712345678', []],
    ['KES', '+254 (712) 345-678', []],
    ['KES', '+233231234567', at('mobile-money', 'mobile_number', WRONG)],
    ['GHS', '233240000000', []],
    ['XOF', '2250123456789', []],
    ['XAF', '237671234567', []],
    ['TZS', '255621234567', []],
    ['EGP', '201001234567', []],
    ['KES', 'call me', at('mobile-money', 'mobile_number', WRONG)],
  ])('in %s from %s', (currency, mobile_number, expected) => {
    expect(answer(collectionOf('mobile-money', { mobile_number }, '100.00', currency))).toEqual(expected);
  });

  it('takes no parameter of a payout', () => {
    expect(answer(sessionOf('mobile-money', PAYOUT))).toEqual([
      'parameters.mobile-money.mobile_money_operator: This field was not expected.',
      'parameters.mobile-money.customer_email: This field was not expected.',
    ]);
  });

  it.each([
    ['mobile-money-bj-a', '2290195123456'],
    ['mobile-money-bj-b', '2290195123456'],
    ['mobile-money-tg-a', '22890112345'],
    ['mobile-money-tg-b', '22890112345'],
  ])('by %s takes %s in its own currency', (key, number) => {
    expect(answer(collectionOf(key, { mobile_number: number }, '1000.00', 'XOF'))).toEqual([]);
    expect(missing(collectionOf(key, {}, '1000.00', 'XOF'), key)).toEqual([`parameters.${key}.mobile_number`]);
    expect(answer(collectionOf(key, { mobile_number: number }, '10.00', 'KES'))).toEqual([`order.currency: ${CHOICE}`]);
  });

  it('by code takes a payer and perhaps a receiver, of any country', () => {
    const by = (parameters: object) => answer(collectionOf('mobile-money-otp', { ...parameters }, '10.00', 'ZMW'));
    expect(by({ mobile_number: '260951234567' })).toEqual([]);
    expect(by({ mobile_number: '260951234567', receiver_number: '+254712345678' })).toEqual([]);
    expect(by({ mobile_number: '260951234567', receiver_number: 'x' })).toEqual(
      at('mobile-money-otp', 'receiver_number', WRONG),
    );
    expect(missing(collectionOf('mobile-money-otp', {}, '10.00', 'ZMW'), 'mobile-money-otp')).toEqual([
      'parameters.mobile-money-otp.mobile_number',
    ]);
  });
});

describe('mobile money of Uganda', () => {
  it.each(UGANDA_ROWS)('row %# answers a %s', (name, value, expected) => {
    expect(answer(collectionOf('mobile-money-ug', { [name]: value }, '5000.00', 'UGX'))).toEqual(
      at('mobile-money-ug', name, expected),
    );
  });

  it('is paid in whole shillings', () => {
    expect(answer(collectionOf('mobile-money-ug', {}, '5000.50', 'UGX'))).toEqual([
      'order.amount: This value should have no decimals other than zeros.',
    ]);
  });
});
