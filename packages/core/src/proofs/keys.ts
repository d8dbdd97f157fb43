declare const atob: (text: string) => string;

/**
 * A key that the provider gives in Base64, in either alphabet, with or without padding; a text that is none gives an empty key, which proves
 * nothing.
 */
export function base64Key(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** A key that the provider gives in hexadecimal, in either case; a text that is none gives an empty key, which proves nothing. */
export function hexKey(text: string): Uint8Array {
  if (!/^[\da-f]*$/i.test(text) || text.length % 2 !== 0) return new Uint8Array();
  return Uint8Array.from({ length: text.length / 2 }, (_none, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  );
}
