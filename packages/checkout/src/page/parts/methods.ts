import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { PageMethod } from '../model.ts';
import { said, type Page } from '../view.ts';

/** Methods to choose from, as links to the page with `?method=<key>`: choosing begins no payment. */
export function methodList(page: Page, methods: readonly PageMethod[]): Markup {
  return html`<ul class="methods">
    ${methods.map(
      ({ key, title }) =>
        html`<li>
          <a href="${page.model.base}?method=${encodeURIComponent(key)}"><bdi>${said(page, title)}</bdi></a>
        </li>`,
    )}
  </ul>`;
}
