import { html, raw } from 'hono/html';
import { written, type Markup } from './markup.ts';
import type { CardForm, PageField, SavedCardChoice } from './model.ts';
import { fieldsStylesheet, script } from './page-assets.ts';
import { scriptTags } from './parts/layout.ts';
import { cardInputs, cardName } from './parts/forms.ts';
import { directionOf, labelIn, textsIn, type InLanguage } from './texts/index.ts';

/** The frames of hosted fields: the whole form in one, or one input in each. */
export const FRAMES = ['form', 'card', 'expiry', 'cvv'] as const;
export type Frame = (typeof FRAMES)[number];

export const isFrame = (name: string): name is Frame => FRAMES.some((each) => each === name);

/** The inputs that stand in a frame of their own. */
const INPUTS: Readonly<Record<Exclude<Frame, 'form'>, readonly string[]>> = {
  card: ['card.number', 'card.brand'],
  expiry: ['card.expiry'],
  cvv: ['card.cvv'],
};

/** The facts behind a frame with payment fields. */
export interface FieldsModel {
  readonly frame: Frame;
  readonly token: string;
  /** Origins whose pages may hold the frame. */
  readonly origins: readonly string[];
  readonly card: CardForm;
  readonly fields: readonly PageField[];
  /** Saved cards, with their networks. */
  readonly saved: readonly (SavedCardChoice & { readonly brand: string })[];
  readonly now: string;
}

/**
 * The document of a frame with payment fields. Nothing works without scripts: the page that holds it has one, too.
 *
 * @param options.nonce the same as in the frame's policy
 * @param options.language a tag from `chooseLanguage`
 */
export function fieldsPage(model: FieldsModel, options: { readonly nonce: string; readonly language: string }): string {
  const page = textsIn(options.language);
  const { language, texts } = page;
  const { frame, card, now, origins, token } = model;
  const shown = model.fields.filter(({ name }) => frame === 'form' || INPUTS[frame].includes(name));
  const [first] = shown;
  return written(
    html`${raw('<!doctype html>')}
      <html lang="${language}" dir="${directionOf(language)}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex, nofollow" />
          <meta name="format-detection" content="telephone=no" />
          <title>${first === undefined ? '' : labelIn(page, first)}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="${fieldsStylesheet.path}" integrity="${fieldsStylesheet.integrity}" />
          ${scriptTags([script('fields')], options.nonce)}
        </head>
        <body
          class="${frame}"
          data-token="${token}"
          data-origins="${origins.join(' ')}"
          data-unsent="${texts.unsent}"
          data-over="${texts.sessionOver}"
          data-limited="${texts.tooManyDeclinesText}"
          data-failed="${texts.errorText}"
        >
          <main>
            <form data-fields data-missing="${texts.fieldMissing}" data-wrong="${texts.fieldWrong}">
              ${frame === 'form' ? savedChoice(page, model) : ''}
              ${cardInputs({ ...page, model: { now } }, card, shown)}
            </form>
          </main>
        </body>
      </html> `,
  );
}

/** The saved cards of the request, the first of which is chosen, and a new one. */
function savedChoice(page: InLanguage, { saved }: FieldsModel): Markup | '' {
  if (saved.length === 0) return '';
  const choices = [...saved, { key: 'new', brand: '' }];
  return html`<fieldset>
    <legend class="spoken">${page.texts.changeCard}</legend>
    ${choices.map(
      (choice, index) =>
        html`<label class="choice"
          ><input
            type="radio"
            name="choice"
            value="${choice.key}"
            data-brand="${choice.brand}"
            ${index === 0 ? html` checked` : ''}
          /><bdi>${cardName(page, choice)}</bdi></label
        >`,
    )}
  </fieldset>`;
}
