import { UsageError } from '../commands/command.ts';
import { jsonIn, textIn } from '../connectors/read-json.ts';
import type { Io } from '../output/io.ts';

/**
 * Reads the description of an API from a file or, for `-`, from standard input: JSON where it begins with a brace, else YAML.
 *
 * @throws UsageError that says where the file breaks
 */
export async function readDescription(name: string, io: Io): Promise<unknown> {
  const text = await textIn(name, io);
  if (/^\uFEFF?\s*\{/.test(text) || name.endsWith('.json')) return jsonIn(text.replace(/^\uFEFF/, ''), name);
  // It takes longer to load than the rest of the command.
  const { parse } = await import('yaml');
  try {
    const value: unknown = parse(text);
    return value;
  } catch (error) {
    const [first = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UsageError(`${name === '-' ? 'Standard input' : name} is no YAML: ${first}`);
  }
}
