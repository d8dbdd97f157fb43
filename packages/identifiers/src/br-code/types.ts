import type { PixKeyType } from '../pix-key.ts';

/** The receiver as every Pix BR Code names it. The payer's bank shows the directory's name, not this one. */
export interface Receiver {
  /** 59, 1 to 25 characters. */
  merchantName: string;
  /** 60, 1 to 15 characters. */
  merchantCity: string;
  /** 52, four digits; `0000` means not given. */
  merchantCategory: string;
  /** 61. */
  postalCode?: string;
  /** 01 is `12`: the code is meant for one payment. */
  singleUse: boolean;
  /** 80 to 99: address of the recurrence, without a scheme; makes the code a composite one. */
  recurrenceUrl?: string;
}

/** A code that names the receiver's key itself. */
export interface StaticBrCode extends Receiver {
  kind: 'static';
  /** 26-01 as the directory writes it, a phone number with its plus. Its check digits are not looked at here. */
  key: string;
  keyType: PixKeyType;
  /** 26-02, shown to the payer. */
  info?: string;
  /** 26-03, the eight characters of the institution that hands out cash. */
  withdrawalIspb?: string;
  /** 54 in reais, a plain decimal string with at most two decimals; absent when the payer chooses. */
  amount?: string;
  /** 62-05; absent when the code says `***`. */
  txid?: string;
}

/** A code that points to a charge. Amount, transaction id and expiry live there, whatever the code says of them. */
export interface DynamicBrCode extends Receiver {
  kind: 'dynamic';
  /** 26-25: host and path without a scheme, at most 77 characters. */
  url: string;
}

/** A composite code that carries nothing but a recurrence. */
export interface RecurrenceBrCode extends Receiver {
  kind: 'recurrence';
  recurrenceUrl: string;
  txid?: string;
}

export type BrCode = StaticBrCode | DynamicBrCode | RecurrenceBrCode;

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/**
 * The input of `buildBrCode`: a parsed code, or one with less. The key may have any form that `parsePixKey` reads;
 * `merchantCategory` is `0000` unless given; `singleUse` is true for a dynamic code and false for the others unless given.
 */
export type BrCodeInput =
  | Omit<Optional<StaticBrCode, 'merchantCategory' | 'singleUse'>, 'keyType'>
  | Optional<DynamicBrCode, 'merchantCategory' | 'singleUse'>
  | Optional<RecurrenceBrCode, 'merchantCategory' | 'singleUse'>;

/**
 * Why a code is refused. `field` is the EMV path of the object, such as `60` or `26-01`, and `` for the whole text.
 * - `structure`: not a sequence of id, length and value, or a template inside is not.
 * - `checksum`: the last object is not `63` with the right CRC.
 * - `not-pix`: no merchant account template of the Pix arrangement, or more than one.
 * - `missing`: a required object is absent.
 * - `invalid`: the object's value breaks its rule.
 * - `conflict`: the object cannot stand beside another one of the code.
 */
export interface BrCodeFailure {
  ok: false;
  reason: 'structure' | 'checksum' | 'not-pix' | 'missing' | 'invalid' | 'conflict';
  field: string;
}

export type BrCodeResult = { ok: true; code: BrCode } | BrCodeFailure;

export type BrCodeBuildResult = { ok: true; text: string } | BrCodeFailure;
