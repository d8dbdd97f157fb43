import { expect, test } from 'vitest';
import { deadLinks, foreignLoads } from '../src/links.ts';
import { staged } from '../src/stage.ts';

const built = (href: string) => [
  { path: 'index.html', text: `<h1 id="top">A</h1><a class="x" href="${href}">b</a>` },
  { path: 'docs/b.html', text: '<h2 id="part">B</h2>' },
];
const files = new Set(['index.html', 'docs/b.html', 'style.css']);

test.each([
  '#top',
  'docs/b.html',
  '/docs/b.html#part',
  './docs/b.html#part',
  'https://example.com/x',
  '/style.css',
  '/',
])('%s leads somewhere', (href) => {
  expect(deadLinks(built(href), files)).toEqual([]);
});

test.each(['docs/c.html', '#nowhere', '/docs/b.html#nowhere', '/docs/', 'docs/b'])('%s leads nowhere', (href) => {
  expect(deadLinks(built(href), files)).toEqual([`index.html: ${href} leads nowhere`]);
});

test('what a page loads from elsewhere is told, what it links to is not', () => {
  const text =
    '<a href="https://example.com">a</a><link rel="stylesheet" href="//cdn.example/x.css"><script src="/a.js"></script>';
  expect(foreignLoads([{ path: 'index.html', text }])).toEqual(['index.html: loads //cdn.example/x.css']);
});

test('links between files of the repository become links between pages; code stays as it is', () => {
  const text =
    '[a](../packages/core/README.md#x) [b](b.md) [c](https://example.com) [e](../LICENSE)\n\n```text\n[d](b.md)\n```\n';
  const pages = [
    { path: 'docs/a.md', source: 'docs/a.md', text },
    { path: 'docs/here/b.md', source: 'docs/b.md', text: '<!-- part -->\nB' },
    { path: 'packages/core.md', source: 'packages/core/README.md', text: '' },
  ];
  expect(staged(pages).map((page) => page.text)).toEqual([
    '[a](../packages/core.md#x) [b](here/b.md) [c](https://example.com) e\n\n```text\n[d](b.md)\n```\n',
    'B',
    '',
  ]);
});
