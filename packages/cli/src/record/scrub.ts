import { isCardNumber } from '@railyard/identifiers/card-number';

/** Something that was replaced, and where it stood. */
export interface Scrubbed {
  readonly place: string;
  readonly what: string;
}

/** Shorter texts are found within others by chance. */
const SHORTEST = 4;

/** Names under which secrets stand; a key against repeats is none. */
const SECRET_NAME =
  /(?<!idempotency[-_ ])(secret|token|passw|authori[sz]ation|api[-_]?key|signature|cookie|credential|private[-_]?key|otp)/i;
const CODE_NAME = /^(cvv2?|cvc2?|cid|security[-_]?code|card[-_]?code)$/i;

const CARD = /(?<![\d.])[2-6](?:[ -]?\d){12,18}(?![\d.])/g;
const TEST_CARD = '4111111111111111';
const TEST_CODE = '123';
const MASK = '•••';

const PATTERNS: readonly (readonly [RegExp, string, string])[] = [
  [/-----BEGIN [^-]+-----[\s\S]+?-----END [^-]+-----/g, MASK, 'a key or certificate'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, MASK, 'a token (JWT)'],
  [/\b(Bearer|Basic) (?!\{)[\w.~+/=-]+/g, `$1 ${MASK}`, 'a credential'],
];

/**
 * Takes out of recorded data what must not be kept: known texts become their places (`{settings.api_key}`), card numbers a test card,
 * codes and tokens a mask. A replacement is reported without its value.
 *
 * @param known text → what stands in its place; the longest is looked for first
 */
export function scrubber(known: ReadonlyMap<string, string>) {
  const scrubbed: Scrubbed[] = [];
  /** Values whose place showed that they are secret: they may stand in other texts too. */
  const found = new Map<string, string>();
  const texts = [...known]
    .filter(([text]) => text.length >= SHORTEST)
    .toSorted(([one], [other]) => other.length - one.length);
  const tell = (place: string, what: string) => void scrubbed.push({ place, what });

  const withoutKnown = (value: string, place: string) =>
    texts.reduce((clean, [text, name]) => {
      if (!clean.includes(text)) return clean;
      if (name.startsWith('{settings.')) tell(place, name.slice(1, -1));
      return clean.replaceAll(text, name);
    }, value);

  const withoutPatterns = (value: string, place: string) => {
    let clean = value.replace(CARD, (digits) => {
      const bare = digits.replace(/\D/g, '');
      if (!isCardNumber(bare) || bare === TEST_CARD) return digits;
      tell(place, 'a card number');
      found.set(bare, TEST_CARD);
      return TEST_CARD;
    });
    for (const [pattern, mask, what] of PATTERNS) {
      const masked = clean.replace(pattern, mask);
      if (masked !== clean) tell(place, what);
      clean = masked;
    }
    return clean;
  };

  /** A secret that a provider or a connector wrote in another form: as a credential, a digest's input, a part of an address. */
  const withoutForms = (value: string, place: string, secrets: Iterable<readonly [string, string]>): string => {
    let clean = value;
    for (const [text, what] of secrets)
      for (const form of formsOf(text)) {
        if (!clean.includes(form)) continue;
        clean = clean.replaceAll(form, MASK);
        tell(place, what);
      }
    return clean;
  };
  const settings = texts
    .filter(([, name]) => name.startsWith('{settings.'))
    .map(([text, name]) => [text, `${name.slice(1, -1)}, encoded`] as const);

  const scrubText = (value: string, place: string): string => {
    const clean = withoutForms(withoutPatterns(withoutKnown(value, place), place), place, settings);
    const name = place.split('.').at(-1) ?? '';
    const isPlace = /\{[\w.]+\}|•••/.test(clean);
    if (CODE_NAME.test(name) && clean !== '') {
      tell(place, 'a security code');
      found.set(value, TEST_CODE);
      return TEST_CODE;
    }
    if (!SECRET_NAME.test(name) || isPlace || clean === '') return clean;
    tell(place, 'a secret, by its name');
    found.set(value, MASK);
    return MASK;
  };

  const scrub = (value: unknown, place: string): unknown => {
    if (typeof value === 'string') return scrubText(value, place);
    if (typeof value === 'number') {
      const text = scrubText(String(value), place);
      return text === String(value) ? value : text;
    }
    if (Array.isArray(value)) return value.map((each, index) => scrub(each, `${place}.${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]: [string, unknown]) => [name, scrub(each, `${place}.${name}`)]),
    );
  };
  /** After one pass over everything: removes values found in one place from all other places. */
  const again = (value: unknown, place = ''): unknown => {
    if (typeof value === 'string') {
      const plain = [...found].reduce((clean, [text, mask]) => {
        const without = clean.replace(wordOf(text), () => mask);
        if (without !== clean && without !== mask) tell(place, 'a secret that also stands elsewhere');
        return without;
      }, value);
      return withoutForms(
        plain,
        place,
        [...found.keys()].map((text) => [text, 'a secret that also stands elsewhere, encoded'] as const),
      );
    }
    if (Array.isArray(value)) return value.map((each, index) => again(each, `${place}.${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]: [string, unknown]) => [
        name,
        again(each, place === '' ? name : `${place}.${name}`),
      ]),
    );
  };
  return { scrub, scrubText, scrubbed, again };
}

/** Shorter forms are found within others by chance. */
const SHORTEST_FORM = 8;

/** The forms in which a text may be carried: in Base64 at each of its three alignments, in hexadecimal digits, and as a part of an address. */
function formsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // Signs that hold bits of what stands before or behind are another's.
    const sure = (encoded: string) => encoded.slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
    return [sure(whole.toString('base64')), sure(whole.toString('base64url'))];
  });
  const address = encodeURIComponent(text);
  const forms = [...inBase64, hex, hex.toUpperCase(), address, address.replaceAll('%20', '+')];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_FORM && form !== text);
}

/** A text as a word of its own: amounts, times and ids may hold the same digits as a code. */
const wordOf = (text: string) =>
  new RegExp(`(?<![\\w.,:])${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w|[.,]\\d)`, 'g');
