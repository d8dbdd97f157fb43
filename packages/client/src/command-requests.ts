import type { AuthenticationValues } from '@railyard/core/payment';

type PersonField =
  | 'first_name'
  | 'middle_name'
  | 'last_name'
  | 'email'
  | 'country'
  | 'state'
  | 'city'
  | 'district'
  | 'address'
  | 'house_number'
  | 'zip'
  | 'phone';

type PayerFields = Readonly<
  Partial<Record<`payer_${PersonField | 'birth_date' | 'ip' | 'address2' | 'phone_country_code'}`, string>>
>;

type PayeeFields = Readonly<Partial<Record<`payee_${PersonField}`, string>>>;

/** The order, as a command names it. Amounts are strings, sent and signed byte for byte. */
interface CommandOrder {
  readonly order_id: string;
  readonly order_amount: string;
  readonly order_currency: string;
  readonly order_description: string;
}

interface CommandOptions {
  readonly channel_id?: string;
  readonly custom_data?: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Where the callbacks of this payment go in place of your usual address. */
  readonly callback_url?: string;
}

/** The e-mail and the card that a hash covers: the stored payment's. */
export interface SignedCard {
  readonly payer_email?: string;
  /** The whole number, or its first six and last four digits: no more is signed. */
  readonly card_number?: string;
  readonly card_token?: string;
}

/** The network that the payer chose of a co-branded card. Default: of a saved card its payer's choice, else the merchant's. */
interface CardBrand {
  readonly card_brand?: string;
}

type Card = CardBrand &
  (
    | {
        readonly card_number: string;
        readonly card_exp_month: string;
        readonly card_exp_year: string;
        readonly card_cvv2: string;
        readonly card_token?: never;
      }
    | { readonly card_token: string; readonly card_cvv2?: string; readonly card_number?: never }
  );

/** The token of a digital wallet, JSON as text, in place of a card. */
interface WalletToken {
  readonly digital_wallet: 'applepay' | 'googlepay';
  readonly payment_token: string;
  readonly card_number?: never;
  readonly card_token?: never;
}

/** The result of 3-D Secure at your own MPI. */
type AuthenticationFields = AuthenticationValues & {
  /** With the CAVV the account gets the result; without it callbacks and lookups alone report the values. */
  readonly cavv?: string;
};

interface CardReturn {
  /** Where the payer comes back to. */
  readonly term_url_3ds: string;
  readonly term_url_target?: string;
}

type CardCharge = CommandOrder &
  CommandOptions &
  PayerFields &
  AuthenticationFields &
  CardReturn & {
    readonly req_token?: 'Y' | 'N';
    readonly recurring_init?: 'Y' | 'N';
    /** With `recurring_init`: the schedule that charges later payments. */
    readonly schedule_id?: string;
    /** The day of the first of these, `YYYY-MM-DD`, in place of what the schedule says. */
    readonly schedule_start_date?: string;
    /** The amount of each of these, where it is not the order's. */
    readonly payment_schedule_amount?: string;
    /** Whether the payer of a saved card is there; they are unless said otherwise. */
    readonly payer_present?: 'Y' | 'N';
  };

/** A payment by card: the card's data, the token of a saved card, or a wallet's token. */
export type CardSale = CardCharge & (Card | WalletToken) & { readonly auth?: 'Y' | 'N' };

/** A debit of a card. */
export type CardDebit = CardCharge & Card;

/** A payment by another method than a card; without an amount where its payer says how much. */
export type ApmSale = Omit<CommandOrder, 'order_amount'> &
  CommandOptions &
  PayerFields & {
    readonly order_amount?: string;
    readonly brand: string;
    readonly payer_ip: string;
    readonly return_url: string;
    readonly return_url_target?: string;
    readonly identifier?: string;
    readonly crypto_network?: string;
    readonly auth?: 'Y' | 'N';
  };

/** A debit by another method than a card, on top of which the payer pays a commission. */
export type VirtualDebit = CommandOrder &
  CommandOptions &
  PayerFields & {
    readonly brand: string;
    readonly identifier: string;
    readonly payer_ip: string;
    /** Where the payer comes back to. */
    readonly payer_return_url: string;
  };

/** A later charge, in the currency of the first. */
export interface CommandCharge extends Pick<CommandOptions, 'custom_data' | 'callback_url'> {
  readonly order_id: string;
  readonly order_amount: string;
  readonly order_description: string;
  readonly recurring_first_trans_id: string;
  readonly recurring_token: string;
  /** Not needed beside a `requestKey`. */
  readonly signedWith?: SignedCard;
}

export interface OnTransaction {
  readonly trans_id: string;
  /** Of a transaction by card, unless a `requestKey` signs: the hash covers it. It is never sent. */
  readonly signedWith?: SignedCard;
}

export interface AmountOnTransaction extends OnTransaction {
  /** A part. Default: the whole. */
  readonly amount?: string;
}

/** The terms of a recurring schedule (docs: server-to-server, Schedules). */
export interface ScheduleTerms {
  readonly name: string;
  readonly interval_length: string | number;
  readonly interval_unit: 'day' | 'month';
  readonly day_of_month?: string | number;
  readonly payments_count: string | number;
  readonly delayed_first_payment?: 'none' | 'delay_by_interval' | 'day_of_week' | 'day_of_month';
  readonly first_payment_interval_length?: string | number;
  readonly first_payment_interval_unit?: 'day' | 'month';
  /** `monday` to `sunday`. */
  readonly first_payment_day_of_week?: string;
  readonly first_payment_day_of_month?: string | number;
  /** `1,3,5,7`, or `none`. */
  readonly retry_days?: string;
}

export interface OnSchedule {
  readonly schedule_id: string;
}

/** One payer's payments by a schedule. */
export interface OnPayerOfSchedule extends OnSchedule {
  /** Of the payment with which the payer began them. */
  readonly recurring_token: string;
}

export interface OnOrder {
  readonly order_id: string;
  readonly signedWith: SignedCard;
}

/** A payout to a card by command: to its number, or to a saved one. */
export type CommandCredit = CommandOrder &
  CommandOptions &
  PayerFields &
  PayeeFields &
  (
    | { readonly card_number: string; readonly card_token?: never }
    | { readonly card_token: string; readonly card_number?: never }
  );

export type CardTransfer = CommandOrder &
  CommandOptions &
  PayerFields &
  PayeeFields &
  CardReturn & {
    readonly payer_card_number: string;
    readonly payer_card_exp_month: string;
    readonly payer_card_exp_year: string;
    readonly payer_card_cvv2: string;
    readonly payer_ip: string;
    readonly payee_card_number: string;
  };

/** A payout to an account or a wallet, mobile money for example. `parameters` is what the method asks for. */
export type AccountCredit = Omit<CommandOrder, 'order_description'> &
  CommandOptions &
  PayerFields &
  PayeeFields & {
    /** The method: its key, or your alias for it. */
    readonly brand: string;
    readonly order_description?: string;
  };

export type CryptoCredit = AccountCredit & {
  readonly order_description: string;
  readonly crypto_network?: string;
};
