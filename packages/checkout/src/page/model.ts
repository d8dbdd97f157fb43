import type { DeclineCode, PayerText, Show } from '@railyard/core';
import type { WalletButton } from '@railyard/core/driver';
import type { NextAction } from '@railyard/runtime';
import type { CoBrands } from '../rules/browser/card-rules.js';
import type { Branding } from '../deployment/catalogue.ts';

/** The input into which a script of the page writes a description of the payer's browser. */
export const BROWSER_INPUT = 'browser';

/** An input that says that the payer pays beside a payment that waits. */
export const BESIDE_INPUT = 'beside';

/** One input of a form. Names are paths: `customer.email`, `parameters.pix-document.document_number`. */
export interface PageField {
  readonly name: string;
  readonly label: PayerText;
  readonly input: string;
  readonly required: boolean;
  /** Another entry of the form says whether it may stay empty, so that the browser does not insist: the service checks it. */
  readonly mayBeEmpty?: true;
  /** The entry is masked, and never shown again. */
  readonly secret?: true;
  readonly help?: PayerText;
  /** A value that would be right. */
  readonly example?: string;
  readonly autocomplete?: string;
  readonly options?: readonly { readonly value: string; readonly label: PayerText }[];
  /** Of the input `state`: the countries, by alpha-2 code, whose states are offered, and the one of the payer as far as it is known. */
  readonly states?: { readonly of: readonly string[]; readonly country?: string };
  /** The payer's earlier entry; never a card's number or code. */
  readonly value?: string;
  /** Why the entry was refused, in words for the payer. */
  readonly problem?: PayerText;
}

/** A card to choose in place of the shown one: a saved card, anonymised, or a new card. */
export interface SavedCardChoice {
  readonly key: string;
  readonly card?: { readonly title: string; readonly lastFour: string; readonly expires: string };
}

/** The details behind a form's card fields. */
export interface CardForm {
  /** Names of the networks that are taken. */
  readonly taken: readonly string[];
  /** Ranges of numbers with several networks, among which the payer chooses. Default: none. */
  readonly coBrands?: readonly CoBrands[];
  /** The saved card that is used, and its network. */
  readonly saved?: SavedCardChoice;
  readonly brand?: string;
  /** One word may be the whole name on the card. */
  readonly oneWordName?: true;
  readonly others: readonly SavedCardChoice[];
}

/** The button of a digital wallet. */
export interface WalletForm {
  /** `applepay`, `googlepay`. */
  readonly kind: string;
  /** Nothing where the wallet cannot be used for this payment, for the reason in `problem`. */
  readonly button?: WalletButton;
  readonly problem: PayerText;
}

export interface PageMethod {
  readonly key: string;
  readonly title: PayerText;
  /** The names by which payers know it. */
  readonly subtitle?: PayerText;
  /** There is nothing to enter: a button in the list of methods begins the payment. */
  readonly atOnce?: true;
}

/** A payment that waits for its payer, who may pay another way beside it. */
export interface PageBeside {
  readonly waits: PageMethod;
  /**
   * How it ends once the payer pays another way. `withdrawn`: the provider takes back what the payer was given. `given-back`: it can
   * still be paid, and the service gives the second payment back. `twice`: the merchant has to.
   */
  readonly ends: 'withdrawn' | 'given-back' | 'twice';
}

/** Decimal text and its currency. */
export interface PageAmount {
  readonly text: string;
  readonly currency: string;
}

/** Why an attempt brought nothing: core's code, which the page has a text for; the stored sentence where there is none. */
export interface Decline {
  readonly code?: DeclineCode;
  readonly reason: string;
}

/** An attempt that brought nothing, as it stands beside the next one's form. */
export interface FailedAttempt {
  readonly decline: Decline;
  /** How often it may be tried again. */
  readonly attemptsLeft: number;
}

/** The later payments that the payer is asked to agree to. */
export interface PageConsent {
  readonly amount: PageAmount;
  readonly interval: { readonly length: number; readonly unit: 'day' | 'month' };
  /** How many of them there will be. */
  readonly count: number;
  /** The payer has agreed on this page before. */
  readonly given: boolean;
}

/** The facts that a payer keeps of a payment; merchant, order and amount stand on every page. */
export interface PageReceipt {
  /** ISO 8601 in UTC. */
  readonly paidAt: string;
  /** Nothing where the merchant has it no more. */
  readonly method?: PayerText;
  /** The name of the card's network. */
  readonly brand?: string;
  /** The payment's id, which the merchant knows too. */
  readonly reference: string;
}

/** In an address of the page: the payer reads the receipt. */
export const RECEIPT = 'receipt';

