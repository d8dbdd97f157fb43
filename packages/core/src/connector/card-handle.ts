/** The parts of a card that a flow may place in a request but never sees. */
export type CardPart = 'number' | 'cvv' | 'payee-number' | 'cryptogram' | 'eci' | 'wallet-token';

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

/** The card of a payment as a flow sees it: handles for what is secret, plain values for the rest. */
export interface PaymentCard {
  readonly number: CardHandle;
  /** Absent where a saved card is used without its code. */
  readonly cvv?: CardHandle;
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
   * `dpan`: the number stands for a device, and the cryptogram proves the payer. `fpan`: the card's own number; 3-D Secure is the
   * acquirer's duty, and no shift of liability may be claimed. Absent while the token is unopened.
   */
  readonly panType?: 'dpan' | 'fpan';
  readonly cryptogram?: CardHandle;
  /** The electronic commerce indicator, where the wallet gave one. */
  readonly eci?: CardHandle;
}

/** The card that a transfer pays to. */
export interface PayeeCard {
  readonly number: CardHandle;
}
