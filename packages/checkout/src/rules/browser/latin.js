// Names in basic Latin letters, which are all that the protocol has for them (customer.name).

/** Letters that are no basic Latin letter with a mark, Cyrillic (Serbian first, then Russian, Bulgarian and Ukrainian) and Greek, with their Latin spelling. */
const PAIRS =
  "ß ss æ ae œ oe ø o đ d ð d þ th ł l ħ h ı i ŋ n ŧ t ĸ k ə e ’ ' ‘ ' ʼ ' ` ' ´ ' ‐ - ‑ - – - " +
  'а a б b в v г g ґ g д d ђ dj е e є ie ж zh з z и i ј j к k л l љ lj м m н n њ nj о o п p р r с s т t ћ c у u ф f х kh ц ts ' +
  'ч ch џ dz ш sh щ shch ъ ie ы y ь i э e ю iu я ia ѕ dz і i ' +
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o';

/** @type {Map<string, string>} */
const LATIN = new Map();
const words = PAIRS.split(' ');
for (let at = 0; at < words.length; at += 2) LATIN.set(words[at] ?? '', words[at + 1] ?? '');

/** @param {string} letter */
function latinOf(letter) {
  const small = letter.toLowerCase();
  const found = LATIN.get(small);
  if (found === undefined) return letter;
  return small === letter ? found : found.charAt(0).toUpperCase() + found.slice(1);
}

/** A name in basic Latin letters, as far as its letters have some: `José Łukasz` is `Jose Lukasz`. @param {string} text */
export const plainLatin = (text) =>
  [...text.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFKC')].map(latinOf).join('');

/** Whether a name can be written so (protocol: customer.name). @param {string} text */
export const isPlainLatinName = (text) => /^[A-Za-z][A-Za-z .'-]*$/.test(plainLatin(text.trim()));
