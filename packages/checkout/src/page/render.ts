import { html, raw } from 'hono/html';
import { written, type Markup } from './markup.ts';
import { head, icon, scriptTags, timeOfDay } from './parts/layout.ts';
import { directionOf, textsIn } from './texts/index.ts';
import type { PageModel, PageState } from './model.ts';
import { script } from './page-assets.ts';
import { formatAmount } from './amount.ts';
import { branded } from './branding.ts';
import { languageSwitch, waysOut } from './parts/forms.ts';
import { pageOf } from './page-of.ts';
import type { Page, View } from './view.ts';
import { amount, ask, choose, leaving, nextAction, visit } from './views/pay.ts';
import { cancelled, checking, declined, expired, failure, givenBack, success } from './views/end.ts';
import { show } from './views/shown.ts';

/** The view of the state that the payment is in. */
export function viewOf(page: Page): View {
  const { state } = page.model;
  switch (state.kind) {
    case 'choose':
      return choose(page, state);
    case 'amount':
      return amount(page, state);
    case 'ask':
      return ask(page, state);
    case 'next-action':
      return nextAction(page, state);
    case 'visit':
      return visit(page, state);
    case 'show':
      return show(page, state);
    case 'checking':
      return checking(page, state);
    case 'leaving':
      return leaving(page, state);
    case 'success':
      return success(page, state);
    case 'declined':
      return declined(page, state);
    case 'expired':
      return expired(page, state);
    case 'cancelled':
      return cancelled(page, state);
    case 'error':
      return failure(page, state);
    case 'given-back':
      return givenBack(page, state);
  }
}

/**
 * The whole hosted page as an HTML document. It works without scripts wherever the method allows.
 *
 * @param options.nonce the same as in the page's policy, see `pageHeaders`
 * @param options.language a tag from `chooseLanguage`
 * @example renderPage(model, { nonce, language: chooseLanguage(request.headers['accept-language']) })
 */
export function renderPage(model: PageModel, options: { readonly nonce: string; readonly language: string }): string {
  const page = pageOf(model, options.language);
  return written(layout(page, viewOf(page), options.nonce));
}

