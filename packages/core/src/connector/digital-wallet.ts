import type * as z from 'zod';
import type { Money } from '../money/index.ts';

/** What a wallet's token held, once it is verified and decrypted. It is secret as a whole. */
export interface WalletCard {
  /** Of the token, the same however it is written: whoever takes payments with it accepts it once. */
  readonly id: string;
  /** Digits. */
  readonly number: string;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly holder?: string;
  /** Whether the number stands for a device (`dpan`) or is the card's own (`fpan`). */
  readonly panType: 'dpan' | 'fpan';
  /** Proves that the payer was there, in Base64; for one authorisation. */
  readonly cryptogram?: string;
  readonly eci?: string;
}

/** A token that was read, or why it is not taken: a word for logs, and a sentence without anything of the token. */
export type WalletRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly says: string };

/** What a token is opened for. */
export interface WalletOrder {
  readonly amount: Money;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a wallet's button on the page needs. */
export interface WalletButton {
  /** The vendor's script. */
  readonly script: string;
  /** What the page's policy has to allow beside it. */
  readonly connect: readonly string[];
  readonly frame: readonly string[];
  /** What is asked of the wallet, for its script on the page. JSON. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** What a button is for. */
export interface WalletSale {
  /** A decimal text in the currency's own decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly merchantName: string;
}

/** A question that a vendor wants a merchant's server to ask while its payment sheet opens. */
export interface MerchantValidation {
  readonly url: string;
  readonly body: Readonly<Record<string, string>>;
  readonly clientCertificate: { readonly cert: string; readonly key: string };
}

/** What is wrong with a merchant's settings taken together, and until when they hold. */
export interface CheckedWallet {
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** ISO 8601. */
  readonly expires?: string;
}

/** A digital wallet as a service takes payments with it. Settings are the merchant's, as the schema read them. */
export interface DigitalWallet {
  /** The method that it pays. */
  readonly method: string;
  /** Its word in callbacks (protocol: digital_wallet). */
  readonly kind: string;
  /** Keys are marked with `secret`. */
  readonly settings: z.ZodObject;
  check(settings: unknown): CheckedWallet;
  /** Whether tokens can be decrypted with these settings. */
  decrypts(settings: unknown): boolean;
  /** The id of a token that the provider opens. */
  idOf(token: unknown): WalletRead<string>;
  open(token: unknown, settings: unknown, order: WalletOrder): WalletRead<WalletCard>;
  button(settings: unknown, sale: WalletSale): WalletButton;
  /**
   * What to ask the vendor at the address that its script named; `undefined` for an address that is not the vendor's.
   *
   * @param host of the page
   */
  validation?(settings: unknown, url: string, host: string): MerchantValidation | undefined;
  /** What is served at an address of its own, so that the vendor knows whose the domain is. */
  readonly domainFile?: { readonly path: string; text(settings: unknown): string | undefined };
}
