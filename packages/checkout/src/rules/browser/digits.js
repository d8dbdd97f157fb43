// Digits as people write them: in their own script, or in the wide form of East Asian keyboards.

/** Digits of a script stand one behind the other, and each script's begin with its zero. @param {string} digit */
function valueOf(digit) {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** A text whose digits of any script are written as 0 to 9, without marks that only steer its direction. @param {string} text */
export const asciiDigits = (text) =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Nd}/gu, valueOf);