/** Where the payment stands, as far as the payer is concerned. */
export type PageState =
  /** Several methods can be used. */
  | { readonly kind: 'choose'; readonly methods: readonly PageMethod[]; readonly failed?: FailedAttempt }
  /** The payer says how much. */
  | {
      readonly kind: 'amount';
      readonly method: PageMethod;
      readonly field: PageField;
      /** Every method to choose from, in order. */
      readonly methods: readonly PageMethod[];
      readonly again: boolean;
      readonly failed?: FailedAttempt;
    }
  /** Before the payment begins, the page asks for missing values, or only for a confirmation. `amount`: the payer's amount, as it was understood. */
  | {
      readonly kind: 'ask';
      readonly amount?: PageAmount;
      readonly method: PageMethod;
      readonly fields: readonly PageField[];
      readonly card?: CardForm;
      readonly wallet?: WalletForm;
      readonly consent?: PageConsent;
      /** Why the payment was refused, where no field is wrong. */
      readonly problem?: PayerText;
      readonly failed?: FailedAttempt;
      /** Every method to choose from, in order. */
      readonly methods: readonly PageMethod[];
    }
  /** The flow asks something. */
  | {
      readonly kind: 'next-action';
      readonly nextAction: Extract<NextAction, { kind: 'collect' }>;
      readonly fields: readonly PageField[];
    }
  /** The payer is sent away. */
  | { readonly kind: 'visit'; readonly nextAction: Extract<NextAction, { kind: 'visit' }> }
  /**
   * The payer sees what is needed to pay; the page waits for the result. `received`: what has arrived of it. `outlives`: it can still be
   * paid when the session has ended, so its own last moment is shown and nothing counts down. `instead`: the method that the payer has just
   * used, which was not charged. `failed`: an attempt by another method, after which this one still waits.
   */
  | {
      readonly kind: 'show';
      readonly show: Show;
      readonly renewable: boolean;
      readonly received?: PageAmount;
      readonly outlives?: true;
      readonly instead?: { readonly used: PageMethod; readonly waits: PageMethod };
      readonly failed?: FailedAttempt;
    }
  /** The outcome is not known yet: never shown as a failure. */
  | { readonly kind: 'checking'; readonly continueUrl?: string }
  /**
   * The payer wants to leave an attempt that may still bring money; until `validUntil`, where that is known. `outlives`: the session has
   * ended before.
   */
  | { readonly kind: 'leaving'; readonly continueUrl?: string; readonly validUntil?: string; readonly outlives?: true }
  /** `received`: the paid amount, if it is more than the amount due; `stays`: the payer reads the receipt, so the page does not go on by itself. */
  | {
      readonly kind: 'success';
      readonly continueUrl: string;
      readonly received?: PageAmount;
      readonly receipt?: PageReceipt;
      readonly stays?: true;
    }
  | {
      readonly kind: 'declined';
      readonly decline: Decline;
      readonly mayRetry: boolean;
      /** The method that was tried, where it can be tried again. */
      readonly method?: string;
      /** The other methods. */
      readonly others?: readonly PageMethod[];
      /** How often it may be tried again. */
      readonly attemptsLeft?: number;
      /** `true`: as often as the merchant allows it has been tried. */
      readonly usedUp?: boolean;
      readonly continueUrl?: string;
    }
  /**
   * `received`: what arrived of the amount before the time was up; `mayArrive`: what was sent or paid in time may still arrive, and
   * counts; `decline`: why an attempt was refused before.
   */
  | {
      readonly kind: 'expired';
      readonly continueUrl?: string;
      readonly received?: PageAmount;
      readonly mayArrive?: 'deposit' | 'payment';
      /** A code or slip that can still be paid elsewhere. */
      readonly payable?: Show & { readonly validUntil: string };
      readonly decline?: Decline;
    }
  /** A fault of the service or a connector, or a session that cannot be paid any more as it was asked for. `others`: what can be tried. */
  | {
      readonly kind: 'error';
      readonly continueUrl?: string;
      readonly nothingCharged?: true;
      readonly others?: readonly PageMethod[];
    }
  /** It was paid, and the money went back or is disputed. */
  | { readonly kind: 'given-back'; readonly continueUrl?: string }
  | { readonly kind: 'cancelled'; readonly continueUrl?: string };

/** Everything that the hosted page shows. */
export interface PageModel {
  readonly merchantName: string;
  readonly orderNumber: string;
  readonly description: string;
  /** `undefined`: the payer chooses the amount. */
  readonly amount: PageAmount | undefined;
  /** The value-added tax that the amount contains, and its rate in percent, where the merchant asked for it. */
  readonly vat?: { readonly rate: string; readonly amount: PageAmount };
  /** Default: the page's own look. */
  readonly branding?: Branding;
  /** A payout reads "Receive", not "Pay". */
  readonly operation: 'purchase' | 'debit' | 'credit' | 'transfer';
  readonly test: boolean;
  /** ISO 8601 in UTC. */
  readonly expiresAt: string;
  /** ISO 8601 in UTC: the server's now, so that countdowns do not depend on the payer's clock. */
  readonly now: string;
  /** `/auth/<token>`: forms post to `<base>/pay`, `<base>/answer`, `<base>/renew`, `<base>/change`, `<base>/cancel`, and ask `<base>/check` first; live status at `<base>/status` and `<base>/events`. */
  readonly base: string;
  /** Whether the service makes a PDF of a voucher's bar code. */
  readonly printsTickets: boolean;
  readonly canCancel: boolean;
  /** Where the method is at home, as an IANA time zone; absent where that is not known. */
  readonly timeZone?: string;
  /** Where the payer may pay another way beside a payment that waits for them. */
  readonly beside?: PageBeside;
  /** Whether the payer may give up the attempt that is under way and pay another way. */
  readonly canChange: boolean;
  /** Grows with every change of the payment; the live status says when it has grown. */
  readonly version: number;
  /** Origins that may show the page in a frame. Default: none. */
  readonly frameOrigins?: readonly string[];
  readonly urlTarget: '_blank' | '_self' | '_parent' | '_top';
  readonly state: PageState;
}
