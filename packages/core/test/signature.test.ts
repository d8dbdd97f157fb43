import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { type Formula, formulas, type SignedFields } from '../src/signature/formulas.ts';
import { signRequest } from '../src/signature/sign.ts';
import { verifySignature } from '../src/signature/verify.ts';

interface Vector {
  readonly number: string;
  readonly amount: string | null;
  readonly currency: string;
  readonly description: string;
  readonly password: string;
  readonly unicode_upper: string;
  readonly ascii_upper: string;
}

const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(new URL('./fixtures/hash-vectors.json', import.meta.url), 'utf8'),
);

const password = 'Demo-Merchant-Pass-01';
const order = { number: 'order-1234', amount: '100.99', currency: 'USD', description: 'Important gift' };
const payment_id = 'dc66cdd8-d702-11ea-9a2f-0242c0a87002';
const usdt = { number: 'order-1234', currency: 'USDT', description: 'Important gift' };

describe('the recorded vectors', () => {
  it.each(vectors)('signs $number in both dialects', (vector) => {
    const { number, amount, currency, description } = vector;
    const sign = (dialect: 'ascii' | 'unicode') =>
      amount === null
        ? signRequest('session_without_amount', { number, currency, description }, vector.password, { dialect })
        : signRequest('session', { number, amount, currency, description }, vector.password, { dialect });
    expect(sign('unicode')).toBe(vector.unicode_upper);
    expect(sign('ascii')).toBe(vector.ascii_upper);
  });
});

describe('digests of the platform', () => {
  it('sign and verify as those of core do', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('md5', 'sha256'),
        fc.constantFrom('ascii', 'unicode'),
        (description, digest, dialect) => {
          const fields = { ...order, description };
          const given = signRequest('session', fields, password, { digest, dialect });
          expect(signRequest('session', fields, password, { digest, dialect, hash })).toBe(given);
          const request = { formula: 'session', fields, password, digest: 'both', given } as const;
          expect(verifySignature({ ...request, hash })).toEqual(verifySignature(request));
        },
      ),
    );
  });
});

describe('the worked results of the reference', () => {
  function check<F extends Formula>(formula: F, fields: SignedFields<F>, md5: string, sha256: string) {
    expect(signRequest(formula, fields, password)).toBe(md5);
    expect(signRequest(formula, fields, password, { digest: 'sha256' })).toBe(sha256);
  }

  it('signs a session', () => {
    check('session', order, 'd39aa66b89990f2b7ea544eda987a658e2ec84b0', '67bc04d60838df1505faadca70fe261e4372982d');
  });
  it('signs a crypto purchase without amount', () => {
    check(
      'session_without_amount',
      usdt,
      '94bb1fe9443b0b895c0c2ca76b3d97560b62d0b0',
      '73b49bdaf7882ef6dde6e3e7f4fc16d31a46a22c',
    );
  });
  it('signs a transfer whose amount the payer enters', () => {
    check(
      'session',
      { ...order, amount: '-1' },
      'cea9c922041d467e0ecb4c97ac6b330722490ef0',
      'e64847130481d62d936cad5f7b2bb98e9577cdfe',
    );
  });
  it('signs a zero amount', () => {
    check(
      'session',
      { ...order, amount: '0.00', description: 'Card verification' },
      '8d23360b401c40a61b0aa47a427fb4f4e8692a9a',
      'a2d9b1c30d3451a29a2535d1be2172ecc04df493',
    );
  });
  it('signs status by payment, void and retry alike', () => {
    for (const formula of ['status_by_payment', 'void', 'retry'] as const)
      check(
        formula,
        { payment_id },
        '54db29a75abdff7d4a920509cf2d3ee77c82e6a1',
        '19ada52119c04eef120ce4af56d4be808fe9bd46',
      );
  });
  it('signs status by order', () => {
    check(
      'status_by_order',
      { order_id: 'order-1234' },
      '8826527d64e67538dff92a76e422eaeb6ca53720',
      'ac34669c7885f4a4dcfbb1e79f3eee79fd561de7',
    );
  });
  it('signs a refund and a capture', () => {
    check(
      'refund',
      { payment_id, amount: '0.10' },
      '984df37b317b649067db531b142a80beb5ec586c',
      '527a1bbe32b13e4fef70cedf3743a0a7e81b7fd6',
    );
    check(
      'capture',
      { payment_id, amount: '100.99' },
      '7c866994209b38a2d3d43a82b61f899e1c92e342',
      '4e5aa2112b16aa01415da1d7c931004308c404b3',
    );
  });
  it('signs a recurring charge', () => {
    check(
      'recurring',
      {
        recurring_init_trans_id: 'f0a51dfa-fc43-11ec-8128-0242ac120004',
        recurring_token: 'f0e24964-fc43-11ec-a7e0-0242ac120004',
        number: 'order-1235',
        amount: '0.19',
        description: 'Very important gift',
      },
      'f3d4f7adeefb8e87fc10d052ad25ae6e35754aa7',
      'c0523136ea0a62f6b4b41ffcf3026900e2babc57',
    );
  });
  it('signs a card credit', () => {
    check(
      'card_credit',
      { order_id: 'payout-1', order_amount: '25.00', order_currency: 'USD', order_description: 'Affiliate payout' },
      'e16d0b7ef4431d4ce8b32b2928de7d778522e375',
      'd4fbd43364ea1e888553693fcd016a20f99f6148',
    );
  });
  it('signs a callback and a return alike', () => {
    for (const formula of ['callback', 'return'] as const)
      check(
        formula,
        { ...order, payment_id },
        '619d98ced5f178a6b203b4bc1aa5e5a447247308',
        'a79d7a4a2799bc558d38049e2777e23b03e11d76',
      );
  });
  it('upper-cases requests in Unicode and callbacks in ASCII unless set otherwise', () => {
    const fields = { ...order, description: 'Straße' };
    const signed = { ...fields, payment_id };
    expect(signRequest('session', fields, password)).toBe(
      signRequest('session', fields, password, { dialect: 'unicode' }),
    );
    expect(signRequest('callback', signed, password)).toBe(
      signRequest('callback', signed, password, { dialect: 'ascii' }),
    );
  });
});

