import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import { declineText, said, type Page } from '../view.ts';
import { BESIDE_INPUT, type Decline, type FailedAttempt, type PageBeside } from '../model.ts';
import { stylesheet, type Script } from '../page-assets.ts';
import type { Detail } from '@railyard/core/driver';
import { leavingAddress } from '../leaving.ts';

/** Above the other methods: the payment that still waits for the payer, what becomes of money that comes twice, and the way back. */
export function stillWaits(page: Page): Markup | '' {
  const { beside, base } = page.model;
  if (beside === undefined) return '';
  const method = said(page, beside.waits.title);
  return html`<div class="beside" role="note">
    <p><bdi>${page.texts.stillWaits(method)}</bdi> <bdi>${whatEnds(page, beside, method)}</bdi></p>
    <a class="link" href="${base}"><bdi>${page.texts.backToMethod(method)}</bdi></a>
  </div>`;
}

function whatEnds({ texts }: Page, { ends }: PageBeside, method: string): string {
  if (ends === 'withdrawn') return texts.endsOnceYouPay(method);
  return ends === 'given-back' ? texts.secondComesBack : texts.payOnce;
}

/** Says in a form that the payer knows of the payment that waits. */
export const besideInput = ({ model }: Page): Markup | '' =>
  model.beside === undefined ? '' : html`<input type="hidden" name="${BESIDE_INPUT}" value="1" />`;

/** Copies a text and says so aloud. Without scripts it is not shown: the text beside it can be selected. */
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

/** A detail as the page shows it. `unit` stands behind the value, and is not copied with it; `shown` is the value as the payer writes it. */
type ShownDetail = Detail & { readonly unit?: string; readonly shown?: string | Markup };

/**
 * Banks' forms take an IBAN, or the digits of a number, without the spaces that group them. Groups of different lengths may be values of
 * their own, such as a model and its reference: they keep their spaces.
 */
function withoutGroups(value: string): string {
  const joined = value.replaceAll(' ', '');
  const isIban = joined.length >= SHORTEST_IBAN && /^[A-Z]{2}\d{2}(?: [0-9A-Z]{4})+(?: [0-9A-Z]{1,3})?$/.test(value);
  return isIban || /^(?:\d{3}(?: \d{3})+(?: \d{1,2})?|\d{4}(?: \d{4})+(?: \d{1,3})?)$/.test(value) ? joined : value;
}

/** Norway's. */
const SHORTEST_IBAN = 15;

/** Prints the page, or saves it where the browser prints to files. */
export const printButton = ({ texts }: Page): Markup =>
  html`<button type="button" class="button needs-script" data-print>${texts.print}</button>`;

/** Labels and values, some of them to copy. */
export function detailList(page: Page, details: readonly ShownDetail[]): Markup {
  const { texts } = page;
  return html`<dl class="details">
    ${details.map(({ label, value, unit, shown = value, copy }) => {
      const name = said(page, label);
      return html`<div>
        <dt><bdi>${name}</bdi></dt>
        <dd>
          <bdi>${shown}${unit === undefined ? '' : ` ${unit}`}</bdi>${
            copy === true
              ? copyButton(page, { text: withoutGroups(value), label: texts.copy, spoken: texts.copyValue(name) })
              : ''
          }
        </dd>
      </div>`;
    })}
  </dl>`;
}

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

/** The elements of scripts. Whatever they import is asked for at once with them, so that no request waits for another. */
export function scriptTags(scripts: readonly Script[], nonce: string): Markup {
  const imported = new Set(scripts.flatMap(({ imports }) => [...imports]));
  return html`${[...imported].map(({ path, integrity }) => html`<link rel="modulepreload" href="${path}" integrity="${integrity}" nonce="${nonce}" />`)}
  ${scripts.map(({ path, integrity }) => html`<script type="module" src="${path}" integrity="${integrity}" nonce="${nonce}"></script>`)}`;
}

const SHAPES = {
  done: 'M8 16.5l5.2 5.2L24.5 10.5',
  stopped: 'M10.5 10.5l11 11m0-11l-11 11',
  time: 'M16 6.5a9.5 9.5 0 1 0 .01 0zM16 11v5.5l3.5 2',
  phone: 'M11 5.5h10v21H11zM14.5 23h3',
  letter: 'M6.5 9.5h19v13h-19zM6.5 10l9.5 7.5 9.5-7.5',
} as const;

export type Shape = keyof typeof SHAPES;

/** A decoration above a heading: the heading says the same in words. */
export function icon(shape: Shape, tone: 'accent' | 'quiet' | 'alert' = 'accent'): Markup {
  return html`<svg class="icon ${tone}" viewBox="0 0 32 32" aria-hidden="true"><path d="${SHAPES[shape]}" /></svg>`;
}

