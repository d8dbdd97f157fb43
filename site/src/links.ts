import { posix } from 'node:path';

/** A page of the built site. */
export interface Html {
  /** `connectors/pix-instant.html` */
  readonly path: string;
  readonly text: string;
}

/** Links of the site's own pages that lead nowhere: to no file, or to no heading of it. */
export function deadLinks(pages: readonly Html[], files: ReadonlySet<string>): string[] {
  const ids = new Map(pages.map(({ path, text }) => [path, new Set(all(text, /\sid="([^"]+)"/g))]));
  return pages.flatMap(({ path, text }) =>
    all(text, /<a\b[^>]*\shref="([^"]+)"/g)
      .filter((href) => !/^(https?:|mailto:|data:)/.test(href))
      .filter((href) => !leads(href, path, files, ids))
      .map((href) => `${path}: ${href} leads nowhere`),
  );
}

/** Scripts, styles, pictures and fonts that pages load from elsewhere: a third party would learn of a reader's visit. */
export function foreignLoads(pages: readonly Html[]): string[] {
  return pages.flatMap(({ path, text }) =>
    all(text, /<(?:script|link|img|iframe)\b[^>]*\s(?:src|href)="((?:https?:)?\/\/[^"]+)"/g).map(
      (address) => `${path}: loads ${address}`,
    ),
  );
}

function leads(
  href: string,
  from: string,
  files: ReadonlySet<string>,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const [path = '', anchor = ''] = href.replaceAll('&amp;', '&').split('#');
  const joined = path === '' ? from : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path);
  const target = joined === '' || joined.endsWith('/') ? `${joined}index.html` : joined;
  if (!files.has(target)) return false;
  return anchor === '' || !ids.has(target) || ids.get(target)?.has(decodeURIComponent(anchor)) === true;
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
