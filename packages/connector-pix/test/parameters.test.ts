import { resolveMethod } from '@railyard/core/registry';
import { describe, expect, it } from 'vitest';
import { answer, creditOf, profileOf, registry, sessionOf, today } from './support/sessions.ts';

const BLANK = 'This value should not be blank.';
const WRONG = 'This value is not valid.';
const CHOICE = 'The value you selected is not a valid choice.';
const DIGITS = 'The check digits of this document are not correct.';
const FOUR = 'This value should have exactly 4 digits.';
const long = (limit: number) => `This value is too long. It should have ${limit} characters or less.`;

type Row = readonly [name: string, value: unknown, expected: string | undefined];

/** Pix-style payin of the protocol, each parameter at its edges. */
const PAYIN: readonly Row[] = [
  ['fine', '0', undefined],
  ['fine', '0.01', undefined],
  ['fine', '9999999999.99', undefined],
  ['fine', '10000000000', WRONG],
  ['fine', '1.001', WRONG],
  ['fine', '-1', WRONG],
  ['fine', '1,5', WRONG],
  ['fine', '01', WRONG],
  ['fine', 1.5, 'This value should be of type string.'],
  ['fine', null, BLANK],
  ['type_fine', 'VALUE', undefined],
  ['type_fine', 'PERCENT', undefined],
  ['type_fine', 'value', CHOICE],
  ['type_fine', '', CHOICE],
  ['branch_identifier', '0001', undefined],
  ['branch_identifier', '001', FOUR],
  ['branch_identifier', '00001', FOUR],
  ['branch_identifier', '00a1', FOUR],
  ['source_account_number', '1'.repeat(255), undefined],
  ['source_account_number', '1'.repeat(256), long(255)],
  ['source_account_number', '', BLANK],
  ['type_document', 'CPF', undefined],
  ['type_document', 'CNPJ', undefined],
  ['type_document', 'RG', CHOICE],
  ['debtor_document', '52998224725', undefined],
  ['debtor_document', '5299822472', WRONG],
  ['debtor_document', '529982247255', WRONG],
  ['debtor_document', '11222333000181', undefined],
  ['debtor_document', '1122233300018', WRONG],
  ['debtor_document', '112223330001811', WRONG],
  ['debtor_document', '12ABC34501DE35', undefined],
  ['debtor_document', '12abc34501de35', WRONG],
  ['debtor_document', '529.982.247-25', WRONG],
  ['debtor_document', ' ', BLANK],
  ['debtor_name', 'M', undefined],
  ['debtor_name', 'João da Silva e Sousa Neto'.slice(0, 25), undefined],
  ['debtor_name', 'a'.repeat(26), long(25)],
  ['debtor_name', '', BLANK],
  ['debtor_names', 'x', 'This field was not expected.'],
];

/** Pix-style payout of the protocol. */
const PAYOUT: readonly Row[] = [
  ['key', 'c4249323-b4ca-43f2-8139-8232aab09b93', undefined],
  ['key', 'c4249323-b4ca-43f2-8139-8232aab09b931', WRONG],
  ['key', '52998224725', undefined],
  ['key', '11222333000181', undefined],
  ['key', '12ABC34501DE35', undefined],
  ['key', '112223330001811', WRONG],
  ['key', '5511912345684', undefined],
  ['key', '+5511912345684', undefined],
  ['key', '551191234568', WRONG],
  ['key', 'maria@example.com', undefined],
  ['key', `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`, long(180)],
  ['key', '529.982.247-25', WRONG],
  ['key', '', BLANK],
  ['key', null, BLANK],
  ['source_account_number', undefined, BLANK],
  ['branch_identifier', undefined, BLANK],
  ['branch_identifier', '12345', FOUR],
];

