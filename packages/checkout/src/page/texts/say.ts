import { IntlMessageFormat } from 'intl-messageformat';

/** A message with its values in their places. Messages and values are texts, never HTML. */
export type Say = (message: string, values: Readonly<Record<string, string | number>>) => string;

/** @param language a BCP 47 tag, for plurals and numbers */
export function sayIn(language: string): Say {
  const read = new Map<string, IntlMessageFormat>();
  return (message, values) => {
    const format = read.get(message) ?? new IntlMessageFormat(message, language, undefined, { ignoreTag: true });
    read.set(message, format);
    return String(format.format(values));
  };
}
