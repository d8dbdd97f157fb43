import { type PayerBrowser, readPayerBrowser } from '@railyard/core/driver';
import type { Resolved } from '@railyard/core/registry';
import * as z from 'zod';
import type { WalletAttempt } from '../../cards/wallet-attempt.ts';
import { openJson, sealedAt } from '../../secrets/index.ts';
import { fromJsonText, type Payment } from '../../storage/index.ts';
import type { PaymentStateDeps } from './deps.ts';

const runInputSchema = z.object({
  variant: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
  needed: z.record(z.string(), z.unknown()),
  // Rules for these may change; a run that was begun goes on.
  browser: z.record(z.string(), z.unknown()).transform(readPayerBrowser).exactOptional(),
  answers: z.record(z.string(), z.string()).exactOptional(),
  /** The card came without its security code: its flow is not to wait for one. */
  withoutCode: z.literal(true).exactOptional(),
  wallet: z.object({ flow: z.enum(['virtual', 'card', 'forwarded']), eci: z.boolean() }).exactOptional(),
});

/** The payer's input to an attempt, which a request to another account may need. */
interface PayerEntries {
  readonly browser?: PayerBrowser;
  /** The entries, by path; nothing of a card. */
  readonly answers?: Readonly<Record<string, string>>;
  /** No code came with the card: it is a saved one that a merchant's server pays with, or it has none. */
  readonly withoutCode?: true;
}

/** The part of a wallet that a run stores: the input of its flow, and nothing of the token. */
type StoredWallet = Pick<WalletAttempt, 'flow' | 'hasEci'>;

/** The input that a run stores at its beginning: the method's values as they were resolved then, and the payer's input. */
export function runInput(
  resolved: Resolved,
  { browser, answers, withoutCode }: PayerEntries = {},
  wallet?: StoredWallet,
): unknown {
  const { variant, parameters, needed } = resolved;
  return {
    ...(variant !== undefined && { variant }),
    parameters,
    needed,
    ...(browser && { browser }),
    ...(answers && { answers }),
    ...(withoutCode && { withoutCode }),
    ...(wallet && { wallet: { flow: wallet.flow, eci: wallet.hasEci } }),
  };
}

/** The input of the run of a payment's operation, opened. */
export function openRunInput(
  { sealer }: Pick<PaymentStateDeps, 'sealer'>,
  { runId, inputText }: { readonly runId: string; readonly inputText: string },
): z.output<typeof runInputSchema> {
  return runInputSchema.parse(openJson(sealer, fromJsonText(inputText), sealedAt.runInput(runId)));
}

/**
 * The payer's browser, as the run of the payment's operation keeps it. Nothing where no payer was there, and once the run is
 * erased (docs/configuration.md, How long data is kept).
 */
export async function browserOf(
  { stores, sealer }: Pick<PaymentStateDeps, 'stores' | 'sealer'>,
  { id, operation, mandateId }: Pick<Payment, 'id' | 'operation' | 'mandateId'>,
): Promise<PayerBrowser | undefined> {
  if (mandateId !== null) return undefined;
  const run = (await stores.runs.ofPayment(id)).find(({ purpose }) => purpose === operation);
  return run && openRunInput({ sealer }, run).browser;
}
