import { posix } from 'node:path';
import { capabilityPage } from './generated/capabilities.ts';
import { connectorPages } from './generated/connectors.ts';
import { errorPage } from './generated/errors.ts';
import { methodPage } from './generated/methods.ts';
import { realAdapters, realProviderPage } from './generated/real-providers.ts';
import { referencePages } from './generated/reference.ts';
import type { Page } from './page.ts';
import { connectors, exists, markdownIn, packageFolders, read, simulations } from './repository.ts';

/** Every page of the site: what people wrote in the repository, and what is written from the packages. */
export async function allPages(): Promise<Page[]> {
  const found = await connectors();
  const real = realProviderPage(realAdapters(found, await simulations()));
  const tables = [methodPage(found), capabilityPage(found), real];
  return [...writtenPages(), ...connectorPages(found), ...tables, errorPage(), ...referencePages()];
}

export function writtenPages(): Page[] {
  const at = (source: string, path: string): Page => ({ path, source, text: read(source) });
  return [
    at('site/pages/index.md', 'index.md'),
    ...markdownIn('docs').map((source) => at(source, posix.basename(source))),
    ...markdownIn('docs/decisions').map((source) => at(source, `decisions/${posix.basename(source)}`)),
    ...packageFolders().map((name) => at(`packages/${name}/README.md`, `packages/${name}.md`)),
    ...['php', 'python'].map((name) => at(`clients/${name}/README.md`, `clients/${name}.md`)),
    at('packages/core/CONTRACT.md', 'contract-on-one-page.md'),
    at('examples/README.md', 'examples.md'),
    at('CONTRIBUTING.md', 'contributing.md'),
    at('SECURITY.md', 'security.md'),
  ];
}

/** Pages as the generator reads them: without the marks of generated parts, every link leading to where its page stands now. */
export function staged(pages: readonly Page[]): Page[] {
  const moved = new Map(pages.flatMap(({ source, path }) => (source === undefined ? [] : [[source, path] as const])));
  return pages.map((page) => ({ ...page, text: outsideCode(page.text, (text) => relinked(text, page, moved)) }));
}

/** Changes what stands outside of fenced blocks. */
export function outsideCode(text: string, change: (text: string) => string): string {
  return text
    .split(/^(```[^]*?^```)$/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

const LINK = /\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

function relinked(text: string, { source, path }: Page, moved: ReadonlyMap<string, string>): string {
  const plain = text.replaceAll(/<!--[^]*?-->\n?/g, '');
  if (source === undefined) return plain;
  return plain.replaceAll(LINK, (whole, words: string, target: string, anchor = '') => {
    const file = posix.join(posix.dirname(source), target);
    const goal = moved.get(file);
    if (goal !== undefined) return `[${words}](${posix.relative(posix.dirname(path), goal)}${anchor})`;
    // A file of the repository that is no page keeps its name; a link to nothing stays, and the check of links finds it.
    return exists(file) ? words : whole;
  });
}
