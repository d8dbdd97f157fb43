/**
 * A text with its generated parts made anew. A part stands between `<!-- name -->` and `<!-- /name -->`, each on a line of its own.
 *
 * @throws Error for a part whose marks are not in the text
 * @example withGenerated(readme, { parameters: parameterTables({ methods: [pix] }) })
 */
export function withGenerated(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((made, [name, part]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [made.indexOf(start), made.indexOf(end)];
    if (from < 0 || to < from)
      throw new Error(`Found no part "${name}". Put the lines ${start} and ${end} where it belongs.`);
    return `${made.slice(0, from + start.length)}\n\n${part.trim()}\n\n${made.slice(to)}`;
  }, text);
}
