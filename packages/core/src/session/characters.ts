const tab = 0x09;
const lineFeed = 0x0a;

/** Half of a surrogate pair: it has no UTF-8, so three different texts would share one signature. */
const loneSurrogate = /\p{Surrogate}/u;

const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Length as the protocol counts it: an emoji is one character. */
export function codePoints(text: string): number {
  return text.length - (text.match(surrogatePair)?.length ?? 0);
}

/** Whether a text has more characters than `most`. A character has one or two code units, so only near the limit are they counted. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && codePoints(text) > most);
}

/** Whether a text can be stored, signed and shown faithfully. Free text may hold tabs and line feeds. */
export function isCleanText(text: string, allow: 'one-line' | 'free' = 'one-line'): boolean {
  let hasSurrogate = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && !(allow === 'free' && (code === tab || code === lineFeed))) return false;
    if (code >= 0xd800 && code <= 0xdfff) hasSurrogate = true;
  }
  return !(hasSurrogate && loneSurrogate.test(text));
}
