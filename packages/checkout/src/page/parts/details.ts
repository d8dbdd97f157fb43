import { html } from 'hono/html';
import type { Detail } from '@railyard/core/driver';
import type { Markup } from '../markup.ts';
import { said, type Page } from '../view.ts';
import { copyButton } from './copy-button.ts';

/** A detail as the page shows it. `unit` stands behind the value, and is not copied with it; `shown` is the value as the payer writes it. */
type ShownDetail = Detail & { readonly unit?: string; readonly shown?: string };

/** Labels and values, some of them to copy. */
export function detailList(page: Page, details: readonly ShownDetail[]): Markup {
  const { texts } = page;
  return html`<dl class="details">
    ${details.map(({ label, value, unit, shown = value, copy }) => {
      const name = said(page, label);
      return html`<div>
        <dt><bdi>${name}</bdi></dt>
        <dd>
          <bdi>${unit === undefined ? shown : `${shown} ${unit}`}</bdi>${
            copy === true ? copyButton(page, { text: value, label: texts.copy, spoken: texts.copyValue(name) }) : ''
          }
        </dd>
      </div>`;
    })}
  </dl>`;
}
