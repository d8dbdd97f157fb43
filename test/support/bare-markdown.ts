/** Without the padding and dashes that a formatter puts into tables. */
export const bare = (text: string) =>
  text
    .replace(/-{3,}/g, '---')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n/g, '\n')
    .trim();
