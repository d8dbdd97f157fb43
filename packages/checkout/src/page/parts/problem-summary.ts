import type { PayerText } from '@railyard/core';
import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { PageField } from '../model.ts';
import { labelIn, messageIn, problemIn } from '../texts/index.ts';
import type { Page } from '../view.ts';
import { fieldId } from './field.ts';

/** The entries to correct, each with a link to its field. A script moves the focus here, or to the only field. */
export function problemSummary(page: Page, fields: readonly PageField[], general?: PayerText): Markup | '' {
  const wrong = fields.filter((field) => field.problem !== undefined);
  if (wrong.length === 0 && general === undefined) return '';
  return html`<div class="summary" role="group" aria-labelledby="problems" tabindex="-1" data-summary>
    <h2 id="problems">${page.texts.problemTitle}</h2>
    ${general === undefined ? '' : html`<p><bdi>${messageIn(page, general)}</bdi></p>`}
    ${
      wrong.length === 0
        ? ''
        : html`<ul>
            ${wrong.map(
              (field) =>
                html`<li>
                  <a href="#${fieldId(field)}"
                    ><bdi>${labelIn(page, field)}</bdi>: <bdi>${problemIn(page, field)}</bdi></a
                  >
                </li>`,
            )}
          </ul>`
    }
  </div>`;
}
