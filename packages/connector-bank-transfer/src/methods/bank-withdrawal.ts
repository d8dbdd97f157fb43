import { defineMethod, email, field, type FieldInfo, text } from '@railyard/core';
import * as z from 'zod';

/** The protocol says of each that it is conditional, and not on what (2-methods.md, Withdrawal method). */
const NAMES = [
  'ToAccountNumber',
  'ToAccountName',
  'ToProvince',
  'ToCity',
  'ToBranch',
  'ToAddress',
  'Email',
  'Phone',
] as const;

type Name = (typeof NAMES)[number];

/** Required where the account says so; elsewhere it may be sent, and goes to the provider as it is. */
const conditional = <S extends z.ZodType>(name: Name, schema: S, info: FieldInfo): S =>
  field(schema, { ...info, when: { path: 'parameters.required_fields', in: [name] } });

/** No source gives one of them a length. */
const words = (name: Name, label: string, example: string) => conditional(name, text({ max: 255 }), { label, example });

/**
 * Withdrawal to a bank account (2-methods.md, Withdrawal method). The account’s settings list which fields are required, else number and
 * name (methods-catalogue.md, A27). No source gives it countries or currencies.
 *
 * @example { parameters: { 'bank-withdrawal': { ToAccountNumber: '1234567890', ToAccountName: 'Li Na' } } }
 */
export const bankWithdrawal = defineMethod({
  key: 'bank-withdrawal',
  title: { en: 'Withdrawal to a bank account', pt: 'Saque para conta bancária' },
  operations: {
    credit: {
      parameters: z.strictObject({
        required_fields: field(z.array(z.enum(NAMES)).default(['ToAccountNumber', 'ToAccountName']), {
          label: 'Fields that the account requires',
          help: 'ToAccountNumber and ToAccountName unless given.',
          sources: ['mid'],
          request: false,
        }),
        ToAccountNumber: words('ToAccountNumber', 'Number of the account', '1234567890'),
        ToAccountName: words('ToAccountName', 'Holder of the account', 'Li Na'),
        ToProvince: words('ToProvince', 'Province of the branch', 'Guangdong'),
        ToCity: words('ToCity', 'City of the branch', 'Shenzhen'),
        ToBranch: words('ToBranch', 'Branch', 'Futian'),
        ToAddress: words('ToAddress', 'Address of the branch', '1 Main Street'),
        Email: conditional('Email', email(), { label: 'E-mail of the receiver' }),
        Phone: words('Phone', 'Phone of the receiver', '+8613800000000'),
      }),
      completion: [],
    },
  },
});
