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
    { label: { en: 'Account', pt: 'Conta' }, value: number },
    { label: { en: 'Reference', pt: 'Referência' }, value: reference },
  ];
  return paymentDetails({
    beneficiary: holder,
    details: rows.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value, copy: true }])),
  });
}
