/** Text as a page shows it: outside of code a page takes what stands between angle brackets for a tag. */
export const escaped = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;').replaceAll('{{', '{ {') : part))
    .join('`');
