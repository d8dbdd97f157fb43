import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';

/** The characters of the fonts that every viewer has. */
const STANDARD = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** Scripts that are written from left to right, unjoined: the library orders and joins no letters, and places no marks. */
const SIMPLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u;
const HARD = /[\p{C}\p{M}]/u;

/** As wide as Helvetica, so that a ticket looks the same with either. */
const EMBEDDED = {
  regular: { name: 'Arimo', at: import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf') },
  bold: { name: 'Arimo-Bold', at: import.meta.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf') },
} as const;

export type Weight = keyof typeof EMBEDDED;

const standardName = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const;

interface Embedded {
  readonly name: string;
  readonly bytes: Buffer;
  readonly characters: ReadonlySet<number>;
}

const read = new Map<Weight, Embedded>();

/** Read with the first text that needs it, and kept: it does not change. */
function embedded(weight: Weight): Embedded {
  const known = read.get(weight);
  if (known !== undefined) return known;
  const { name, at } = EMBEDDED[weight];
  const bytes = readFileSync(fileURLToPath(at));
  const font = create(bytes);
  if (!('characterSet' in font)) throw new Error(`${at} holds more than one font.`);
  const found = { name, bytes, characters: new Set(font.characterSet) };
  read.set(weight, found);
  return found;
}

/** A text as it is printed: letters in one piece, spaces that are spaces, and nothing without ink. */
export const printed = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ');

/** The font that has every letter of a text; its bytes, where they are to be embedded. */
export function fontFor(text: string, weight: Weight): { readonly name: string; readonly bytes?: Buffer } | undefined {
  if (STANDARD.test(text)) return { name: standardName[weight] };
  if (!SIMPLE.test(text) || HARD.test(text)) return undefined;
  const { name, bytes, characters } = embedded(weight);
  return [...text].every((letter) => characters.has(letter.codePointAt(0) ?? 0)) ? { name, bytes } : undefined;
}
