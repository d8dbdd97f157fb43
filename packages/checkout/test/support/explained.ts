import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import * as z from 'zod';

/** A statement that the server has carried out. */
export interface Explained {
  readonly text: string;
  /** Pages of 8 KB that it read, from memory or from files. */
  readonly pages: number;
  /** The tables that it read from their beginning to their end. */
  readonly scanned: readonly string[];
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Shared Hit Blocks'?: number | undefined;
  readonly 'Shared Read Blocks'?: number | undefined;
  readonly Plans?: readonly Node[] | undefined;
}

const nodeSchema: z.ZodType<Node> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Shared Hit Blocks': z.number().optional(),
  'Shared Read Blocks': z.number().optional(),
  get Plans() {
    return z.array(nodeSchema).optional();
  },
});
const explainedSchema = z.object({ 'Query Text': z.string(), Plan: nodeSchema });

/** Has the server write the plan of each statement of new connections to a database into its log. */
export async function explainEverything(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  for (const [setting, value] of Object.entries({
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': 'json',
  }))
    await client.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  await client.end();
}

/** Where the log of a server ends now. @param folder that its files are in */
export const endOfLog = async (folder: string): Promise<number> => (await readFile(join(folder, 'log'))).length;

/** The statements that the log of a server has from a place on. */
export async function explainedSince(folder: string, from: number): Promise<Explained[]> {
  const text = (await readFile(join(folder, 'log'))).subarray(from).toString();
  return [...text.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json = '']) => {
    const explained = explainedSchema.parse(JSON.parse(json));
    const { Plan: plan } = explained;
    return {
      text: explained['Query Text'],
      pages: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
      scanned: scannedBy(plan),
    };
  });
}

const scannedBy = (node: Node): string[] => [
  ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
  ...(node.Plans ?? []).flatMap(scannedBy),
];
