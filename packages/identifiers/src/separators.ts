/** Takes out the marks people write between the groups: white space, full stops, slashes and dashes of any length. */
export function withoutSeparators(text: string): string {
  return text.replace(/[\s./\u2010-\u2015\u2212-]/g, '');
}
