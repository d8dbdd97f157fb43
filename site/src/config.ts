import { defineConfig } from 'vitepress';
import { stateDiagrams } from './diagrams.ts';
import { sidebar } from './navigation.ts';
import { readStaged, STAGED } from './staged-pages.ts';

const draw = await stateDiagrams();

/** The documentation generator's configuration: local search, dark mode, no external address. */
export const config = defineConfig({
  lang: 'en',
  title: 'Railyard',
  description: 'Connect a merchant’s checkout to payment providers.',
  srcDir: STAGED,
  cleanUrls: false,
  ignoreDeadLinks: false,
  markdown: {
    config(markdown) {
      const usual = markdown.renderer.rules.fence;
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index];
        if (token?.info.trim() === 'mermaid') return draw(token.content);
        return usual === undefined ? '' : usual(tokens, index, ...rest);
      };
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Guide', link: '/' },
      { text: 'Connectors', link: '/capabilities' },
      { text: 'Errors', link: '/errors' },
      { text: 'Reference', link: '/reference/connector' },
    ],
    sidebar: sidebar(readStaged()),
  },
});
