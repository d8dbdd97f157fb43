/** Whether the text is the code of an Indian branch: four letters, a zero, six letters or digits, all in capitals. @example isIfsc('HDFC0000001') // true */
export function isIfsc(text: string): boolean {
  return /^[A-Z]{4}0[0-9A-Z]{6}$/.test(text);
}