/** Why the last attempt brought nothing, beside the form of the next one, and how often it may be tried again. */
export function lastAttempt(page: Page, failed: FailedAttempt | undefined): Markup | '' {
  if (failed === undefined) return '';
  const { texts, wording } = page;
  const why = failed.decline.code === 'stopped_by_payer' ? wording.stoppedText : lastReason(page, failed.decline);
  return html`<div class="last-attempt" role="group" aria-label="${texts.lastAttemptUnknown}">
    <p><bdi>${why}</bdi></p>
    <p>${texts.attemptsLeft(failed.attemptsLeft)}</p>
  </div>`;
}

export function lastReason(page: Page, decline: Decline): string {
  const text = declineText(page, decline);
  return text === '' ? page.texts.lastAttemptUnknown : page.texts.lastAttempt(text);
}

/** Where the page goes by itself: nowhere if the way back is a new window, which a browser opens only when the payer presses something. */
export const leadsBackTo = ({ model }: Page, address: string | undefined): string | undefined =>
  address === undefined || model.urlTarget === '_blank' ? undefined : leavingAddress(address);

/** The way back to the merchant, into the browsing context that the merchant named (protocol: url_target). */
export function backLink(
  page: Page,
  address: string | undefined,
  style: 'primary' | 'quiet',
  soon = false,
): Markup | '' {
  const { texts, model } = page;
  const href = address === undefined ? undefined : leavingAddress(address);
  if (href === undefined) return '';
  return html`<a
    class="button ${style}"
    href="${href}"
    target="${model.urlTarget}"
    rel="noreferrer"
    ${soon && leadsBackTo(page, address) !== undefined ? html` data-leave="${href}" data-after="3000"` : ''}
    ><bdi>${texts.backTo(model.merchantName)}</bdi></a
  >`;
}

/** For a page without scripts. The payer's time zone is not known on the server. */
export function timeOfDay({ language }: Pick<Page, 'language'>, time: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(time));
}

/** The last day of something that is paid elsewhere, where its zone is known; with the time, unless the day ends then. */
export function lastMoment(page: Pick<Page, 'language' | 'model'>, time: string): string {
  const { timeZone = 'UTC' } = page.model;
  const day = { weekday: 'long', day: 'numeric', month: 'long', timeZone } as const;
  const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  const format = endsDay(page, time) ? day : { ...day, ...clock };
  return new Intl.DateTimeFormat(page.language, format).format(new Date(time));
}

/** Whether a day of the payer's banks ends then. */
function endsDay({ model: { timeZone } }: Pick<Page, 'model'>, time: string): boolean {
  if (timeZone === undefined) return false;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  return new Intl.DateTimeFormat('en', clock).format(new Date(time)) === '23:59';
}

/** A moment with its year, in a receipt. A script writes it by the clock of the payer's device. */
export function datedMoment({ language, model }: Page, time: string): Markup {
  const { timeZone = 'UTC' } = model;
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone } as const;
  const written = new Intl.DateTimeFormat(language, { ...day, ...clock }).format(new Date(time));
  return html`<time datetime="${time}" data-local="year">${written}</time>`;
}

/** Stands for the time in a sentence until it is put there. */
const PLACE = '\u0000';

/** A sentence with a moment, which a script writes by the clock of the payer's device. A last day follows the banks' calendar. */
export function untilMoment(page: Page, sentence: (time: string) => string, time: string): Markup {
  return endsDay(page, time)
    ? html`${sentence(lastMoment(page, time))}`
    : withTime(sentence, time, lastMoment(page, time));
}

/** The same with a shorter date. */
export const untilTime = (page: Page, sentence: (time: string) => string, time: string): Markup =>
  withTime(sentence, time, timeOfDay(page, time));

function withTime(sentence: (time: string) => string, time: string, written: string): Markup {
  const [before = '', after = ''] = sentence(PLACE).split(PLACE);
  return html`${before}<time datetime="${time}" data-local>${written}</time>${after}`;
}

/** Says that the page waits. A script keeps it true; without scripts the link and the refresh of the page do. */
export function waiting(page: Page, text: string = page.wording.waiting): Markup {
  const { texts, model } = page;
  return html`<div class="waiting">
    <p role="status" data-status data-offline="${texts.offline}">
      <span class="pulse" aria-hidden="true"></span><span data-status-text>${text}</span>
    </p>
    <noscript><a class="link" href="${model.base}">${texts.checkNow}</a></noscript>
  </div>`;
}
