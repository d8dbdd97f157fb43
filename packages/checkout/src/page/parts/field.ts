import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { PageField } from '../model.ts';
import { hintIn, labelIn, problemIn } from '../texts/index.ts';
import type { Page } from '../view.ts';
import { autocompleteOf } from './autocomplete.ts';
import { choicesFor } from './choices.ts';

/** How an input kind is typed in: type of the element and keyboard of a phone. */
const INPUTS: ReadonlyMap<string, { readonly type: string; readonly mode: string }> = new Map([
  ['text', { type: 'text', mode: 'text' }],
  ['digits', { type: 'text', mode: 'numeric' }],
  ['code', { type: 'text', mode: 'numeric' }],
  ['email', { type: 'email', mode: 'email' }],
  ['tel', { type: 'tel', mode: 'tel' }],
  ['amount', { type: 'text', mode: 'decimal' }],
]);
const TEXT = { type: 'text', mode: 'text' };

export const fieldId = (field: PageField): string => `field-${field.name}`;

/** One labelled input with its hint and, where the entry was refused, why. */
export function fieldOf(page: Page, field: PageField): Markup {
  const { texts } = page;
  const id = fieldId(field);
  const label = html`<bdi>${labelIn(page, field)}</bdi>${
      field.required ? '' : html` <span class="optional">(${texts.optional})</span>`
    }`;
  const hint = hintIn(page, field);
  const help = hint === undefined ? '' : html`<p class="help" id="${id}-help"><bdi>${hint}</bdi></p>`;
  const { problem } = field;
  const note = html`<p class="problem" id="${id}-problem" data-problem${problem === undefined ? html` hidden` : ''}>
    <bdi>${problem === undefined ? '' : problemIn(page, field)}</bdi>
  </p>`;
  if (field.input === 'checkbox') {
    return html`<div class="field check">
      <input type="checkbox" value="true" ${field.value === 'true' ? html` checked` : ''}${attributes(field)} /><label
        for="${id}"
        >${label}</label
      >${help}${note}
    </div>`;
  }
  return html`<div class="field"><label for="${id}">${label}</label>${help}${control(page, field)}${note}</div>`;
}

function control(page: Page, field: PageField): Markup {
  const { value = '' } = field;
  const choices = choicesFor(page, field);
  if (choices !== undefined)
    return html`<select${attributes(field)}><option value="">${page.texts.chooseOne}</option>${choices}</select>`;
  if (field.input === 'date') return html`<input type="date" value="${value}" ${attributes(field)} />`;
  const { type: plainType, mode } = INPUTS.get(field.input) ?? TEXT;
  const type = field.secret === true ? 'password' : plainType;
  const plain = mode === 'text' ? '' : html` autocapitalize="none" spellcheck="false"`;
  return html`<input type="${type}" inputmode="${mode}" value="${value}" ${plain}${attributes(field)} />`;
}

function attributes(field: PageField): Markup {
  const id = fieldId(field);
  const described = [field.help !== undefined && `${id}-help`, field.problem !== undefined && `${id}-problem`]
    .filter((part) => part !== false)
    .join(' ');
  return html` id="${id}" name="${field.name}"
  autocomplete="${autocompleteOf(field)}"${
    field.required ? html` required` : ''
  }${described === '' ? '' : html` aria-describedby="${described}"`}${
    field.problem === undefined ? '' : html` aria-invalid="true"`
  }`;
}
