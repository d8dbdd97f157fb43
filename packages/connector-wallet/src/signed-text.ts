import { readPath } from '@railyard/core';

/** A pair of a list that is signed with the fields around it. */
interface Pair {
  readonly Key: string;
  readonly Value: string;
}

/** Fields as they are signed: decimals already without zeros at their end. */
export type SignedFields = Readonly<Record<string, string | number | readonly Pair[]>>;

/** The text of fields that a partner or the provider signs: sorted by name in any case, `Key=value` joined by `&` (methods-facts.md, 13). */
export function signedText(fields: SignedFields): string {
  return Object.entries(fields)
    .map(([name, value]) => [name.toLowerCase(), `${name}=${textOf(value)}`] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, line]) => line)
    .join('&');
}

/** The names within a pair are repeated, as the fields around it are. */
function textOf(value: SignedFields[string]): string {
  if (typeof value !== 'object') return String(value);
  return value.map(({ Key, Value }) => `Key=${Key}&Value=${Value}`).join('&');
}

/** The fields of a notification that its signature covers; each is there, perhaps empty. */
const NOTIFIED = ['TransactionId', 'Amount', 'CurrencyId', 'Status'] as const;

/** The text that a notification's signature covers. @param body as it is read from JSON */
export function notifiedText(body: unknown): string {
  const fields = NOTIFIED.map((name) => [name, plain(name, readPath(body, name))] as const);
  return signedText({ ...Object.fromEntries(fields), Parameters: pairsOf(readPath(body, 'Parameters')) });
}

const plain = (name: string, value: unknown): string => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return name === 'Amount' ? withoutZeros(text) : text;
};

function withoutZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

function pairsOf(value: unknown): readonly Pair[] {
  if (!Array.isArray(value)) return [];
  return value.map((pair: unknown) => ({
    Key: plain('Key', readPath(pair, 'Key')),
    Value: plain('Value', readPath(pair, 'Value')),
  }));
}
