import * as z from 'zod';
import type { Cleanup, ProviderAddress } from './places.ts';
import { type Child, startChild } from './processes/child.ts';

const addressSchema = z.object({
  url: z.string(),
  apiKey: z.string(),
  webhookSecret: z.string(),
  callbackUrl: z.string(),
});

/** Payers, their provider and the merchant's receiver, in a process of their own. */
export async function startPayers(
  cleanup: Cleanup,
): Promise<{ readonly process: Child; readonly provider: Required<Omit<ProviderAddress, 'takesCards'>> }> {
  const process = startChild('payments');
  cleanup.add(process.end);
  return { process, provider: addressSchema.parse(await process.ask('address')) };
}
