import { readFileSync } from 'node:fs';

/** The rules that the page's scripts and the server share, in the order in which they import each other. */
export const RULES = ['digits', 'latin', 'card-rules'] as const;

/** The script of a rule, as the browser gets it. The build copies the folder `browser` beside the bundle, so the same address works there and in the sources. */
export const ruleSource = (name: (typeof RULES)[number]): string =>
  readFileSync(new URL(`./browser/${name}.js`, import.meta.url), 'utf8');
