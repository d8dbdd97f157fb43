/**
 * Control characters, and half of a surrogate pair: it has no UTF-8, so three different texts would share one signature. Free text may hold
 * tabs and line feeds.
 */
const unclean = { 'one-line': /[^ -\ud7ff\ue000-\u{10ffff}]/u, free: /[^\t\n -\ud7ff\ue000-\u{10ffff}]/u };

const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Length as the protocol counts it: an emoji is one character. */
export function codePoints(text: string): number {
  return text.length - (text.match(surrogatePair)?.length ?? 0);
}

/** Whether a text has more characters than `most`. A character has one or two code units, so only near the limit are they counted. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && codePoints(text) > most);
}

/** Whether a text can be stored, signed and shown faithfully. */
export function isCleanText(text: string, allow: keyof typeof unclean = 'one-line'): boolean {
  return !unclean[allow].test(text);
}

/** Embeddings, overrides and isolates (UAX #9): they turn the signs behind them. The marks of direction stay: Hebrew and Arabic are written with them. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text as people and providers are given it. A line break or a tab, with the blanks behind it, is one blank: systems write descriptions in several
 * lines. Signs that turn the direction are left out, because an amount within the text could be read from its end.
 */
export const inOneLine = (text: string): string => text.replace(turns, '').replace(/[\t\n\r]\s*/g, ' ');
