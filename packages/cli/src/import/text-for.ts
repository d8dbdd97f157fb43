import { runInNewContext } from 'node:vm';
import * as z from 'zod';

/** Texts of the formats of OpenAPI; `FORMATS` of the kit takes each. */
const OF_FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  uuid: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  email: 'maria.silva@shop.example',
  uri: 'https://provider.example/resource',
  url: 'https://provider.example/resource',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

/** Texts that patterns of payments ask for: amounts, currencies, countries, a card's last month, a picture, and letters up to this length. */
const USUAL = ['10.00', '10', 'BRL', 'BR', '2030-12', 'https://provider.example/picture.png'];
const LONGEST = 64;
const REPEATED = Array.from({ length: LONGEST }, (_, at) =>
  ['1', '0', 'a', 'A'].map((each) => each.repeat(at + 1)),
).flat();

/** A pattern may take far too long. A usable pattern finishes in this time on the busiest machine. */
const MOST_MILLISECONDS = 5000;

export interface TextRules {
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/**
 * A text that keeps the rules, the name itself where there are none. Texts that are known are tried, none is made of the pattern.
 *
 * @returns nothing where none of them keeps the rules
 * @example textFor({ pattern: '^ch_\\d+$' }, 'id') // 'ch_1'
 */
export function textFor(
  { format = '', pattern, min = 0, max = Infinity }: TextRules,
  name: string,
): string | undefined {
  const known = OF_FORMATS[format];
  const fits = ({ length }: string) => length >= min && length <= max;
  if (pattern === undefined) {
    const text = known ?? name.padEnd(min, '-').slice(0, max);
    return fits(text) ? text : undefined;
  }
  // `^ch_[a-z]+$`: identifiers have a prefix.
  const prefix = /^\^(\w+_)/.exec(pattern)?.[1];
  const texts = [known ?? name, ...Object.values(OF_FORMATS), ...USUAL, ...REPEATED];
  const prefixed = prefix === undefined ? [] : REPEATED.map((each) => prefix + each);
  return firstMatch(pattern, [...prefixed, ...texts].filter(fits));
}

/** Whether a text keeps the rules; of a format that is known it has the form. */
export function isText({ format = '', pattern, min = 0, max = Infinity }: TextRules, text: string): boolean {
  const fits = text.length >= min && text.length <= max && (FORMS[format]?.(text) ?? true);
  return fits && (pattern === undefined || firstMatch(pattern, [text]) === text);
}

const isOf = (schema: z.ZodType) => (text: string) => schema.safeParse(text).success;
const FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isOf(z.iso.datetime({ offset: true })),
  date: isOf(z.iso.date()),
  uuid: isOf(z.guid()),
  email: isOf(z.email()),
  uri: isOf(z.url()),
  url: isOf(z.url()),
  ipv4: isOf(z.ipv4()),
  ipv6: isOf(z.ipv6()),
};

function firstMatch(pattern: string, texts: readonly string[]): string | undefined {
  try {
    const found: unknown = runInNewContext(
      'texts.find((text) => new RegExp(pattern).test(text))',
      { texts, pattern },
      { timeout: MOST_MILLISECONDS },
    );
    return typeof found === 'string' ? found : undefined;
  } catch {
    // A pattern that no engine reads, or that takes too long: a person writes the text.
    return undefined;
  }
}
