import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { modificationFlows } from '@railyard/core/payment';
import * as z from 'zod';
import { NOTIFICATION_MODES, SCENARIOS } from './scenarios.ts';

export const STATES = [
  'pending',
  'challenged',
  'authenticated',
  'authorized',
  'settled',
  'declined',
  'withdrawn',
  'released',
  'cancelled',
  'disputed',
  'lapsed',
  'won',
  'lost',
] as const;
export type State = (typeof STATES)[number];

/** The modifications of an existing payment. */
const MODIFICATION_EFFECTS = [...modificationFlows(), 'cancel'] as const;

export const EFFECTS = ['charge', 'payout', 'authorize', 'renew', ...MODIFICATION_EFFECTS] as const;

const paymentSchema = z.object({
  id: z.string(),
  /** Whose provider account it is at: the `mid` of a simulated connector, or its id. */
  connector: z.string(),
  effect: z.enum(EFFECTS),
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  createdAt: z.string(),
  request: z.unknown(),
  notifyUrl: z.string().optional(),
  scenario: z.enum(SCENARIOS),
  notifications: z.enum(NOTIFICATION_MODES),
  state: z.enum(STATES),
  /** The end of the payer's page, and who finishes the payment after it. */
  challenge: z
    .object({ leadsTo: z.enum(['settled', 'declined']), finishedBy: z.enum(['payer', 'merchant']) })
    .optional(),
  /** It moves nothing before its payer approves it, or an endpoint completes it. */
  prepared: z.literal(true).optional(),
  /** Actions that will be declined. */
  declines: z.array(z.enum(['capture', 'refund'])).optional(),
  disputes: z
    .array(z.object({ id: z.string(), createdAt: z.string(), result: z.enum(['won', 'lost']).optional() }))
    .optional(),
});

/** A payment at the simulated provider. */
export type HeldPayment = z.output<typeof paymentSchema>;

const modificationSchema = z.object({
  id: z.string(),
  connector: z.string(),
  /** The id of the payment. */
  payment: z.string(),
  effect: z.enum(MODIFICATION_EFFECTS),
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  createdAt: z.string(),
  state: z.enum(['pending', 'settled', 'declined']),
  /** The scenario that the modification's own request met. */
  scenario: z.enum(SCENARIOS).optional(),
});

/** A modification on a payment at the simulated provider. */
export type HeldModification = z.output<typeof modificationSchema>;

const ledgerSchema = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  connector: z.string(),
  /** The requested effect, or the money's end: `settled`, `declined`, `withdrawn`, `disputed`, and `undone` for a modification that failed after it settled. */
  effect: z.enum([...EFFECTS, 'settled', 'declined', 'withdrawn', 'disputed', 'lapsed', 'undone']),
  id: z.string(),
  reference: z.string(),
  key: z.string().optional(),
  amount: z.string(),
  currency: z.string(),
});

/** One effect. Merchants compare their own books with a provider's ledger. */
export type LedgerEntry = z.output<typeof ledgerSchema>;

const keySchema = z.object({
  connector: z.string(),
  endpoint: z.string(),
  key: z.string(),
  /** SHA-256 of the request's body, to distinguish a repeat from another request under the same key. */
  body: z.string(),
  id: z.string(),
  modification: z.string().optional(),
  /** ISO 8601 in UTC: when the key was first sent. */
  at: z.string(),
});

export type KeyEntry = z.output<typeof keySchema>;

const recordSchema = z.union([
  z.object({ payment: paymentSchema }),
  z.object({ modification: modificationSchema }),
  z.object({ ledger: ledgerSchema }),
  z.object({ key: keySchema }),
]);

export type Line = z.output<typeof recordSchema>;

/** Where records are kept beside the memory. */
export interface Records {
  readonly lines: readonly Line[];
  append(line: Line): void;
}

/** No file: everything is forgotten at the end. */
export function noRecords(): Records {
  return { lines: [], append: () => undefined };
}

/**
 * A file of JSON lines, only ever appended to. A last line that was cut off by a crash is taken away.
 *
 * @throws Error when an earlier line is not one of the simulator's
 */
export function fileRecords(path: string): Records {
  mkdirSync(dirname(path), { recursive: true });
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (text.length > whole.length) truncateSync(path, Buffer.byteLength(whole));
  const lines = whole
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [readLine(line, `${path}:${index + 1}`)]));
  return { lines, append: (line) => appendFileSync(path, `${JSON.stringify(line)}\n`) };
}

function readLine(line: string, place: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`${place} is not JSON. Remove the line, or the file.`);
  }
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) throw new Error(`${place} is not a record of the simulator. Remove the line, or the file.`);
  return parsed.data;
}
