/**
 * Whether the text has the form of an e-mail address that a Pix key can be: an unquoted ASCII local part and a domain of at
 * least two labels. Split by hand instead of one pattern, so that the time stays linear in the length.
 */
export function hasEmailFormat(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1) return false;
  const labels = text.slice(at + 1).split('.');
  return text.slice(0, at).split('.').every(isAtom) && labels.length >= 2 && labels.every(isDomainLabel);
}

/** Whether the text is a host name of at least two labels: letters, digits and inner hyphens. */
export function hasHostFormat(text: string): boolean {
  const labels = text.split('.');
  return labels.length >= 2 && labels.every(isDomainLabel);
}

function isAtom(text: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/.test(text);
}

function isDomainLabel(text: string): boolean {
  return text.length <= 63 && /^[A-Za-z0-9-]+$/.test(text) && !text.startsWith('-') && !text.endsWith('-');
}
