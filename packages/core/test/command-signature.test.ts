import { hash } from 'node:crypto';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { type CommandFormula, commandFormulas, type SignedCommandFields } from '../src/signature/command-formulas.ts';
import { signCommand } from '../src/signature/sign.ts';
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
