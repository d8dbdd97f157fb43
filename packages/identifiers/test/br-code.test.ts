import { isValidPixPayload } from '@brazilian-utils/brazilian-utils';
import { describe, expect, it } from 'vitest';
import { buildBrCode, parseBrCode, toBrCodeText, type BrCodeInput } from '../src/br-code.ts';
import { crc16 } from '../src/br-code/crc16.ts';
import { readTlv } from '../src/br-code/tlv.ts';
import published from './fixtures/emv-qr.json' with { type: 'json' };

const KEY = '123e4567-e12b-12d1-a456-426655440000';
const RECURRENCE_ONLY =
  '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80740014br.gov.bcb.pix2552pix.example.com/rec/2353c790eefb11eaadc10242ac1200026304F2DA';

const plain = { kind: 'static', key: KEY, merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' } as const;

function object(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

function sealed(body: string): string {
  return `${body}6304${crc16(`${body}6304`)}`;
}

/** A code with right CRC whose objects replace, or with `null` take away, those of a plain static code. */
function codeWith(changes: Record<string, string | null>): string {
  const objects: Record<string, string | null> = {
    '00': '01',
    '26': object('00', 'br.gov.bcb.pix') + object('01', KEY),
    '52': '0000',
    '53': '986',
    '58': 'BR',
    '59': 'Fulano de Tal',
    '60': 'BRASILIA',
    '62': object('05', '***'),
    ...changes,
  };
  const ids = Object.keys(objects).toSorted();
  return sealed(ids.map((id) => (typeof objects[id] === 'string' ? object(id, objects[id]) : '')).join(''));
}

function account(...objects: [id: string, value: string][]): string {
  return [['00', 'br.gov.bcb.pix'], ...objects].map(([id = '', value = '']) => object(id, value)).join('');
}

describe('published codes', () => {
  it.each(published.crc16)('computes the CRC of $input', ({ input, crc }) => {
    expect(crc16(input)).toBe(crc);
  });

  it.each(published.pixValid)('accepts $id', ({ payload, parsed }) => {
    const result = parseBrCode(payload);
    expect(result).toMatchObject({ ok: true, code: parsed ?? {} });
    expect(isValidPixPayload(payload)).toBe(true);
  });

  it.each(published.pixValid.filter(({ id }) => id !== 'brcode-manual-multi'))(
    'writes $id byte for byte',
    ({ payload }) => {
      const result = parseBrCode(payload);
      expect(result.ok && buildBrCode(result.code)).toEqual({ ok: true, text: payload });
    },
  );

  it('reads and writes the code of the manual that carries nothing but a recurrence', () => {
    const result = parseBrCode(RECURRENCE_ONLY);
    const recurrenceUrl = 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002';
    expect(result).toMatchObject({ ok: true, code: { kind: 'recurrence', recurrenceUrl } });
    expect(result.ok && buildBrCode(result.code)).toEqual({ ok: true, text: RECURRENCE_ONLY });
  });

  it.each([
    ['community-static', 'invalid', '60'],
    ['no-62', 'missing', '62-05'],
    ['format-02', 'invalid', '00'],
    ['poi-13', 'invalid', '01'],
    ['usd', 'invalid', '53'],
    ['country-AR', 'invalid', '58'],
    ['no-mcc', 'missing', '52'],
    ['wrong-gui', 'not-pix', ''],
    ['no-key-no-url', 'missing', '26-01'],
    ['bad-amount', 'invalid', '54'],
    ['key-and-url', 'conflict', '26-25'],
    ['url-scheme', 'invalid', '26-25'],
  ])('refuses %s, whose CRC is right, with the reason %s at %j', (id, reason, field) => {
    const payload = published.crcValidButNotConformant.find((code) => code.id === id)?.payload ?? '';
    expect(payload.slice(-4)).toBe(crc16(payload.slice(0, -4)));
    expect(parseBrCode(payload)).toEqual({ ok: false, reason, field });
  });

  it('names every published code that breaks a rule in the table above', () => {
    expect(published.crcValidButNotConformant).toHaveLength(12);
  });

  it.each(published.crcInvalid)('refuses a code with a wrong CRC: $why', ({ payload }) => {
    expect(parseBrCode(payload)).toEqual({ ok: false, reason: 'checksum', field: '63' });
  });

  it.each([
    ['São Paulo', 'E390'],
    ['\u{1D11E}', '94CE'],
  ])('computes the CRC of %j over its UTF-8 bytes', (text, crc) => {
    expect(crc16(text)).toBe(crc);
  });

  it('counts lengths in characters and the CRC in bytes, as the EMVCo sample has it', () => {
    const { payload } = published.emvcoSample;
    expect(crc16(payload.slice(0, -4))).toBe(payload.slice(-4));
    expect(readTlv(readTlv(payload)?.get('64') ?? '')?.get('01')).toBe('最佳运输');
    expect(parseBrCode(payload)).toEqual({ ok: false, reason: 'not-pix', field: '' });
  });

  it('keeps a published transaction id with a hyphen where another arrangement shares the code', () => {
    const multi = published.pixValid.find(({ id }) => id === 'brcode-manual-multi')?.payload ?? '';
    expect(parseBrCode(multi)).toMatchObject({
      ok: true,
      code: { txid: 'RP12345678-2019', amount: '123.45', postalCode: '70074900' },
    });
  });

  it('is stricter than the independent implementation, which lets a long city and a missing 62-05 pass', () => {
    const lenient = published.crcValidButNotConformant.filter(({ payload }) => isValidPixPayload(payload));
    expect(lenient.map(({ payload }) => parseBrCode(payload).ok)).not.toContain(true);
  });
});

describe('a code with right CRC', () => {
  it.each<[string, Record<string, string | null>, string, string]>([
    ['a transaction id with a hyphen', { 62: object('05', 'Um-Id') }, 'invalid', '62-05'],
    ['a transaction id of 26 characters', { 62: object('05', 'a'.repeat(26)) }, 'invalid', '62-05'],
    ['no transaction id in 62', { 62: object('01', '***') }, 'missing', '62-05'],
    ['a template 62 that is no sequence of objects', { 62: '05' }, 'structure', '62'],
    ['a name of 26 characters', { 59: 'a'.repeat(26) }, 'invalid', '59'],
    ['a city of 16 characters', { 60: 'a'.repeat(16) }, 'invalid', '60'],
    ['no name', { 59: null }, 'missing', '59'],
    ['no format indicator', { '00': null }, 'missing', '00'],
    ['a category of letters', { 52: 'ABCD' }, 'invalid', '52'],
    ['an amount of 14 characters', { 54: '99999999999.99' }, 'invalid', '54'],
    ['three decimals', { 54: '1.234' }, 'invalid', '54'],
    ['an amount with a comma', { 54: '1,00' }, 'invalid', '54'],
    ['a negative amount', { 54: '-1.00' }, 'invalid', '54'],
    ['an amount of zero', { 54: '0.00' }, 'invalid', '54'],
    ['a key that is none', { 26: account(['01', 'some-key']) }, 'invalid', '26-01'],
    ['a phone key without its plus', { 26: account(['01', '5511912345684']) }, 'invalid', '26-01'],
    ['an e-mail key in upper case', { 26: account(['01', 'A@example.com']) }, 'invalid', '26-01'],
    [
      'a withdrawal beside an address',
      { 26: account(['03', '12345678'], ['25', 'pix.example.com/x']) },
      'conflict',
      '26-03',
    ],
    ['a withdrawal institution of 7 characters', { 26: account(['01', KEY], ['03', '1234567']) }, 'invalid', '26-03'],
    ['an address with a space', { 26: account(['25', 'pix example.com/x']) }, 'invalid', '26-25'],
    ['an address without a path', { 26: account(['25', 'pix.example.com']) }, 'invalid', '26-25'],
    ['an address with a user before its host', { 26: account(['25', 'a@pix.example.com/x']) }, 'invalid', '26-25'],
    [
      'an address with a backslash in its host',
      { 26: account(['25', 'pix.example.com\\@a.com/x']) },
      'invalid',
      '26-25',
    ],
    ['two Pix accounts', { 27: account(['01', KEY]) }, 'not-pix', '27'],
    ['an account that is no sequence of objects', { 27: 'XY' }, 'structure', '27'],
    ['a recurrence without an address', { 80: account(['02', 'x']) }, 'missing', '80-25'],
    ['a recurrence with a scheme', { 80: account(['25', 'https://pix.example.com/rec/1']) }, 'invalid', '80-25'],
    [
      'a charge and a recurrence of different hosts',
      { 26: account(['25', 'pix.example.com/x']), 81: account(['25', 'pix.example.org/rec/1']) },
      'conflict',
      '81-25',
    ],
  ])('is refused for %s', (_, changes, reason, field) => {
    expect(parseBrCode(codeWith(changes))).toEqual({ ok: false, reason, field });
  });

  it('is refused when its objects leave something over, repeat an id, or start with another one', () => {
    const body = codeWith({}).slice(0, -8);
    const structure = { ok: false, reason: 'structure' };
    expect(parseBrCode(sealed(`${body}9905abc`))).toMatchObject(structure);
    expect(parseBrCode(sealed(`${body}5802BR`))).toMatchObject(structure);
    expect(parseBrCode(sealed(`${body}9900`))).toMatchObject(structure);
    expect(parseBrCode(sealed(`${body.slice(6)}000201`))).toMatchObject(structure);
  });

  it('is refused when the CRC is not the last object', () => {
    // Found by trial: object 63 holds the CRC of everything but the last four characters, and 99 follows it.
    const text =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5903AAA6008BRASILIA62070503***6304A03E9904abcd';
    expect(text.slice(-12, -8)).toBe(crc16(text.slice(0, -4)));
    expect(parseBrCode(text)).toEqual({ ok: false, reason: 'checksum', field: '63' });
  });

  it('is refused with its CRC in lower case, and with white space around it', () => {
    const text = published.pixValid[0]?.payload ?? '';
    expect(parseBrCode(text.replace('1D3D', '1d3d')).ok).toBe(false);
    expect(parseBrCode(` ${text}`).ok).toBe(false);
    expect(parseBrCode(`${text}\n`).ok).toBe(false);
    expect(parseBrCode('').ok).toBe(false);
  });

  it.each([
    ['10', '10'],
    ['98.', '98'],
    ['98.7', '98.7'],
    ['0098.70', '98.70'],
    ['9999999999.99', '9999999999.99'],
  ])('is read with the amount %s as the decimal string %s', (written, amount) => {
    expect(parseBrCode(codeWith({ 54: written }))).toMatchObject({ ok: true, code: { amount } });
  });

  it('is read with an amount of zero where cash is taken out', () => {
    const text = codeWith({ 26: account(['01', KEY], ['03', '12345678']), 54: '0.00' });
    expect(parseBrCode(text)).toMatchObject({ ok: true, code: { amount: '0.00', withdrawalIspb: '12345678' } });
  });

  it('is read without the amount of a dynamic code, which the charge decides', () => {
    const result = parseBrCode(codeWith({ 26: account(['25', 'pix.example.com/x']), 54: '5.00' }));
    expect(result).toMatchObject({ ok: true, code: { kind: 'dynamic', url: 'pix.example.com/x', singleUse: false } });
    expect(result.ok && result.code).not.toHaveProperty('amount');
  });

  it.each([
    ['the txid of the charge', object('05', 'QRS1F5CMMUTDLOVWF8UBT7Q46')],
    ['a txid of 35 characters', object('05', 'a'.repeat(35))],
    ['a txid with a hyphen', object('05', 'Um-Id')],
    ['no 62-05', object('03', '***')],
    ['no 62', null],
  ])('is read with %s beside the address of a dynamic code, which alone decides', (_, additional) => {
    const text = codeWith({ 26: account(['25', 'pix.example.com/x']), 62: additional });
    const result = parseBrCode(text);
    expect(result).toMatchObject({ ok: true, code: { kind: 'dynamic', url: 'pix.example.com/x' } });
    expect(result.ok && result.code).not.toHaveProperty('txid');
  });

  it.each<[string, Record<string, string>]>([
    ['an account number of a card scheme', { '04': '12345678901234' }],
    ['an account of another arrangement', { 27: object('00', 'br.com.outro') }],
    ['a template of another arrangement', { 80: object('00', 'br.com.outro') }],
  ])('is read with a hyphen in 62-05 beside %s', (_, other) => {
    const text = codeWith({ ...other, 62: object('05', 'RP-2019') });
    expect(parseBrCode(text)).toMatchObject({ ok: true, code: { txid: 'RP-2019' } });
  });

  it('is read with a name outside the basic plane, counted in characters', () => {
    const text = codeWith({}).slice(0, -8).replace('5913Fulano de Tal', '5902\u{1D11E}A');
    expect(parseBrCode(sealed(text))).toMatchObject({ ok: true, code: { merchantName: '\u{1D11E}A' } });
  });

  it('is read where charge and recurrence name one host in different case', () => {
    const text = codeWith({ 26: account(['25', 'Pix.example.com/x']), 80: account(['25', 'pix.example.com/rec/1']) });
    expect(parseBrCode(text)).toMatchObject({ ok: true, code: { kind: 'dynamic' } });
  });

  it('is read wherever between 26 and 51 the Pix account stands', () => {
    expect(parseBrCode(codeWith({ 26: null, 51: account(['01', KEY]) }))).toMatchObject({
      ok: true,
      code: { key: KEY },
    });
  });
});

describe('building', () => {
  it('writes a phone key with its plus, whichever form is given', () => {
    for (const key of ['5511912345684', '+5511912345684']) {
      const built = buildBrCode({ ...plain, key });
      expect(built.ok && parseBrCode(built.text)).toMatchObject({ code: { key: '+5511912345684', keyType: 'phone' } });
    }
  });

  it('marks a dynamic code for one payment unless set otherwise', () => {
    const dynamic = { kind: 'dynamic', url: 'pix.example.com/x', merchantName: 'A', merchantCity: 'B' } as const;
    expect(buildBrCode(dynamic)).toMatchObject({ ok: true, text: expect.stringMatching(/^000201010212/) });
    expect(buildBrCode({ ...dynamic, singleUse: false })).toMatchObject({ text: expect.stringMatching(/^00020126/) });
  });

  it('lets key and text fill the template to 99 characters and no further', () => {
    expect(buildBrCode({ ...plain, info: 'a'.repeat(37) })).toMatchObject({ ok: true });
    expect(buildBrCode({ ...plain, info: 'a'.repeat(38) })).toEqual({ ok: false, reason: 'invalid', field: '26' });
  });

  it('takes a key and an address of 77 characters', () => {
    const dynamic = { ...plain, kind: 'dynamic', url: `pix.example.com/${'a'.repeat(61)}` } as const;
    expect(buildBrCode({ ...plain, key: `${'a'.repeat(65)}@example.com` })).toMatchObject({ ok: true });
    expect(buildBrCode(dynamic)).toMatchObject({ ok: true });
    expect(buildBrCode({ ...dynamic, url: `${dynamic.url}a` })).toEqual({ ok: false, reason: 'invalid', field: '26' });
  });

  it.each<[string, BrCodeInput, string]>([
    ['accents', { ...plain, merchantCity: 'São Paulo' }, '60'],
    ['an empty name', { ...plain, merchantName: '' }, '59'],
    ['a name of 26 characters', { ...plain, merchantName: 'a'.repeat(26) }, '59'],
    ['a city of 16 characters', { ...plain, merchantCity: 'a'.repeat(16) }, '60'],
    ['a key that is none', { ...plain, key: '123' }, '26-01'],
    ['a key too long for the code', { ...plain, key: `${'a'.repeat(66)}@example.com` }, '26'],
    ['an amount that is no number', { ...plain, amount: '1R3' }, '54'],
    ['an amount of zero', { ...plain, amount: '0' }, '54'],
    ['a transaction id with a hyphen', { ...plain, txid: 'a-b' }, '62-05'],
    ['an empty transaction id', { ...plain, txid: '' }, '62-05'],
    ['an address with a scheme', { ...plain, kind: 'dynamic', url: 'https://pix.example.com/x' }, '26-25'],
    ['an empty recurrence', { ...plain, recurrenceUrl: '' }, '80-25'],
  ])('refuses %s', (_, input, field) => {
    expect(buildBrCode(input)).toEqual({ ok: false, reason: 'invalid', field });
  });

  it('takes accents off and keeps a letter that has no plain form', () => {
    expect(toBrCodeText('São João d’Aliança')).toBe('Sao Joao d’Alianca');
    expect(buildBrCode({ ...plain, merchantName: toBrCodeText('Ødegård') })).toMatchObject({ field: '59' });
  });
});
