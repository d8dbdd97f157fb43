import type { AuthenticationValues } from '../payment/optional-fields.ts';

/** The parts of a card that a flow may place in a request but never sees. */
export type CardPart = 'number' | 'cvv' | 'payee-number' | 'cryptogram' | 'wallet-token';

const MARK = Symbol.for('railyard.card-handle');

/**
 * Stands for a part of a card. A flow puts it into a field of a request; the runtime fills it in when it sends.
 * Journals, previews and logs see the handle. It cannot become text: a handle inside a longer string would leave the value's
 * place unknown to the redaction.
 */
export class CardHandle {
  readonly part: CardPart;

  constructor(part: CardPart) {
    this.part = part;
    // Here and not as a field: a class with a computed name stays in every bundle, also in those of pages that only validate.
    Object.defineProperty(this, MARK, { value: true });
  }

  toJSON(): string {
    return `[card.${this.part}]`;
  }

  toString(): never {
    throw new Error(`card.${this.part} is a handle: put it into a request field of its own, not into a text.`);
  }

  /** Recognises handles also when two copies of core are installed. */
  static is(value: unknown): value is CardHandle {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}

/** The first eight digits of a number, or six of one that is shorter than sixteen: as much as may be shown beside its last four (PCI DSS 4.0, 3.4.1). */
export const binOf = (number: string): string => number.slice(0, number.length < 16 ? 6 : 8);

/** The card of a payment as a flow sees it: handles for what is secret, plain values for the rest. */
export interface PaymentCard {
  readonly number: CardHandle;
  /** Absent where a saved card is used without its code. */
  readonly cvv?: CardHandle;
  /** The bank identification number, as `binOf` takes it from the card's. */
  readonly bin: string;
  /** The network, in lower case: `visa`, `mastercard`, `amex`, `elo` … Absent where the number is of none that is known. */
  readonly brand?: string;
  /** `true`: the provider is to be told `brand`. The payer or the merchant chose it of several; flows with `cardBrands` send it. */
  readonly coBranded?: true;
  /** Two digits. Absent with the year where a payout names the number alone (protocol: Card credit request fields). */
  readonly expiryMonth?: string;
  /** Four digits. */
  readonly expiryYear?: string;
  readonly holder: string;
  /** `true`: a card that was saved before (protocol: `card_token`). */
  readonly stored?: boolean;
}

/**
 * The digital wallet that a payment is made with. Either the service has opened the wallet's token, and the flow has its card; or the token
 * goes to the provider as it came. All of it is held for the first request alone: after a crash the handles are empty.
 */
export interface PaymentWallet {
  /** `applepay` or `googlepay` (protocol: digital_wallet). */
  readonly kind: string;
  /** The token, where the provider opens it. */
  readonly token?: CardHandle;
  /**
   * `dpan`: the number stands for a device, and the cryptogram of `payment.authentication` proves the payer. `fpan`: the card's own number; 3-D Secure is the
   * acquirer's duty, and no shift of liability may be claimed. Absent while the token is unopened.
   */
  readonly panType?: 'dpan' | 'fpan';
}

/**
 * An authentication of the payer that was done elsewhere: by 3-D Secure at the merchant's own MPI, or by a wallet whose network token is paid
 * with. It is of one payment: no later charge has it. The values have the names of 3-D Secure (EMVCo) and are as they were received.
 */
export interface PaymentAuthentication extends AuthenticationValues {
  /** The CAVV of 3-D Secure, or the TAVV of a network token; Base64. It is held for the first request alone, as a security code is. */
  readonly cryptogram: CardHandle;
}

/** The card that a transfer pays to. */
export interface PayeeCard {
  readonly number: CardHandle;
}
