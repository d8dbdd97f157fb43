/** A page of the site before links are rewritten. */
export interface Page {
  /** Where it stands in the site: `connectors/pix-instant.md`. */
  readonly path: string;
  /** Where it stands in the repository, unless it is generated; links in it are relative to that. */
  readonly source?: string;
  readonly text: string;
}

/** Its first heading. */
export const titleOf = ({ path, text }: Page): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path;
