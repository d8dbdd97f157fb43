import { html } from 'hono/html';
import type { PageState } from '../model.ts';
import { cardInputs, otherCards } from '../parts/card-inputs.ts';
import { fieldOf } from '../parts/field.ts';
import { form, submit } from '../parts/form.ts';
import { methodList } from '../parts/methods.ts';
import { problemSummary } from '../parts/problem-summary.ts';
import { buttonText, type Page, type View } from '../view.ts';

export function ask(page: Page, { method, fields, card, others }: Extract<PageState, { kind: 'ask' }>): View {
  const { texts, wording } = page;
  const title = wording.withMethod(method.title);
  const drawn = card === undefined ? fields.map((field) => fieldOf(page, field)) : cardInputs(page, card, fields);
  const inputs = html`<input type="hidden" name="method" value="${method.key}" />${drawn}${submit(
      page,
      buttonText(page),
    )}`;
  return {
    title,
    scripts: card === undefined ? ['forms'] : ['card', 'forms'],
    refused: fields.some((field) => field.problem !== undefined),
    body: html`<h1><bdi>${title}</bdi></h1>
      ${problemSummary(page, fields)}${form(page, 'pay', inputs)}
      ${card === undefined || card.others.length === 0 ? '' : otherCards(page, method, card.others)}
      ${
        others.length === 0
          ? ''
          : html`<h2 class="other">${texts.changeMethod}</h2>
              ${methodList(page, others)}`
      }`,
  };
}
