import type { DefaultTheme } from 'vitepress';
import { type Page, titleOf } from './page.ts';

/** The reader's tasks, in order. A name stands for its page, a folder for all that is in it. */
const GROUPS: readonly (readonly [title: string, entries: readonly string[]])[] = [
  ['Start', ['index', 'first-payment', 'start-shop', 'start-service', 'start-connector', 'start-release']],
  [
    'For merchants',
    [
      'packages/client',
      'clients/php',
      'clients/python',
      'validate',
      'http-api',
      'callbacks',
      'charges',
      'start-hosted-fields',
      'hosted-fields',
      'framed-page',
      'accessibility',
      'server-to-server',
      'states',
      'errors',
    ],
  ],
  [
    'Run the service',
    [
      'configuration',
      'server',
      'storage',
      'operating',
      'cards',
      'wallets',
      'reliability',
      'benchmarks',
      'packages/checkout',
    ],
  ],
  [
    'Write a connector',
    [
      'write-a-connector',
      'contract',
      'connector-recipes',
      'contract-on-one-page',
      'simulation',
      'examples',
      'cli',
      'publishing',
    ],
  ],
  ['Connectors', ['methods', 'capabilities', 'real-providers', 'connectors/']],
  ['Reference', ['reference/']],
  ['Packages', ['packages/']],
  ['Project', ['contributing', 'security', 'decisions/']],
];

const OPEN_GROUPS = 4;

/** The sidebar. A page that no group names yet stands in the last one, so that none is lost. */
export function sidebar(pages: readonly Page[]): DefaultTheme.SidebarItem[] {
  const left = new Map(pages.map((page) => [page.path.replace(/\.md$/, ''), page]));
  const groups = GROUPS.map(([text, entries], index) => ({
    text,
    collapsed: index >= OPEN_GROUPS,
    items: entries.flatMap((entry) => {
      const names = [...left.keys()].filter((name) => (entry.endsWith('/') ? name.startsWith(entry) : name === entry));
      return names.flatMap((name) => take(left, name));
    }),
  }));
  const more = [...left.keys()].flatMap((name) => take(left, name));
  return more.length === 0 ? groups : [...groups, { text: 'More', items: more }];
}

function take(left: Map<string, Page>, name: string): DefaultTheme.SidebarItem[] {
  const page = left.get(name);
  left.delete(name);
  return page === undefined ? [] : [{ text: titleOf(page), link: name === 'index' ? '/' : `/${name}` }];
}

const INTRODUCTION = `# Railyard

> A payment connector framework in TypeScript: a hosted checkout, its connectors, and the kit that checks them. Each page stands here as Markdown.
`;

/** The list of pages for language models (llmstxt.org): the groups of the sidebar, each page with its first sentence. */
export function llmsText(pages: readonly Page[]): string {
  const texts = new Map(pages.map(({ path, text }) => [`/${path.replace(/\.md$/, '')}`, text]));
  const groups = sidebar(pages).map(({ text: title, items = [] }) => {
    const lines = items.map(({ text, link = '' }) => {
      const path = link === '/' ? '/index' : link;
      const said = firstSentence(texts.get(path) ?? '');
      return `- [${text}](${path}.md)${said === '' ? '' : `: ${said}`}`;
    });
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `${[INTRODUCTION, ...groups].join('\n')}\n`.replaceAll(/\n(?=## )/g, '\n\n').replaceAll(/\n{3,}/g, '\n\n');
}

/** The first sentence that is no heading, table, list or code, without its links. */
function firstSentence(text: string): string {
  const line = text.split('\n').find((each) => /^[A-Z`].*\.(?:\s|$)/.test(each)) ?? '';
  return /^.*?[.!?](?=\s|$)/.exec(line.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))?.[0] ?? '';
}
