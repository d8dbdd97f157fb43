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
