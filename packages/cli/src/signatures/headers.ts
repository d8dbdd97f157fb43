import { UsageError } from '../commands/command.ts';

/** Reads headers: JSON, or lines of "name: value" as servers and proxies log them. @returns the value of a name in lower case, empty where it is missing */
export function headersIn(text: string, needed: readonly string[]): (name: string) => string {
  const found = new Map<string, string>();
  for (const [name, value] of text.trim().startsWith('{') ? jsonPairs(text) : linePairs(text))
    found.set(name.toLowerCase(), value);
  const header = (name: string) => found.get(name) ?? '';
  const missing = needed.filter((name) => header(name) === '');
  if (missing.length > 0)
    throw new UsageError(`The headers have no ${missing.join(', ')}. Look for a proxy that removes them.`);
  return header;
}

function jsonPairs(text: string): (readonly [string, string])[] {
  try {
    const read: unknown = JSON.parse(text);
    return Object.entries(read ?? {}).map(([name, value]: [string, unknown]) => [name, String(value)]);
  } catch {
    throw new UsageError('The headers begin like JSON and are none.');
  }
}

function linePairs(text: string): (readonly [string, string])[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });
}
