import * as z from 'zod';

/** Printable ASCII, and no longer than a message of 3-D Secure holds (EMV 3-D Secure 2, browserAcceptHeader, browserUserAgent). */
const header = z.string().regex(/^[\x20-\x7E]{1,2048}$/);
/** Of a screen, in pixels: six digits (EMV 3-D Secure 2, browserScreenHeight). */
const pixels = z.int().min(1).max(999_999);

/**
 * The payer's browser as it describes itself, for 3-D Secure and nothing else: anyone can write anything here. Without its script a page
 * knows the headers alone, and `javaScriptEnabled` is `false`.
 */
export const payerBrowserSchema = z.object({
  /** The header `Accept`. */
  accept: header.exactOptional(),
  userAgent: header.exactOptional(),
  /** BCP 47: `navigator.language`, or the first of the header `Accept-Language`. */
  language: z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/)
    .exactOptional(),
  javaScriptEnabled: z.boolean().exactOptional(),
  javaEnabled: z.boolean().exactOptional(),
  /** Bits per pixel. */
  colorDepth: z.literal([1, 4, 8, 15, 16, 24, 30, 32, 48]).exactOptional(),
  screenHeight: pixels.exactOptional(),
  screenWidth: pixels.exactOptional(),
  /** From the payer's time to UTC, in minutes, as `getTimezoneOffset` has it: 180 in Brasília, -60 in Berlin. */
  timeZoneOffset: z.int().min(-840).max(840).exactOptional(),
  /** `navigator.platform`. No field of 3-D Secure; callbacks carry it (protocol: browser_platform). */
  platform: z
    .string()
    .regex(/^[\x20-\x7E]{1,100}$/)
    .exactOptional(),
});

export type PayerBrowser = Readonly<z.output<typeof payerBrowserSchema>>;

/** The payer's address and browser, as far as they are known. */
export interface PayerClient extends PayerBrowser {
  readonly ip?: string;
}

/** The fields that can be true. Others are left out: what a browser says wrongly is no reason to refuse a payment. */
export function readPayerBrowser(described: Readonly<Record<string, unknown>>): PayerBrowser {
  const sound = Object.entries(payerBrowserSchema.shape).filter(
    ([name, schema]) => described[name] !== undefined && schema.safeParse(described[name]).success,
  );
  return payerBrowserSchema.parse(Object.fromEntries(sound.map(([name]) => [name, described[name]])));
}

/** A payer's client for samples and previews: everything is known. Its address is reserved for documentation. */
export const samplePayerClient: Required<PayerClient> = {
  ip: '192.0.2.7',
  accept: 'text/html',
  userAgent: 'Browser',
  language: 'en',
  javaScriptEnabled: true,
  javaEnabled: false,
  colorDepth: 24,
  screenHeight: 1080,
  screenWidth: 1920,
  timeZoneOffset: -60,
  platform: 'Linux x86_64',
};