describe('a Pix payin', () => {
  it.each(PAYIN)('answers %s = %j', (name, value, expected) => {
    const base = { fine: '1.00', type_fine: 'VALUE' };
    expect(answer(sessionOf('pix', { ...base, [name]: value }))).toEqual(
      expected === undefined ? [] : [`parameters.pix.${name}: ${expected}`],
    );
  });

  it('needs no parameter at all: the fine is then 0', () => {
    expect(answer(sessionOf('pix', {}))).toEqual([]);
    expect(answer(sessionOf('pix', { type_fine: 'NONE', fine: '0.00' }))).toEqual([]);
  });

  it('needs the fine where its unit is given, unless the MID supplies it', () => {
    const session = sessionOf('pix', { type_fine: 'PERCENT' });
    expect(answer(session)).toEqual([
      `parameters.pix.fine: ${BLANK} It is required when parameters.type_fine is VALUE, PERCENT.`,
    ]);
    expect(answer(session, profileOf('pix', 'pix', ['fine']))).toEqual([]);
  });

  it('refuses a fine without a unit', () => {
    expect(answer(sessionOf('pix', { fine: '1.00' }))).toEqual([
      'parameters.pix.fine: This value should be 0 when type_fine is NONE.',
    ]);
  });

  it.each([
    ['CNPJ', '52998224725'],
    ['CPF', '11222333000181'],
  ])('refuses a document that is no %s', (type_document, debtor_document) => {
    expect(answer(sessionOf('pix', { type_document, debtor_document }))).toEqual([
      `parameters.pix.debtor_document: This value is not a ${type_document}.`,
    ]);
  });

  it('warns of wrong check digits, and refuses them where the MID is strict', () => {
    const session = sessionOf('pix', { debtor_document: '23100299900' });
    expect(answer(session)).toEqual([`warning parameters.pix.debtor_document: ${DIGITS}`]);
    expect(answer(session, profileOf('pix', 'pix', [], true))).toEqual([`parameters.pix.debtor_document: ${DIGITS}`]);
  });

  it.each([
    ['0.01', []],
    ['9999999999.99', []],
    ['10000000000.00', ['order.amount: This value should be less than or equal to 9999999999.99.']],
  ])('answers the amount %s', (amount, expected) => {
    const order = { number: 'order-1', amount, currency: 'BRL', description: 'Two books' };
    expect(answer(sessionOf('pix', {}, { order }))).toEqual(expected);
  });

  it('is paid in reais only', () => {
    const order = { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Two books' };
    expect(answer(sessionOf('pix', {}, { order }))).toEqual([`order.currency: ${CHOICE}`]);
  });

  it('takes from the MID what the request leaves out, and the request goes first', () => {
    const validated = registry.validate(sessionOf('pix', { debtor_name: 'Maria' }), { today });
    if (!validated.ok) throw new Error('refused');
    const mid = { debtor_name: 'From MID', branch_identifier: '0001', fine: '2.00', type_fine: 'PERCENT' };
    expect(resolveMethod(registry, validated.session, 'pix', { mid })).toMatchObject({
      kind: 'complete',
      value: {
        parameters: { debtor_name: 'Maria', branch_identifier: '0001', fine: '2.00', type_fine: 'PERCENT' },
        origins: { debtor_name: 'session', branch_identifier: 'mid', fine: 'mid', type_fine: 'mid' },
      },
    });
  });
});

describe('a Pix payout', () => {
  const base = { key: 'maria@example.com', source_account_number: '123456', branch_identifier: '0001' };

  it.each(PAYOUT)('answers %s = %j', (name, value, expected) => {
    expect(answer(creditOf({ ...base, [name]: value }))).toEqual(
      expected === undefined ? [] : [`parameters.pix.${name}: ${expected}`],
    );
  });

  it('needs account and branch in the request unless the MID supplies them', () => {
    const session = creditOf({ key: 'maria@example.com' });
    expect(answer(session, profileOf('pix', 'pix', ['source_account_number', 'branch_identifier']))).toEqual([]);
    expect(answer(session)).toHaveLength(2);
  });

  it('takes an e-mail of 180 characters and warns that no directory holds it', () => {
    const key = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(42)}.example.com`;
    expect(key).toHaveLength(180);
    expect(answer(creditOf({ ...base, key }))).toEqual([`warning parameters.pix.key: ${long(77)}`]);
  });

  it('warns of the wrong check digits of a key', () => {
    expect(answer(creditOf({ ...base, key: '12ABC34501DE36' }))).toEqual([`warning parameters.pix.key: ${DIGITS}`]);
  });
});

describe('the payer is asked', () => {
  const BR = { billing_address: { country: 'BR' } };

  function missing(key: string, parameters: object, more: object) {
    const validated = registry.validate(sessionOf(key, { ...parameters }, more), { today });
    if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
    const resolution = resolveMethod(registry, validated.session, key);
    return resolution.kind === 'missing' ? resolution.fields.map(({ path }) => path) : resolution.kind;
  }

  it('for a document number that the request does not carry', () => {
    expect(missing('pix-document', {}, {})).toEqual(['parameters.pix-document.document_number']);
    expect(missing('pix-document', { document_number: '529.982.247-25' }, {})).toBe('complete');
  });

  it('for a personal id in Brazil, and where no country is known', () => {
    expect(missing('pix-personal', {}, BR)).toEqual(['parameters.pix-personal.personal_id']);
    expect(missing('pix-personal', {}, {})).toEqual(['parameters.pix-personal.personal_id']);
    expect(missing('pix-personal', { personal_id: '52998224725' }, BR)).toBe('complete');
  });

  it('for no personal id elsewhere', () => {
    expect(missing('pix-personal', {}, { billing_address: { country: 'PT' } })).toBe('complete');
  });

  it.each(['1', '5299822472', '12ABC34501DE3X', 'x'.repeat(14)])('again after %s', (document_number) => {
    expect(answer(sessionOf('pix-document', { document_number }))).toEqual([
      `parameters.pix-document.document_number: ${WRONG}`,
    ]);
  });
});

describe('a Pix collection', () => {
  const account = { merchantType: 'x', merchantName: 'Shop', accountId: 'acc1' };
  const URL_TEXT = 'This value is not a valid URL.';

  const ROWS: readonly Row[] = [
    ['expiryDate', '2037-01-01T00:00:00Z', undefined],
    ['expiryDate', '2037-01-01T00:00:00-03:00', undefined],
    ['expiryDate', '2037-01-01', 'This value is not a valid datetime.'],
    ['expiryDate', '2037-01-01T00:00:00', 'This value is not a valid datetime.'],
    ['callbackUrl', 'https://svc.example/cb?x=1', undefined],
    ['callbackUrl', 'http://svc.example/cb', URL_TEXT],
    ['callbackUrl', 'https://localhost/cb', URL_TEXT],
    ['callbackUrl', 'https://[::1]/cb', URL_TEXT],
    ['callbackUrl', 'https://2130706433/cb', URL_TEXT],
    ['callbackUrl', 'https://db.internal/cb', URL_TEXT],
    ['callbackUrl', 'https://shop.example@10.0.0.1/cb', URL_TEXT],
    ['callbackUrl', 'javascript:alert(1)', URL_TEXT],
    ['reference', 'ref-0001', undefined],
    ['reference', 'r'.repeat(256), long(255)],
    ['merchantType', undefined, BLANK],
    ['merchantName', undefined, BLANK],
    ['accountId', undefined, BLANK],
    ['market', 'BR', undefined],
    ['market', 'br', CHOICE],
    ['type', 'PIX', undefined],
    ['amount', '10.00', 'This field was not expected.'],
  ];

  it.each(ROWS)('answers %s = %j', (name, value, expected) => {
    expect(answer(sessionOf('pix-collection', { ...account, [name]: value }))).toEqual(
      expected === undefined ? [] : [`parameters.pix-collection.${name}: ${expected}`],
    );
  });

  it('needs nothing in the request where the MID supplies the account', () => {
    const profile = profileOf('pix-collection', 'pix-collection', Object.keys(account));
    expect(answer(sessionOf('pix-collection', {}), profile)).toEqual([]);
  });
});
