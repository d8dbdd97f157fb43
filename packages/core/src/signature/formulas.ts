/**
 * The fields that each signature of the protocol covers, in order; the merchant's password follows. Nothing stands between the
 * fields (protocol: Authentication; the reference's table of signatures for those the protocol does not show).
 */
export const formulas = {
  /** purchase, debit, credit, transfer, and the hosted-fields token. */
  session: ['number', 'amount', 'currency', 'description'],
  /** A crypto purchase whose amount the payer enters. */
  session_without_amount: ['number', 'currency', 'description'],
  status_by_payment: ['payment_id'],
  status_by_order: ['order_id'],
  refund: ['payment_id', 'amount'],
  capture: ['payment_id', 'amount'],
  void: ['payment_id'],
  retry: ['payment_id'],
  recurring: ['recurring_init_trans_id', 'recurring_token', 'number', 'amount', 'description'],
  card_credit: ['order_id', 'order_amount', 'order_currency', 'order_description'],
  /** Ours: a merchant moves the clock of their test payments. */
  test_clock: ['advance'],
  callback: ['payment_id', 'number', 'amount', 'currency', 'description'],
  /** A payment that never had an amount. */
  callback_without_amount: ['payment_id', 'number', 'currency', 'description'],
  return: ['payment_id', 'number', 'amount', 'currency', 'description'],
  return_without_amount: ['payment_id', 'number', 'currency', 'description'],
} as const;

export type Formula = keyof typeof formulas;

/** The fields a formula signs, as the strings that are sent. */
export type SignedFields<F extends Formula> = Readonly<Record<(typeof formulas)[F][number], string>>;

/** The signed text before upper-casing. */
export function concatenate<F extends Formula>(formula: F, fields: SignedFields<F>, password: string): string {
  const names: readonly (typeof formulas)[F][number][] = formulas[formula];
  let text = '';
  for (const name of names) text += fields[name];
  return text + password;
}
