import type { SessionInput } from '@railyard/core/protocol';

/**
 * A session as the protocol has it (docs: session request); key and hash are added. Amounts are strings, sent and signed byte for byte. `order.amount` is left
 * out where the payer chooses it.
 */
export type NewSession = Omit<SessionInput, 'merchant_key' | 'hash' | 'methods' | 'card_token'> & {
  readonly methods?: readonly string[];
  readonly card_token?: readonly string[];
};

/** A session whose payer pays in payment fields on your own page (`docs/hosted-fields.md` of the repository). */
export type NewToken = Omit<NewSession, 'success_url' | 'operation' | 'form_id'> & {
  readonly operation: 'purchase' | 'debit';
  /** Where the payer comes back to from their bank. */
  readonly return_url: string;
  readonly success_url?: string;
};

/** A payment whose card stands in the payment fields. */
export interface FieldsPayment {
  /** Of the token's request: each operation has an address of its own. */
  readonly operation: NewToken['operation'];
  readonly token: string;
  /** The name on the card. */
  readonly name: string;
  readonly email?: string;
  readonly birth_date?: string;
  readonly selected_language?: string;
  readonly billing_address?: NewSession['billing_address'];
  /** As the payer's browser says it: `accept_headers`, `user_agent`, `language`, `screen_width` and the like. */
  readonly browser_info?: Readonly<Record<string, string | number | boolean>>;
  /** Asks how this payment stands, as an answer named it, and begins none. */
  readonly public_id?: string;
}

export interface OnPayment {
  readonly payment_id: string;
}

/** Money goes back, or is taken, in the currency that it came in. */
export interface AmountOnPayment extends OnPayment {
  /** `10.00`; a part, or all that is left. */
  readonly amount: string;
}

/** A later charge of a mandate: values from the callback of its first payment, and a new order in that payment's currency. */
export interface RecurringCharge {
  readonly recurring_init_trans_id: string;
  readonly recurring_token: string;
  readonly order: { readonly number: string; readonly amount: string; readonly description: string };
  readonly customer?: NewSession['customer'];
  readonly custom_data?: Readonly<Record<string, unknown>>;
}

interface CardCreditFields {
  readonly order_id: string;
  readonly order_amount: string;
  readonly order_currency: string;
  readonly order_description: string;
  /** Needed with a number, else the name on the saved card. */
  readonly payee_first_name?: string;
  readonly payee_last_name?: string;
  readonly payee_email?: string;
  readonly payee_ip?: string;
  readonly channel_id?: string;
  readonly custom_data?: Readonly<Record<string, unknown>>;
}

/** A payout to a card: to its number, or to a saved one. */
export type CardCredit = CardCreditFields &
  (
    | { readonly card_number: string; readonly card_token?: never }
    | { readonly card_token: string; readonly card_number?: never }
  );
