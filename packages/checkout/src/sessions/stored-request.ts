import { money } from '@railyard/core';
import { THREE_D_SECURE_FIELDS } from '@railyard/core/payment';
import { type Issue, parseSession, type SessionRequest } from '@railyard/core/protocol';
import * as z from 'zod';

/** The form in which requests are kept. One more for each change by which a process of before would misread them. */
const FORM = 1;

const newerForm = z.object({ form: z.int().gt(FORM) });

/** The request was kept by a newer version of the service, in a form that this one does not know: a newer process takes it. */
export class NewerRequestError extends Error {
  override readonly name = 'NewerRequestError';

  constructor() {
    super('The request was kept by a newer version of the service: a process of that version takes it.');
  }
}

/**
 * A request as it was accepted: its fields, read, and the amount that they came to. What was accepted stays so: no later rule may keep
 * a payment from ending, or change what a run that is under way sends.
 */
const acceptedSchema = z.object({
  /** See `FORM`; the first one had no mark. */
  form: z.int().exactOptional(),
  accepted: z.custom<Omit<SessionRequest, 'amount'>>((fields) => typeof fields === 'object' && fields !== null),
  /** A decimal string, or `payer`. */
  amount: z.string(),
  command: z
    .object({
      action: z.string(),
      protocol: z.enum(['card', 'apm']).exactOptional(),
      returnTarget: z.string().exactOptional(),
      callbackUrl: z.string().exactOptional(),
      payer: z
        .object({
          payer_first_name: z.string().exactOptional(),
          payer_last_name: z.string().exactOptional(),
          payer_address2: z.string().exactOptional(),
        })
        .exactOptional(),
      payerPresent: z.boolean().exactOptional(),
      authentication: z.partialRecord(z.enum(THREE_D_SECURE_FIELDS), z.string()).exactOptional(),
    })
    .exactOptional(),
});

/** The server-to-server command that a request came as. */
export interface AcceptedCommand {
  readonly action: string;
  /** S2S CARD or S2S APM; the latter unless given. */
  readonly protocol?: 'card' | 'apm';
  /** The browsing context that the payer comes back in: a keyword or the name of a frame (reference: term_url_target). */
  readonly returnTarget?: string;
  /** Where this payment's callbacks go in place of the merchant's address. */
  readonly callbackUrl?: string;
  /** The fields of the payer that a session has no place for; callbacks carry them as they were sent. */
  readonly payer?: {
    readonly payer_first_name?: string;
    readonly payer_last_name?: string;
    readonly payer_address2?: string;
  };
  /** Whether the payer is there, as the merchant says it (protocol: payer_present). */
  readonly payerPresent?: boolean;
  /** The result of 3-D Secure at the merchant's own MPI; callbacks and lookups carry it as it was sent (protocol: 3DS attributes). */
  readonly authentication?: Readonly<Partial<Record<(typeof THREE_D_SECURE_FIELDS)[number], string>>>;
}

/** The request as a session stores it. */
export function acceptedText({ amount, ...accepted }: SessionRequest, command?: AcceptedCommand): string {
  const kept: z.input<typeof acceptedSchema> = {
    form: FORM,
    accepted,
    amount: amount === 'payer' ? amount : amount.text,
    ...(command && { command }),
  };
  return JSON.stringify(kept);
}

export type ReadRequest =
  | { readonly ok: true; readonly session: SessionRequest; readonly command?: AcceptedCommand }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads what a session keeps of its request. Today's rules do not judge it again; only one from before requests were kept as
 * accepted, which is the merchant's own text, is read by them.
 *
 * @param today the day on which it was accepted, `YYYY-MM-DD`
 * @throws NewerRequestError for one that a newer version kept
 */
export function readAccepted(text: string, today: string): ReadRequest {
  const stored: unknown = JSON.parse(text);
  const kept = acceptedSchema.safeParse(stored);
  if (kept.success ? (kept.data.form ?? FORM) > FORM : newerForm.safeParse(stored).success)
    throw new NewerRequestError();
  if (!kept.success) return parseSession(stored, { today, openAmount: () => true });
  const { accepted, amount, command } = kept.data;
  return {
    ok: true,
    session: { ...accepted, amount: amount === 'payer' ? amount : money(amount, accepted.order.currency) },
    ...(command && { command }),
  };
}
