/**
 * Whether the text has the form of a UPI address: letters, digits, full stops, dashes and underscores, an `@`, and the handle of a bank or app, which has
 * no full stop unless it is one of NPCI's own. Handles are not looked up, and no source states a length.
 *
 * @example isUpiAddress('9800011111@ybl') // true
 */
export function isUpiAddress(text: string): boolean {
  return /^[\w.-]+@[0-9A-Za-z]+(?:(?:\.ifsc)?\.npci)?$/.test(text);
}
