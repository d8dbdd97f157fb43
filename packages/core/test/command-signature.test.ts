import { hash } from 'node:crypto';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  cardDigits,
  type CommandFormula,
  commandFormulas,
  type SignedCommandFields,
} from '../src/signature/command-formulas.ts';
import { signCallbackFields, signCommand } from '../src/signature/sign.ts';
import { verifyCommand } from '../src/signature/verify.ts';

const password = 'Demo-Merchant-Pass-01';
const payout = { order_id: '64401210', order_amount: '0.19', order_currency: 'USD' };

describe('the worked results of the reference', () => {
  function check<F extends CommandFormula>(formula: F, fields: SignedCommandFields<F>, md5: string, sha256: string) {
    expect(signCommand(formula, fields, password)).toBe(md5);
    expect(signCommand(formula, fields, password, { digest: 'sha256' })).toBe(sha256);
    expect(verifyCommand({ formula, fields, password, digest: 'both', given: md5 }).ok).toBe(true);
    expect(verifyCommand({ formula, fields, password, digest: 'both', given: sha256 }).ok).toBe(true);
  }

  it('signs a lookup by transaction', () => {
    check(
      'transaction',
      { trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007' },
      'a72a1d6132a13f980bc01b62e368baa9',
      'd865374e785339baeaff5382e089cbaed1597c82ff2551a275586f82450a7d3d',
    );
  });
  it('signs a payout', () => {
    check(
      'payout',
      payout,
      '0001f317b9447db4f765b043e4e1e63d',
      '3ee45bbe69e08c6e6b8a18887130d1f7e8fca9e1366d708ac625b567d38d57c0',
    );
  });
  it("signs a payout's callback", () => {
    check(
      'payout_callback',
      { trans_id: '2732359c-3b21-11ef-8a36-ca7f64825086', order_id: '64401210', status: 'SETTLED' },
      'ce0bca15380973058cbf7f32dbb8f76a',
      'b5a8fdf0e6fce488de2e97332c719b0a8869ff703f8a271dfa39ef9abd4eb400',
    );
  });
});

describe('the worked results of S2S APM', () => {
  const trans_id = 'aaaff66a-904f-11ea-833e-0242ac1f0007';
  const order = { order_id: 'ORDER12345', order_amount: '1.99', order_currency: 'USD' };

  it.each([
    ['success@gmail.com', order, 'c2560e353ff4b971909b11648f9b2347'],
    ['', order, '10ed06009c8b0fddcde89bca49a733b4'],
    ['', { ...order, order_amount: '', order_currency: 'USDT' }, '9a960e0fe737c8bb6ac108f2daa39a83'],
  ])('signs a sale of %j', (identifier, sold, md5) => {
    expect(signCommand('collection', { identifier, ...sold }, password)).toBe(md5);
  });
  it('signs a CREDITVOID with the password turned round with it', () => {
    expect(signCommand('credit_void', { trans_id }, password)).toBe('8c484f8c5e5a2657b8cf19d78f297411');
  });
  it('signs every field of a callback in the order of names, nested ones in place', () => {
    const fields = {
      action: 'SALE',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: 'ORDER12345',
      trans_id,
      trans_date: '2022-10-26 11:51:53',
      descriptor: 'test',
      amount: '1.99',
      currency: 'USD',
      hash: 'is not signed',
    };
    expect(signCallbackFields(fields, password)).toBe('d375036f7e28c299c37c2fd30c42577c');
    const nested = { ctrans1: '123', atrans2: '32', itrans2: '325' };
    expect(
      signCallbackFields({ transactions: nested, amount: '9.22', result: 'SUCCESS', action: 'SALE' }, 'PASSWORD'),
    ).toBe('d06ab8acdcc18dfff21ffd964fd3c18e');
  });
});

describe('the worked results of S2S CARD', () => {
  const payer_email = 'doe@example.com';
  const card = cardDigits('4111111111111111');
  const trans_id = 'aaaff66a-904f-11ea-833e-0242ac1f0007';
  const token = 'f5d6a0ab6fcfb6487a39e2256e50fff3c95aaa97075ee5e539bb662fceff4dc1';
  const payout = cardDigits('4601541833776519');

  it.each([
    [payer_email, card, '53f5780c59258f6764211a744d1ce738'],
    ['', card, 'c82e752742ceb77caacc24dfccfe0903'],
    [payer_email, token, 'bd23db9604201bc740e507ca51dbef6e'],
    [payer_email, '', 'd594d68440c8c752d16d31fe494aef6d'],
    ['', payout, '7a41f32e32b34064735eae6ea6ea0477'],
    ['', token, 'b417fcec93ebe207af34574ef9d79330'],
  ])('signs %j with %j', (email, signed, md5) => {
    expect(signCommand('card', { payer_email: email, card: signed }, password)).toBe(md5);
  });
  it('signs the published sample', () => {
    expect(signCommand('card', { payer_email, card }, '13a4822c5907ed235f3a068c76184fc3')).toBe(
      '2702ae0c4f99506dc29b5615ba9ee3c0',
    );
  });
  it('signs with SHA-256 where that was agreed', () => {
    expect(signCommand('card', { payer_email, card }, password, { digest: 'sha256' })).toBe(
      '9e93bc2cb984878dbf2f321cd1530be9c8ce56114a7866d1a57975691431fd71',
    );
  });
  it('signs a command by transaction', () => {
    const signed = { payer_email, trans_id, card };
    expect(signCommand('card_transaction', signed, password)).toBe('3b02ebf79dc68f09dc318597f8691727');
    expect(signCommand('card_transaction', signed, password, { digest: 'sha256' })).toBe(
      '8f87e83766fcaaf62061a7d06c353698e34809877385d0e09662802916b61c66',
    );
    const ofPayout = { payer_email: '', trans_id, card: payout };
    expect(signCommand('card_transaction', ofPayout, password)).toBe('2a9c46dd3f9dde59ffa0de861b352e56');
  });
  it('signs a lookup by order', () => {
    expect(signCommand('card_order', { payer_email, order_id: 'ORDER-12345', card }, password)).toBe(
      '2e13630a7969b964d4f6a4066f2907b4',
    );
  });
});

describe('beyond ASCII', () => {
  const fields = { order_id: 'zahlung-Ä-é1', order_amount: '10.00', order_currency: 'XOF' };

  // Computed with Python, whose strings have characters and whose bytes have none.
  it.each([
    ['ascii', 'md5', '49558c1e27a71eb2c06e96857968215f'],
    ['ascii', 'sha256', '627bf41f4cf8e056743de5c0f4de997d386d29dd346cacbce0c1562605f0050b'],
    ['unicode', 'md5', 'e784a7d6ca25759a7a1f9c5df38e0359'],
    ['unicode', 'sha256', '0772fb3d1bd5cb8788d1191e50ed7971f17c876811793cbd0363719399022b4f'],
  ] as const)('the dialect %s reverses and digests with %s as its clients do', (dialect, digest, expected) => {
    expect(signCommand('payout', fields, password, { dialect, digest })).toBe(expected);
    expect(signCommand('payout', fields, password, { dialect, digest, hash })).toBe(expected);
    const verified = verifyCommand({ formula: 'payout', fields, password, digest: 'both', given: expected, hash });
    expect(verified).toEqual({ ok: true, digest, dialect });
  });
});

describe('verification', () => {
  const good = signCommand('payout', payout, password);
  const verify = (given: string, more: Partial<Parameters<typeof verifyCommand<'payout'>>[0]> = {}) =>
    verifyCommand({ formula: 'payout', fields: payout, password, digest: 'both', given, ...more });

  it('heeds the case of the password, and of nothing else', () => {
    expect(verify(good.toUpperCase())).toEqual({ ok: true, digest: 'md5', dialect: 'either' });
    expect(verify(good, { fields: { ...payout, order_currency: 'usd' } }).ok).toBe(true);
    expect(verify(good, { password: password.toUpperCase() }).ok).toBe(false);
  });

  it('accepts the new password and the old one, and only the digest of the mapping', () => {
    expect(verify(good, { password: ['new', password] }).ok).toBe(true);
    expect(verify(good, { digest: 'sha256' }).ok).toBe(false);
  });

  it.each(['', 'x', good.slice(1), `${good}0`, 'a'.repeat(1_000_000), '\u0130'.repeat(32)])(
    'refuses a malformed signature (%#)',
    (given) => {
      expect(verify(given)).toEqual({ ok: false });
    },
  );

  it('refuses every signature of an unknown merchant', () => {
    for (const none of [undefined, '']) {
      const stranger = signCommand('payout', payout, 'no-merchant-has-this-password-00');
      expect(verify(stranger, { password: none })).toEqual({ ok: false });
    }
    expect(() => signCommand('payout', payout, '')).toThrow(RangeError);
  });

  it('notices any change of any field of any formula', () => {
    const formulas = fc.constantFrom(...(Object.keys(commandFormulas) as CommandFormula[]));
    const values = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(formulas, values, fc.nat(2), (formula, given, at) => {
        const names: readonly string[] = commandFormulas[formula];
        const fields = Object.fromEntries(names.map((name, index) => [name, given[index] ?? '']));
        const name = names[at % names.length] ?? '';
        const check = (text: string) =>
          verifyCommand({
            formula,
            fields: { ...fields, [name]: text } as SignedCommandFields<CommandFormula>,
            password,
            digest: 'both',
            given: signCommand(formula, fields as SignedCommandFields<CommandFormula>, password),
          }).ok;
        expect(check(fields[name] ?? '')).toBe(true);
        expect(check(`${fields[name]}_`)).toBe(false);
      }),
    );
  });
});
