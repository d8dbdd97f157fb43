import { html } from 'hono/html';
import { AMOUNT_FIELD, REVIEWED } from '../../sessions/payer-amount.ts';
import { CARD_TEXTS } from '../../cards/card-texts.ts';
import type { Markup } from '../markup.ts';
import type { CardForm, PageAmount, PageField, PageMethod, SavedCardChoice } from '../model.ts';
import { messageIn } from '../texts/index.ts';
import type { Page } from '../view.ts';
import { fieldOf } from './field.ts';

/**
 * The card's inputs, and after them whatever else is asked. A script checks and formats them while the payer types, with the same rules as
 * the server and the words that stand here.
 */
export function cardInputs(page: Page, card: CardForm, fields: readonly PageField[]): Markup {
  const ofCard = fields.filter(({ name }) => name.startsWith('card.'));
  const rest = fields.filter((field) => !ofCard.includes(field));
  const words = Object.fromEntries(
    Object.entries(CARD_TEXTS).map(([problem, text]) => [problem, messageIn(page, text)]),
  );
  return html`<input type="hidden" name="card.saved" value="${card.saved?.key ?? 'new'}" />
    <div
      class="card"
      data-card
      data-now="${page.model.now}"
      data-taken="${card.taken.join(' ')}"
      data-brand="${card.brand ?? ''}"
      data-words="${JSON.stringify(words)}"
    >
      ${card.saved === undefined ? '' : html`<p class="saved"><bdi>${cardName(page, card.saved)}</bdi></p>`}
      ${ofCard.map((field) => fieldOf(page, field))}
    </div>
    ${rest.map((field) => fieldOf(page, field))}`;
}

/** The other saved cards, and a new one, as links to the page: choosing begins no payment. */
export function otherCards(
  page: Page,
  { key }: PageMethod,
  cards: readonly SavedCardChoice[],
  amount: PageAmount | undefined,
): Markup {
  const said = amount && { [AMOUNT_FIELD]: amount.text, [REVIEWED]: '1' };
  const address = (card: SavedCardChoice) =>
    `${page.model.base}?${new URLSearchParams({ method: key, card: card.key, again: '1', ...said }).toString()}`;
  return html`<h2 class="other">${page.texts.changeCard}</h2>
    <ul class="methods">
      ${cards.map(
        (card) =>
          html`<li>
            <a href="${address(card)}"><bdi>${cardName(page, card)}</bdi></a>
          </li>`,
      )}
    </ul>`;
}

function cardName({ texts }: Page, { card }: SavedCardChoice): string {
  return card === undefined ? texts.newCard : texts.savedCard(card.title, card.lastFour, card.expires);
}
