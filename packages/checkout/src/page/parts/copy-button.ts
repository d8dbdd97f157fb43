import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { Page } from '../view.ts';

/** Copies a text byte for byte and says so aloud. Without scripts it is not shown: the text beside it can be selected. */
export function copyButton(
  page: Page,
  of: { readonly text: string; readonly label: string; readonly spoken?: string; readonly primary?: boolean },
): Markup {
  const { texts } = page;
  return html`<button
    type="button"
    class="button needs-script ${of.primary === true ? 'primary' : 'small'}"
    data-copy="${of.text}"
    data-copied="${texts.copied}"
    ${of.spoken === undefined ? '' : html` aria-label="${of.spoken}"`}
  >
    ${of.label}
  </button>`;
}