describe('verification', () => {
  const verify = (given: string, more: Partial<Parameters<typeof verifySignature<'session'>>[0]> = {}) =>
    verifySignature({ formula: 'session', fields: order, password, digest: 'both', given, ...more });
  const good = signRequest('session', order, password);

  it('accepts a good signature in either case of hex', () => {
    expect(verify(good)).toEqual({ ok: true, digest: 'md5', dialect: 'either' });
    expect(verify(good.toUpperCase())).toEqual({ ok: true, digest: 'md5', dialect: 'either' });
  });

  it('says which digest and dialect matched', () => {
    const fields = { ...order, description: 'Straße' };
    for (const digest of ['md5', 'sha256'] as const)
      for (const dialect of ['ascii', 'unicode'] as const)
        expect(verify(signRequest('session', fields, password, { digest, dialect }), { fields })).toEqual({
          ok: true,
          digest,
          dialect,
        });
  });

  it('accepts only the digest of the mapping', () => {
    const sha256 = signRequest('session', order, password, { digest: 'sha256' });
    expect(verify(sha256, { digest: 'sha256' }).ok).toBe(true);
    expect(verify(sha256, { digest: 'md5' }).ok).toBe(false);
    expect(verify(good, { digest: 'sha256' }).ok).toBe(false);
  });

  it.each([
    '',
    good.slice(1),
    `${good}0`,
    ` ${good.slice(1)}`,
    `${good} `,
    'z'.repeat(40),
    'a'.repeat(1_000_000),
    '\u0130'.repeat(40),
  ])('refuses a malformed signature (%#)', (given) => {
    expect(verify(given)).toEqual({ ok: false });
  });

  it('refuses every signature of an unknown merchant and of one without a password', () => {
    for (const none of [undefined, '']) {
      expect(verify(good, { password: none })).toEqual({ ok: false });
      expect(verify(signRequest('session', order, 'no-merchant-has-this-password-00'), { password: none })).toEqual({
        ok: false,
      });
    }
  });

  it('refuses to sign with an empty password', () => {
    expect(() => signRequest('session', order, '')).toThrow(RangeError);
  });

  it('notices any change of any field of any formula, except of case', () => {
    const names = fc.constantFrom(...(Object.keys(formulas) as Formula[]));
    // No digits in the change: without separators a digit could move from one field into the next.
    const value = fc.stringMatching(/^[a-z0-9 .ÄßЖ-]{1,20}$/);
    fc.assert(
      fc.property(names, fc.array(value, { minLength: 6, maxLength: 6 }), fc.nat(4), (formula, values, at) => {
        const fields = Object.fromEntries(formulas[formula].map((name, index) => [name, values[index] ?? '']));
        const name = formulas[formula][at % formulas[formula].length] ?? '';
        const secret = `p${values[5]}`;
        const given = signRequest(formula, fields as SignedFields<Formula>, secret);
        const check = (changed: string) =>
          verifySignature({
            formula,
            fields: { ...fields, [name]: changed } as SignedFields<Formula>,
            password: secret,
            digest: 'both',
            given,
          }).ok;
        expect(check(fields[name] ?? '')).toBe(true);
        expect(check(`${fields[name]}_`)).toBe(false);
        expect(check((fields[name] ?? '').replace(/[a-z]/g, (letter) => letter.toUpperCase()))).toBe(true);
      }),
    );
  });
});