function layout(page: Page, view: View, nonce: string) {
  const { model, texts } = page;
  const clock = sessionClock(page);
  const { frameOrigins = [] } = model;
  const title = `${view.refused === true ? `${texts.errorPrefix}: ` : ''}${view.title} · ${model.merchantName}`;
  return html`${raw('<!doctype html>')}
    <html lang="${page.language}" dir="${directionOf(page.language)}">
      ${head(
        title,
        html`${branded(model.branding, nonce)}
        ${view.vendorScript === undefined ? '' : html`<script defer src="${view.vendorScript}" nonce="${nonce}"></script>`}
        ${scriptTags((['page', ...(view.scripts ?? [])] as const).map(script), nonce)}
        ${view.refresh === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${view.refresh.seconds};url=${view.refresh.to}" /></noscript>`}`,
      )}
      <body${model.branding?.summary === 'above' ? html` class="above"` : ''} data-base="${model.base}" data-version="${model.version}"${frameOrigins.length > 0 ? html` data-frame-origins="${frameOrigins.join(' ')}"` : ''}>
        ${model.test ? html`<header class="test">${texts.testMode}</header>` : ''}
        <div class="page">
          ${orderSummary(page)}
          <main>${clock} ${view.body} ${waysOut(page)}</main>
          ${languageSwitch(page)}
        </div>
      </body>
    </html> `;
}

/**
 * The way back of a payer who came in a frame, or who goes back into a window or frame by its name: a browser opens these only when the payer
 * presses something. It has no form and no script.
 *
 * @param options.address where it leads, as `leavingAddress` gives it
 * @param options.target a keyword such as `_top`, or the name of a frame
 * @param options.language a tag from `chooseLanguage`
 */
export function returnPage(options: {
  readonly merchantName: string;
  readonly address: string;
  readonly target: string;
  readonly language: string;
}): string {
  const { language, texts } = textsIn(options.language);
  const { address, target, merchantName } = options;
  return written(
    html`${raw('<!doctype html>')}
      <html lang="${language}" dir="${directionOf(language)}">
        ${head(texts.visitTitle)}
        <body>
          <div class="page alone">
            <main>
              <div class="end">
                <h1>${texts.visitTitle}</h1>
                <p class="lead"><bdi>${texts.visitText(new URL(address).host)}</bdi></p>
                <a class="button primary" href="${address}" target="${target}" rel="noreferrer"
                  ><bdi>${texts.backTo(merchantName)}</bdi></a
                >
              </div>
            </main>
          </div>
        </body>
      </html> `,
  );
}

/**
 * The page where nothing of its session is shown. It has no form and no script.
 *
 * @param options.why `unavailable`: the session cannot be read now; `failed`: a fault that waiting does not mend; `too-many-declines`: the
 *   address of the payer has had too many attempts declined

 * @param options.base the page's address, where the payer tries again
 * @param options.language a tag from `chooseLanguage`
 * @example unavailablePage({ why: 'unavailable', base: '/auth/token', language: 'pt-BR' })
 */
export function unavailablePage(options: {
  readonly base: string;
  readonly language: string;
  readonly why: 'unavailable' | 'failed' | 'too-many-declines';
}): string {
  const { language, texts } = textsIn(options.language);
  const says = {
    unavailable: [texts.unavailableTitle, texts.unavailableText],
    failed: [texts.errorTitle, texts.doNotPayAgain],
    'too-many-declines': [texts.tooManyDeclinesTitle, texts.tooManyDeclinesText],
  } as const satisfies Record<typeof options.why, readonly [title: string, text: string]>;
  const [title, text] = says[options.why];
  return written(
    html`${raw('<!doctype html>')}
      <html lang="${language}" dir="${directionOf(language)}">
        ${head(title)}
        <body>
          <div class="page alone">
            <main>
              <div class="end">
                ${icon('time', 'quiet')}
                <h1>${title}</h1>
                <p class="lead">${text}</p>
                <a class="button primary" href="${options.base}">${texts.tryAgain}</a>
              </div>
            </main>
          </div>
        </body>
      </html> `,
  );
}

/** An amount takes one line: the longer it is, the smaller it is written. The stylesheet has the same steps. */
const sizeOf = (text: string): string => `upto-${[13, 17, 23, 30].find((most) => text.length <= most) ?? 44}`;

/** Who is paid, what for and how much: the same on every screen. */
function orderSummary(page: Page): Markup {
  const { model, texts, wording, amount } = page;
  return html`<section class="order" aria-label="${texts.order}">
    ${model.branding?.logo === undefined ? '' : html`<img class="logo" src="${model.branding.logo}" alt="" />`}
    <p class="merchant"><bdi>${model.merchantName}</bdi></p>
    <p class="amount ${sizeOf(amount ?? '')}">
      <span class="spoken">${wording.amountLabel}: </span><bdi>${amount ?? wording.openAmount}</bdi>
    </p>
    ${model.vat === undefined ? '' : html`<p class="vat"><bdi>${vatText(page, model.vat)}</bdi></p>`}
    <p class="description"><bdi>${model.description}</bdi></p>
    <p class="number">${texts.order} <bdi>${model.orderNumber}</bdi></p>
  </section>`;
}

function vatText({ texts, language }: Page, { rate, amount: tax }: NonNullable<PageModel['vat']>): string {
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 }).format(
    Number(rate) / 100,
  );
  return texts.includesVat(percent, formatAmount(tax, language));
}

const MINUTE_MS = 60_000;

/** Where the payer still has something to do on the page, or goes on from it. */
const OPEN: ReadonlySet<PageState['kind']> = new Set(['choose', 'amount', 'ask', 'next-action', 'visit', 'show']);

/**
 * Warns two minutes before the page closes (WCAG 2.2.1), and at the end has the page looked at again. Without scripts it says beforehand
 * when that is.
 */
function sessionClock(page: Page): Markup | '' {
  const { model, texts } = page;
  if (!OPEN.has(model.state.kind)) return '';
  const left = Date.parse(model.expiresAt) - Date.parse(model.now);
  const soon = left >= 2 * MINUTE_MS ? texts.minutes(2) : texts.seconds(Math.max(0, Math.ceil(left / 1000)));
  return html`<div
      class="session"
      aria-live="polite"
      data-session="${model.expiresAt}"
      data-now="${model.now}"
      data-soon="${texts.sessionEnds(soon)}"
      data-ended="${texts.sessionOver}"
    ></div>
    <noscript><p class="session">${texts.sessionUntil(timeOfDay(page, model.expiresAt))}</p></noscript>`;
}
