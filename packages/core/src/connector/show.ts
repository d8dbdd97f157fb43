import type { PayerText } from '../payer-text.ts';

/** Label and value of something the payer needs, in the order to show. */
export interface Detail {
  readonly label: PayerText;
  readonly value: string;
  /** `true`: the page offers to copy it. */
  readonly copy?: boolean;
}

/** `itf`: an even number of digits. `code-128`: ASCII. */
interface Barcode {
  readonly symbology: 'itf' | 'code-128';
  readonly text: string;
}

interface Timed {
  /** ISO 8601 in UTC: after this the payer should not use it any more. A renewable one is renewed, the old one stays watched. */
  readonly validUntil?: string;
}

/** The view that the payer sees while the payment is pending. */
export type Show =
  | ({ readonly kind: 'redirect'; readonly url: string; readonly surface: 'page' | 'widget' | 'app' } & Timed)
  /** `content` is the text of the code, byte for byte what is copied and what is drawn. */
  | ({ readonly kind: 'qr'; readonly content: string; readonly copy?: boolean } & Timed)
  /** `beneficiary`: whose account it is, for which banks ask. The page adds the amount. */
  | ({
      readonly kind: 'payment-details';
      readonly beneficiary?: string;
      readonly details: readonly Detail[];
    } & Timed)
  | ({
      readonly kind: 'voucher';
      readonly reference: string;
      readonly document?: string;
      readonly details?: readonly Detail[];
      /** The bar code that a counter reads: where there is no `document`, the service makes one with it, a PDF. */
      readonly barcode?: Barcode;
    } & Timed)
  /** `number`: the phone that was asked, masked by the connector. */
  | ({
      readonly kind: 'confirm-on-device';
      readonly channel: 'stk' | 'app';
      readonly message?: string;
      readonly number?: string;
    } & Timed)
  /** `to`: the phone that the link went to, masked by the connector. */
  | ({ readonly kind: 'link-sent'; readonly channel: 'email' | 'sms'; readonly to?: string } & Timed)
  /** `amount`: how much of the asset to send, as decimal text; where it is left out the payer chooses, or sends what the order says. */
  | ({
      readonly kind: 'address';
      readonly address: string;
      readonly asset: string;
      readonly network?: string;
      readonly amount?: string;
    } & Timed);

export type ShowKind = Show['kind'];

/** A QR code with its copy-and-paste text. @example qr({ content: reply.pix_copy_and_paste, validUntil: reply.expires_at }) */
export const qr = (of: { content: string; copy?: boolean } & Timed): Show => ({ kind: 'qr', copy: true, ...of });
export const redirect = (of: { url: string; surface?: 'page' | 'widget' | 'app' } & Timed): Show => ({
  kind: 'redirect',
  surface: 'page',
  ...of,
});
export const voucher = (
  of: { reference: string; document?: string; details?: readonly Detail[]; barcode?: Barcode } & Timed,
): Show => ({
  kind: 'voucher',
  ...of,
});
/** @param of `beneficiary` is `undefined` where the provider does not say whose account it is: the page then names the merchant */
export const paymentDetails = ({
  beneficiary,
  ...of
}: { beneficiary: string | undefined; details: readonly Detail[] } & Timed): Show => ({
  kind: 'payment-details',
  ...(beneficiary !== undefined && { beneficiary }),
  ...of,
});
/** A prompt on the payer's phone. @example confirmOnDevice({ channel: 'stk', number: maskedPhone('+254712345678') }) */
export const confirmOnDevice = (of: { channel: 'stk' | 'app'; message?: string; number?: string } & Timed): Show => ({
  kind: 'confirm-on-device',
  ...of,
});
export const linkSent = (of: { channel: 'email' | 'sms'; to?: string } & Timed): Show => ({
  kind: 'link-sent',
  ...of,
});
/** Where to send a crypto asset. @example address({ address: reply.address, asset: 'BTC', network: 'Bitcoin' }) */
export const address = (of: { address: string; asset: string; network?: string; amount?: string } & Timed): Show => ({
  kind: 'address',
  ...of,
});
