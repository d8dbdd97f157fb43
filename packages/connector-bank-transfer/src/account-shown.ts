import { paymentDetails, type Show } from '@railyard/core';

/** An account to which the payer transfers. */
interface Account {
  readonly bank: string;
  readonly branch?: string | undefined;
  readonly holder: string;
  readonly number: string;
  readonly reference?: string | undefined;
}

/** The account, as the payer reads it. */
export function accountShown({ bank, branch, holder, number, reference }: Account): Show {
  const rows = [
    { label: { en: 'Bank', pt: 'Banco' }, value: bank },
    { label: { en: 'Branch', pt: 'Agência' }, value: branch },
    { label: { en: 'Account holder', pt: 'Titular' }, value: holder },
    { label: { en: 'Account', pt: 'Conta' }, value: number, copy: true },
    { label: { en: 'Reference', pt: 'Referência' }, value: reference, copy: true },
  ];
  return paymentDetails({
    details: rows.flatMap(({ value, ...row }) => (value === undefined ? [] : [{ ...row, value }])),
  });
}
