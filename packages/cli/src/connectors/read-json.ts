import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../commands/command.ts';
import type { Io } from '../output/io.ts';

/**
 * Reads a JSON file, or standard input for `-`.
 *
 * @throws UsageError that says where the JSON is broken, without quoting it: it may hold a secret
 */
export async function readJson(name: string, io: Io): Promise<unknown> {
  return jsonIn(await textIn(name, io), name);
}

/** The text of a file, or of standard input for `-`. @throws UsageError where the file cannot be read */
export async function textIn(name: string, io: Io): Promise<string> {
  return name === '-' ? io.readInput() : readText(name, io.cwd);
}

/** @throws UsageError as `readJson` */
export function jsonIn(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    const before = text.slice(0, breakOf(text, error)).split('\n');
    const place = `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new UsageError(`${name === '-' ? 'Standard input' : name} is no JSON: it breaks ${place}.`);
  }
}

/** Where a text stops being JSON. For some mistakes the engine names it; for a wrong character it quotes the text around it. */
function breakOf(text: string, error: unknown): number {
  const told = /position (\d+)/.exec(messageOf(error))?.[1];
  if (told !== undefined) return Number(told);
  if (!isWrongCharacter(text)) return text.length;
  // A beginning of the text either ends too early or has the wrong character already: the border between the two is looked for.
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isWrongCharacter(text.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return bad - 1;
}

function isWrongCharacter(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return messageOf(error).startsWith('Unexpected token');
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** @throws UsageError where the file cannot be read */
export async function readText(name: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, name), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new UsageError(code === 'ENOENT' ? `There is no file ${name}.` : `${name} cannot be read (${code}).`);
  }
}
