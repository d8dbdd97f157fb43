import { modificationFlows } from '@railyard/core/payment';
import { readdir, readFile } from 'node:fs/promises';
import type { AnyEndpoint } from '@railyard/core/driver';
import * as z from 'zod';
import type { ConformanceOptions, Golden } from './types.ts';

/** A golden exchange as it is written down. */
const goldenSchema = z.strictObject({
  endpoint: z.string().min(1),
  source: z.string().min(4),
  when: z.string().min(4),
  by: z
    .strictObject({
      method: z.string().optional(),
      flow: z
        .enum([
          'purchase',
          'debit',
          'credit',
          'transfer',
          ...modificationFlows(),
          'recurring',
          'status',
          'modificationStatus',
          'renew',
          'withdraw',
        ])
        .optional(),
      sample: z.string().optional(),
    })
    .optional(),
  request: z.strictObject({
    method: z.string(),
    path: z.string().startsWith('/'),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  }),
  reply: z.strictObject({ status: z.int(), headers: z.record(z.string(), z.string()).optional(), body: z.unknown() }),
  outcome: z.record(z.string(), z.unknown()).optional(),
});

/**
 * The goldens of the options, from code or from a folder of JSON files.
 *
 * @throws Error for a file that is no golden exchange, with its name and what is wrong
 */
export async function readGoldens({ goldens = [] }: ConformanceOptions): Promise<readonly Golden[]> {
  if (!(goldens instanceof URL)) return goldens;
  const folder = goldens.href.endsWith('/') ? goldens : new URL(`${goldens.href}/`);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const),
  );
  return files.flatMap(([name, text]) => {
    const parsed = z.union([goldenSchema, z.array(goldenSchema)]).safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(`${name} is no golden exchange: ${z.prettifyError(parsed.error)}`);
    return [parsed.data].flat().map((each) => ({ ...each }) as Golden);
  });
}

/** The goldens of one endpoint. */
export const goldensOf = (goldens: readonly Golden[], { name }: AnyEndpoint) =>
  goldens.filter(({ endpoint }) => endpoint === name);
