import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { UsageError } from '../commands/command.ts';
import { jsonIn, readText, textIn } from '../connectors/read-json.ts';
import type { Io } from '../output/io.ts';
import { schemasAsDescription } from './schema-folder.ts';

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the description of an API from a file or, for `-`, from standard input: JSON where it begins with a brace, the blocks of OpenAPI
 * in Markdown, else YAML. Of a folder all descriptions are one; one without a description is a folder of JSON schemas.
 *
 * @throws UsageError that says where the file breaks
 */
export async function readDescription(name: string, io: Io): Promise<unknown> {
  const isFolder = name !== '-' && (await stat(resolve(io.cwd, name)).catch(() => undefined))?.isDirectory() === true;
  return isFolder ? readFolder(name, io) : readOne(name, await textIn(name, io));
}

async function readOne(name: string, text: string): Promise<unknown> {
  if (/^\uFEFF?\s*\{/.test(text) || name.endsWith('.json')) return jsonIn(text.replace(/^\uFEFF/, ''), name);
  if (!/\.(?:md|mdx|markdown)$/.test(name)) return readYaml(name, text);
  const blocks = await Promise.all(blocksOf(text).map((block) => readBlock(name, block)));
  const found = blocks.filter(isRecord).filter((each) => 'openapi' in each);
  if (found.length === 0) throw new UsageError(`${name} has no block of code that is an OpenAPI description.`);
  return merged(found);
}

async function readYaml(name: string, text: string): Promise<unknown> {
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

/** A page shows examples and commands besides: a block that does not read as a description is none. */
async function readBlock(name: string, block: string): Promise<unknown> {
  if (!block.includes('openapi')) return undefined;
  return readOne(block.trimStart().startsWith('{') ? '-' : 'block.yaml', block).catch((error: unknown) => {
    throw new UsageError(`${name}: a block of code ${error instanceof Error ? error.message : ''}`);
  });
}

/** The texts between fences of three or more backticks or tildes (CommonMark 0.31, 4.5), without the indent of the fence. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence = '';
  let indent = 0;
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, space = '', mark = ''] = /^( *)(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '' && mark !== '') {
      fence = mark;
      indent = space.length;
      lines = [];
    } else if (fence !== '' && mark.startsWith(fence) && line.trim() === mark) {
      blocks.push(lines.join('\n'));
      fence = '';
    } else lines.push(line.startsWith(' '.repeat(indent)) ? line.slice(indent) : line);
  }
  return blocks;
}

const READ = /\.(?:json|ya?ml|md|mdx|markdown)$/;

async function readFolder(name: string, io: Io): Promise<unknown> {
  const all = await readdir(resolve(io.cwd, name), { recursive: true });
  const files = all.filter((each) => READ.test(each)).toSorted();
  const read = await Promise.all(
    files.map(async (file) => {
      const text = await readText(join(name, file), io.cwd);
      const isPage = /\.(?:md|mdx|markdown)$/.test(file);
      // Pages without a description stand beside those with one.
      const value = await readOne(join(name, file), text).catch((error: unknown) => {
        if (isPage) return undefined;
        throw error;
      });
      return { file, value };
    }),
  );
  const values = read.flatMap(({ file, value }) => (isRecord(value) ? [{ file, value }] : []));
  const descriptions = values.filter(({ value }) => 'openapi' in value).map(({ value }) => value);
  if (descriptions.length > 0) return merged(descriptions);
  const schemas = values.filter(({ file }) => file.endsWith('.json'));
  if (schemas.length === 0) throw new UsageError(`${name} holds neither an OpenAPI description nor JSON schemas.`);
  return schemasAsDescription(basename(resolve(io.cwd, name)), schemas);
}

/** Descriptions as one, which each page of a provider's documentation has a part of. Of what two say the first counts. */
function merged(descriptions: readonly Given[]): Given {
  return descriptions.reduce((one, other) => both(one, other));
}

function both(one: Given, other: Given): Given {
  const shared = Object.entries(other).map(([name, value]) => {
    const own = one[name];
    return [name, isRecord(own) && isRecord(value) ? both(own, value) : (own ?? value)] as const;
  });
  return { ...one, ...Object.fromEntries(shared) };
}
