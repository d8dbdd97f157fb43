import type * as z from 'zod';
import type { Money } from '../money/money.ts';

/** The contents of a wallet's token, verified and decrypted. All of it is secret. */
export interface WalletCard {
  /** Of the token, the same however it is written: a service accepts each token once. */
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

/** The payment for which a token is opened. */
export interface WalletOrder {
  readonly amount: Money;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The parts of a wallet's button on the page. */
export interface WalletButton {
  /** The vendor's script. */
  readonly script: string;
  /** Origins that the page's content security policy has to allow besides the script's. */
  readonly connect: readonly string[];
  readonly frame: readonly string[];
  /** The payment request that the page's script passes to the wallet. JSON. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** The sale that a button is for. */
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

/** The problems of a merchant's settings taken together, and until when the settings are valid. */
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
   * The request to send to the vendor at the address that its script named; `undefined` for an address that is not the vendor's.
   *
   * @param host of the page
   */
  validation?(settings: unknown, url: string, host: string): MerchantValidation | undefined;
  /** The file served at a fixed address that proves to the vendor whose domain it is. */
  readonly domainFile?: { readonly path: string; text(settings: unknown): string | undefined };
}
