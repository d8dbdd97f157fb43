import type { DefaultTheme } from 'vitepress';
import { type Page, titleOf } from './page.ts';

/** What a reader came for, in order; a page that no group names is an offence, so that none is lost. */
const GROUPS: readonly (readonly [title: string, is: (path: string) => boolean])[] = [
  ['Start', (path) => /^(index|start-.*)\.md$/.test(path)],
  [
    'For merchants',
    (path) => /^(validate|callbacks|charges|server-to-server|errors)\.md$|^packages\/client\.md$/.test(path),
  ],
  [
    'Run the service',
    (path) => /^(configuration|server|storage|operating|cards|reliability|benchmarks)\.md$/.test(path),
  ],
  ['States', (path) => path === 'states.md'],
  ['Write a connector', (path) => /^(write-a-connector|contract|simulation|cli|publishing|examples)\.md$/.test(path)],
  ['Connectors', (path) => path === 'capabilities.md' || path.startsWith('connectors/')],
  ['Reference', (path) => path.startsWith('reference/')],
  ['Packages', (path) => path.startsWith('packages/')],
  ['Decisions', (path) => path.startsWith('decisions/')],
];

/** The sidebar. */
export function sidebar(pages: readonly Page[]): DefaultTheme.SidebarItem[] {
  const groupOf = new Map(pages.map((page) => [page, GROUPS.find(([, is]) => is(page.path))?.[0]]));
  const lost = pages.filter((page) => groupOf.get(page) === undefined).map(({ path }) => path);
  if (lost.length > 0) throw new Error(`No group of the sidebar names ${lost.join(', ')}.`);
  return GROUPS.map(([title], index) => ({
    text: title,
    collapsed: index > 4,
    items: pages
      .filter((page) => groupOf.get(page) === title)
      .map((page) => ({ text: titleOf(page), link: `/${page.path.replace(/\.md$/, '')}` })),
  }));
}
