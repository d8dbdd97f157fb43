import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import { buttonText, said, type Page } from '../view.ts';
import { countries, statesOf } from '@railyard/core/countries';
import {
  BROWSER_INPUT,
  RECEIPT,
  type CardForm,
  type PageAmount,
  type PageField,
  type PageMethod,
  type PageModel,
  type SavedCardChoice,
  type WalletForm,
} from '../model.ts';
import { besideInput, icon, untilMoment } from './layout.ts';
import { hintIn, directionOf, labelIn, languages, messageIn, problemIn, type InLanguage } from '../texts/index.ts';
import type { PayerText } from '@railyard/core';
import { AMOUNT_FIELD, REVIEWED } from '../../sessions/payer-input.ts';
import { CARD_TEXTS } from '../../cards/card.ts';

/** The autofill tokens (HTML, autofill field names), by the last part of a field's path. */
const TOKENS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['first_name', 'given-name'],
  ['last_name', 'family-name'],
  ['email', 'email'],
  ['phone', 'tel'],
  ['birth_date', 'bday'],
  ['country', 'country'],
  ['state', 'address-level1'],
  ['city', 'address-level2'],
  ['district', 'address-level3'],
  ['address', 'street-address'],
  ['zip', 'postal-code'],
]);

/** The `autocomplete` token of an input: the field's own, else its path's, else none. */
export function autocompleteOf(field: {
  readonly name: string;
  readonly input: string;
  readonly autocomplete?: string;
}): string {
  if (field.autocomplete !== undefined) return field.autocomplete;
  if (field.input === 'code') return 'one-time-code';
  const path = field.name.split('.');
  // Outside of these groups a name may be anyone's: the name of a bank is not the payer's.
  if (path[0] !== 'customer' && path[0] !== 'billing_address') return 'off';
  return TOKENS.get(path.at(-1) ?? '') ?? 'off';
}

/** The id of the open row. An address that shows one leads there: without scripts it would be out of sight. */
export const CHOSEN = 'chosen';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The options of a field; `undefined` for a typed field. */
export function choicesFor(page: InLanguage, field: PageField): readonly Markup[] | undefined {
  const { options, states, value } = field;
  if (field.input === 'country') return countryChoices(page.language).map((choice) => optionOf(choice, value));
  if (states !== undefined) return stateChoices(page, states, value);
  return options?.map((choice) => optionOf({ ...choice, label: said(page, choice.label) }, value));
}

const optionOf = ({ value, label }: Choice, chosen: string | undefined): Markup =>
  html`<option value="${value}" ${value === chosen ? html` selected` : ''}>${label}</option>`;

const inOrder = (choices: readonly Choice[], language: string): readonly Choice[] => {
  const { compare } = new Intl.Collator(language);
  return choices.toSorted((one, other) => compare(one.label, other.label));
};

const known = new Map<string, readonly Choice[]>();

/** Every country by its name in a language, in the order of that language. */
function countryChoices(language: string): readonly Choice[] {
  const before = known.get(language);
  if (before !== undefined) return before;
  const choices = [...countries.values()].map(({ alpha2, name }) => ({
    value: alpha2,
    label: countryName(alpha2, language) ?? name,
  }));
  const sorted = inOrder(choices, language);
  known.set(language, sorted);
  return sorted;
}

const countryName = (code: string, language: string): string | undefined =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code);

