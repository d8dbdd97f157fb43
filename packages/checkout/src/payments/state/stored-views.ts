import type { Show } from '@railyard/core';
import type { NextAction } from '@railyard/runtime';
import * as z from 'zod';
import { openJson, sealedAt, type Sealer } from '../../secrets/index.ts';
import { type FlowRun, fromJsonText } from '../../storage/index.ts';

const timed = { validUntil: z.string().exactOptional() };
/** A text of a connector, in English or by language. */
const text = z.union([z.string(), z.object({ en: z.string() }).catchall(z.string())]);
const detail = z.object({ label: text, value: z.string(), copy: z.boolean().exactOptional() });

/** The views of flows, as read back from the database. */
const showSchema: z.ZodType<Show> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('redirect'), url: z.string(), surface: z.enum(['page', 'widget', 'app']), ...timed }),
  z.object({ kind: z.literal('qr'), content: z.string(), copy: z.boolean().exactOptional(), ...timed }),
  z.object({
    kind: z.literal('payment-details'),
    beneficiary: z.string().exactOptional(),
    details: z.array(detail),
    ...timed,
  }),
  z.object({
    kind: z.literal('voucher'),
    reference: z.string(),
    document: z.string().exactOptional(),
    details: z.array(detail).exactOptional(),
    barcode: z.object({ symbology: z.enum(['itf', 'code-128']), text: z.string() }).exactOptional(),
    ...timed,
  }),
  z.object({
    kind: z.literal('confirm-on-device'),
    channel: z.enum(['stk', 'app']),
    message: z.string().exactOptional(),
    number: z.string().exactOptional(),
    ...timed,
  }),
  z.object({
    kind: z.literal('link-sent'),
    channel: z.enum(['email', 'sms']),
    to: z.string().exactOptional(),
    ...timed,
  }),
  z.object({
    kind: z.literal('address'),
    address: z.string(),
    asset: z.string(),
    network: z.string().exactOptional(),
    amount: z.string().exactOptional(),
    ...timed,
  }),
]);

const option = z.object({ value: z.string(), label: text });

/** Kept before it was known: nothing is said to be safe. */
const mayTurnBack = z.boolean().default(false);

const nextActionSchema: z.ZodType<NextAction> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('collect'),
    step: z.string(),
    fields: z.array(
      z.object({
        name: z.string(),
        label: text,
        input: z.string(),
        required: z.boolean(),
        secret: z.literal(true).exactOptional(),
        help: text.exactOptional(),
        autocomplete: z.string().exactOptional(),
        options: z.array(option).exactOptional(),
      }),
    ),
    error: text.exactOptional(),
    resend: z.boolean(),
    mayTurnBack,
  }),
  z.object({
    kind: z.literal('visit'),
    step: z.string(),
    url: z.string(),
    method: z.enum(['GET', 'POST']),
    fields: z.record(z.string(), z.string()),
    reference: z.string(),
    inFragment: z.literal(true).exactOptional(),
    mayTurnBack,
  }),
]);

/** The view that the payer sees; `undefined` where there is none. */
export function storedShow(stored: unknown): Show | undefined {
  return stored === null ? undefined : showSchema.parse(stored);
}

/** The next modification at which a run is suspended. */
export function storedNextAction(sealer: Sealer, { runId, suspendedText }: FlowRun): NextAction | undefined {
  if (suspendedText === null) return undefined;
  return nextActionSchema.parse(openJson(sealer, fromJsonText(suspendedText), sealedAt.runAsks(runId)));
}
