/** One row of a Markdown table. */
export const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`;

/** A Markdown table; nothing where there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [tableRow(head), `|${head.map(() => '---|').join('')}`, ...rows.map(tableRow)];
}
