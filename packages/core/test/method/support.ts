import * as z from 'zod';
import { defineMethod, field, type Method, text } from '../../src/index.ts';
import { createRegistry, type Profile, type Validation } from '../../src/registry.ts';

export const today = '2026-11-21';

/** A session request as a merchant sends it. */
export function request(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    merchant_key: '11111111-2222-4333-8444-555555555555',
    operation: 'purchase',
    success_url: 'https://shop.example/thanks',
    hash: 'checked elsewhere',
    order: { number: 'order-1001', amount: '25.00', currency: 'USD', description: 'Two tickets' },
    ...changes,
  };
}

export function lines(validation: Validation): string[] {
  return validation.ok ? [] : validation.issues.map(({ path, message }) => `${path}: ${message}`);
}

/** The session of a request that the methods accept. */
export function sessionOf(methods: readonly Method[], changes: Record<string, unknown>, profile?: Profile) {
  const checked = createRegistry(methods).validate(request(changes), { today, ...(profile && { profile }) });
  if (!checked.ok) throw new Error(lines(checked).join('\n'));
  return checked.session;
}

/** A method with a field for every source, a condition, rules and limits. */
export const voucher = defineMethod({
  key: 'voucher',
  title: 'Voucher',
  operations: {
    purchase: {
      parameters: z.strictObject({
        store: field(z.enum(['north', 'south']), { label: 'Store' }),
        branch: field(z.string().regex(/^\d{4}$/), { label: 'Branch', sources: ['mid'] }),
        document: field(z.string().regex(/^\d{6}$/), { label: 'Document', input: 'digits', sources: ['payer', 'mid'] }),
        language: field(z.enum(['en', 'pt']), { label: 'Language', sources: ['default', 'payer'], fallback: 'en' }),
        kind: field(z.enum(['once', 'often']).default('once'), { label: 'Kind', sources: ['mid'] }),
        times: field(z.string().regex(/^[1-9]$/), {
          label: 'Times',
          when: { path: 'parameters.kind', in: ['often'] },
          sources: ['mid'],
          help: 'How often it may be paid.',
          example: '3',
        }),
        note: field(text({ max: 10 }), { label: 'Note' }).optional(),
      }),
      needs: { 'customer.email': field(z.email(), { label: 'E-mail', input: 'email', sources: ['payer'] }) },
      rules: [
        {
          paths: ['store', 'branch'],
          level: 'error',
          says: 'Branches of the north begin with 1.',
          check: ({ store, branch }) =>
            store === 'north' && !String(branch).startsWith('1')
              ? { path: 'branch', message: 'This branch is not in the north.' }
              : undefined,
        },
        {
          paths: ['document'],
          level: 'document',
          says: 'The last digit of the document is even.',
          check: ({ document }) =>
            /[02468]$/.test(String(document)) ? undefined : { path: 'document', message: 'The check digit is wrong.' },
        },
      ],
      completion: ['voucher'],
    },
  },
  currencies: ['USD', 'EUR'],
  operator: 'store',
  limits: {
    source: 'this test',
    rows: [
      { currency: 'USD', operator: 'north', min: '10', max: '100' },
      { currency: 'USD', min: '1' },
    ],
  },
});

/** Parameters by the payer's country. */
export const regional = defineMethod({
  key: 'regional',
  title: 'Regional',
  operations: {
    purchase: {
      needs: {
        'billing_address.country': field(z.enum(['BR', 'MX']), {
          label: 'Country',
          input: 'select',
          sources: ['mid', 'payer'],
        }),
      },
      variants: {
        by: 'billing_address.country',
        cases: {
          BR: z.strictObject({ cpf: field(z.string().regex(/^\d{11}$/), { label: 'CPF', sources: ['payer'] }) }),
          MX: z.strictObject({ curp: z.string().length(18) }),
        },
      },
      completion: ['payment-details'],
    },
  },
});

export const north = { store: 'north', branch: '1001', document: '123456' };