/** The states of one country; of several, grouped by country, and a script shows the chosen country's. */
function stateChoices(
  { language }: InLanguage,
  { of, country }: NonNullable<PageField['states']>,
  value: string | undefined,
): readonly Markup[] {
  const optionsOf = (code: string) =>
    inOrder(
      [...statesOf(code)].map(([state, label]) => ({ value: state, label })),
      language,
    ).map((choice) => optionOf(choice, code === country ? value : undefined));
  const [only] = of;
  if (of.length === 1 && only !== undefined) return optionsOf(only);
  const groups = of.map((code) => ({ value: code, label: countryName(code, language) ?? code }));
  return inOrder(groups, language).map(
    ({ value: code, label }) => html`<optgroup label="${label}" data-country="${code}">${optionsOf(code)}</optgroup>`,
  );
}

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
export function fieldOf(page: InLanguage, field: PageField): Markup {
  if (field.name === 'card.brand') return brandChoice(page, field);
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

/**
 * The networks of a co-branded card, of equal look (Regulation (EU) 2015/751, Article 8(6)). The script offers those of the typed number; without
 * scripts all are offered, and the merchant's choice counts where the payer makes none.
 */
function brandChoice(page: InLanguage, field: PageField): Markup {
  const id = fieldId(field);
  const { options = [], problem, value } = field;
  return html`<section aria-live="polite">
    <fieldset
      class="brands"
      role="radiogroup"
      data-brands=""
      ${problem === undefined ? '' : html` aria-invalid="true" aria-describedby="${id}-problem"`}
    >
      <legend>${labelIn(page, field)}</legend>
      ${options.map(
        (option, index) =>
          html`<label class="choice"
            ><input
              type="radio"
              id="${index === 0 ? id : `${id}-${option.value}`}"
              name="${field.name}"
              value="${option.value}"
              ${option.value === value ? html` checked` : ''}
            /><bdi>${said(page, option.label)}</bdi></label
          >`,
      )}
      <p class="problem" id="${id}-problem" data-problem${problem === undefined ? html` hidden` : ''}>
        <bdi>${problem === undefined ? '' : problemIn(page, field)}</bdi>
      </p>
    </fieldset>
  </section>`;
}

function control(page: InLanguage, field: PageField): Markup {
  const { value = '' } = field;
  const choices = choicesFor(page, field);
  if (choices !== undefined)
    return html`<select${attributes(field)}><option value="">${page.texts.chooseOne}</option>${choices}</select>`;
  if (field.input === 'date') return html`<input type="date" value="${value}" ${attributes(field)} />`;
  const { type: plainType, mode } = INPUTS.get(field.input) ?? TEXT;
  const type = field.secret === true ? 'password' : plainType;
  const plain = mode === 'text' ? '' : html` autocapitalize="none" spellcheck="false"`;
  // Digits and addresses run from left to right in every script.
  const direction = mode === 'text' || directionOf(page.language) === 'ltr' ? '' : html` dir="ltr"`;
  return html`<input type="${type}" inputmode="${mode}" value="${value}" ${plain}${direction}${attributes(field)} />`;
}

/** Says `aria-invalid` always: to browsers an empty field that is required is invalid, and screen readers say so before the payer has typed. */
function attributes(field: PageField): Markup {
  const id = fieldId(field);
  const described = [field.help !== undefined && `${id}-help`, field.problem !== undefined && `${id}-problem`]
    .filter((part) => part !== false)
    .join(' ');
  return html` id="${id}" name="${field.name}"
  autocomplete="${autocompleteOf(field)}"${
    field.required && field.mayBeEmpty !== true ? html` required` : ''
  }${described === '' ? '' : html` aria-describedby="${described}"`}
  aria-invalid="${String(field.problem !== undefined)}"`;
}

/**
 * The card's inputs, and after them whatever else is asked. A script checks and formats them while the payer types, with the same rules as
 * the server and the words that stand here.
 */
export function cardInputs(
  page: InLanguage & { readonly model: Pick<PageModel, 'now'> },
  card: CardForm,
  fields: readonly PageField[],
): Markup {
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
      ${card.coBrands === undefined ? '' : html` data-co-brands="${JSON.stringify(card.coBrands)}"`}
      data-words="${JSON.stringify(words)}"
      ${card.oneWordName === true ? html` data-one-word` : ''}
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
    `${page.model.base}?${new URLSearchParams({ method: key, card: card.key, again: '1', ...said }).toString()}#${CHOSEN}`;
  return html`<h2 class="other">${page.texts.changeCard}</h2>
    <ul class="methods">
      ${cards.map(
        (card) =>
          html`<li>
            <a class="row" href="${address(card)}"
              ><span class="names"><bdi>${cardName(page, card)}</bdi></span></a
            >
          </li>`,
      )}
    </ul>`;
}

export function cardName({ texts }: InLanguage, { card }: SavedCardChoice): string {
  return card === undefined ? texts.newCard : texts.savedCard(card.title, card.lastFour, card.expires);
}

type Action = 'pay' | 'answer' | 'renew' | 'change' | 'cancel';

/**
 * A form of the page. The button that sends it becomes inert at once and shows `working`.
 *
 * @param checked the script asks the service before the form is sent, so that a refusal costs no other entry
 */
export function form(page: Page, action: Action, body: Markup, checked = false): Markup {
  const { texts, model } = page;
  return html`<form
    method="post"
    action="${model.base}/${action}"
    data-form
    data-missing="${texts.fieldMissing}"
    data-wrong="${texts.fieldWrong}"
    ${checked ? html` data-check="${model.base}/check"` : ''}
  >
    ${body}${unsent(page)}
  </form>`;
}

/** Shown by the script where a form could not be sent. */
export const unsent = ({ texts }: Page): Markup =>
  html`<p class="problem" role="alert" data-unsent hidden>${texts.unsent}</p>`;

/** The button that sends a form. */
export function submit(page: Page, text: string): Markup {
  return html`<button class="button primary" data-busy="${page.texts.working}">${text}</button>`;
}

/** A form that is only a button. */
export function postButton(page: Page, action: Action, text: string, style: 'primary' | 'quiet'): Markup {
  return form(page, action, html`<button class="button ${style}" data-busy="${page.texts.working}">${text}</button>`);
}

/**
 * Methods to choose from, of which one may be open. A row is a link to the page with `?method=<key>`, where the method's form is open in the
 * list: choosing begins no payment. A method with nothing to enter has its button in the row.
 */
export function methodList(
  page: Page,
  methods: readonly PageMethod[],
  open?: { readonly method: PageMethod; readonly body: Markup },
): Markup {
  const { texts, wording } = page;
  // Without its marks a list is none to VoiceOver in Safari.
  return html`<ul
    class="methods"
    role="list"
    aria-label="${wording === texts.pay ? texts.chooseTitle : texts.chooseReceiveTitle}"
  >
    ${methods.map((method) =>
      method.key === open?.method.key
        ? html`<li class="open" id="${CHOSEN}" aria-current="true">${open.body}</li>`
        : html`<li>${methodRow(page, method)}</li>`,
    )}
  </ul>`;
}

function methodRow(page: Page, { key, title, subtitle, atOnce }: PageMethod): Markup {
  const known = subtitle === undefined ? '' : html` <bdi class="known">${said(page, subtitle)}</bdi>`;
  const names = html`<span class="names"><bdi>${said(page, title)}</bdi>${known}</span>`;
  if (atOnce !== true)
    return html`<a class="row" href="${page.model.base}?method=${encodeURIComponent(key)}#${CHOSEN}">${names}</a>`;
  return form(
    page,
    'pay',
    html`${paysBy(page, key)}
      <div class="row">
        ${names}
        <button class="button primary" data-busy="${page.texts.working}">
          <span class="spoken">${said(page, title)}:</span> <bdi>${buttonText(page)}</bdi>
        </button>
      </div>`,
  );
}

/** The hidden inputs of a form that pays by a method. */
export const paysBy = (page: Page, key: string): Markup =>
  html`<input type="hidden" name="method" value="${key}" /><input
      type="hidden"
      name="${BROWSER_INPUT}"
      value=""
    />${besideInput(page)}`;

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

/** Whether the shown code or page is already over, by the server's clock. */
export function isOver(page: Page, validUntil: string | undefined): boolean {
  return validUntil !== undefined && Date.parse(validUntil) <= Date.parse(page.model.now);
}

/**
 * Something that is valid for a while. At its end it gives way to a button for a new one, where there is one. It never
 * says that the payment failed: a payer who has paid in the last second sees the result as soon as it is known.
 */
export function timeLimited(page: Page, validUntil: string | undefined, renewable: boolean, body: Markup): Markup {
  if (validUntil === undefined) return body;
  const over = isOver(page, validUntil);
  const { texts, model } = page;
  return html`<div data-limited${over ? html` hidden` : ''}>
      ${body}
      <p class="countdown" data-countdown="${validUntil}" data-now="${model.now}" data-left="${texts.timeLeft}">
        ${untilMoment(page, texts.validUntil, validUntil)}
      </p>
      <p class="on-paper">${untilMoment(page, texts.validUntil, validUntil)}</p>
      <p
        class="spoken"
        aria-live="polite"
        data-spoken
        data-say-180="${texts.endsIn(texts.minutes(3))}"
        data-say-60="${texts.endsIn(texts.minutes(1))}"
        data-say-30="${texts.endsIn(texts.seconds(30))}"
      ></p>
    </div>
    <div class="end" data-over${over ? '' : html` hidden`}>
      ${icon('time')}
      <h1 tabindex="-1">${texts.overTitle}</h1>
      <p class="lead">${renewable ? texts.overRenew : texts.overWait}</p>
      ${renewable ? postButton(page, 'renew', texts.newCode, 'primary') : ''}
    </div>`;
}

/** The button of a digital wallet. It is seen once its script knows that the device has the wallet; until then the page says that it has not. */
export function walletButton(page: Page, { key, title }: PageMethod, wallet: WalletForm): Markup {
  const name = said(page, title);
  const { texts, wording, model } = page;
  if (wallet.button === undefined) return html`<p class="lead">${messageIn(page, wallet.problem)}</p>`;
  return html`<input type="hidden" name="wallet_token" value="" />
    <p class="lead" data-wallet-missing><bdi>${texts.walletMissing(name)}</bdi></p>
    <button
      type="button"
      class="button primary"
      hidden
      data-busy="${texts.working}"
      data-wallet="${wallet.kind}"
      data-method="${key}"
      data-validation="${model.base}/wallet"
      data-request="${JSON.stringify(wallet.button.request)}"
    >
      <bdi>${wording.withMethod(name)}</bdi>
    </button>`;
}

/** The ways out for a payer who does not want to go on: pay another way, or go back to the shop. */
export function waysOut(page: Page): Markup | '' {
  const { model, texts } = page;
  if (!model.canCancel && !model.canChange) return '';
  const hasOthers = model.beside !== undefined && model.state.kind === 'show';
  return html`<div class="cancel">
    ${hasOthers ? html`<a class="button quiet" href="${model.base}?again=1">${texts.changeMethod}</a>` : ''}
    ${model.canChange ? postButton(page, 'change', texts.change, 'quiet') : ''}
    ${model.canCancel ? postButton(page, 'cancel', texts.cancel, 'quiet') : ''}
  </div>`;
}

/** Each language by its own name. */
const NAMES: readonly (readonly [tag: string, name: string])[] = [...languages.keys()].map((tag) => {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return [tag, `${name.charAt(0).toLocaleUpperCase(tag)}${name.slice(1)}`];
});

/** Other languages, for a payer whose browser or merchant has chosen a wrong one. A page that sends the payer to another host has no form of ours. */
export function languageSwitch(page: Page): Markup | '' {
  const { model, texts, language } = page;
  if (model.state.kind === 'visit') return '';
  const chosen = model.state.kind === 'ask' ? model.state.method.key : undefined;
  return html`<details class="languages">
    <summary><span class="spoken">${texts.language}: </span>${NAMES.find(([tag]) => tag === language)?.[1]}</summary>
    <form method="post" action="${model.base}/language">
      ${chosen === undefined ? '' : html`<input type="hidden" name="chosen" value="${chosen}" />`}
      ${model.state.kind === 'success' && model.state.stays === true ? html`<input type="hidden" name="${RECEIPT}" value="1" />` : ''}
      ${NAMES.filter(([tag]) => tag !== language).map(
        ([tag, name]) => html`<button class="link" name="language" value="${tag}" lang="${tag}">${name}</button>`,
      )}
    </form>
  </details>`;
}
