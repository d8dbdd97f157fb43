import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import { stylesheet } from '../page-assets.ts';

/** The head of every page. @param more further elements of this page, such as scripts */
export function head(title: string, more: Markup | '' = ''): Markup {
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex, nofollow" />
    <meta name="format-detection" content="telephone=no" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${stylesheet.path}" integrity="${stylesheet.integrity}" />
    ${more}
  </head>`;
}
