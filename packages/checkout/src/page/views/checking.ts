import { html } from 'hono/html';
import type { PageState } from '../model.ts';
import { icon } from '../parts/icon.ts';
import { backLink } from '../parts/leave.ts';
import { waiting } from '../parts/waiting.ts';
import type { Page, View } from '../view.ts';

/** Seconds between two reloads of a page without scripts. */
const RELOAD = 10;

/** The outcome is not known yet. This is never shown as a failure: a payer who pays again pays twice. */
export function checking(page: Page, { continueUrl }: Extract<PageState, { kind: 'checking' }>): View {
  const { texts, wording, model } = page;
  return {
    title: wording.checkingTitle,
    scripts: ['live-status'],
    refresh: { seconds: RELOAD, to: model.base },
    body: html`<div class="end">
      ${icon('time')}
      <h1>${wording.checkingTitle}</h1>
      <p class="lead">${wording.checkingText}</p>
      <p>${texts.safeToClose}</p>
      ${waiting(page, texts.updatesItself)} ${backLink(page, continueUrl, 'quiet')}
    </div>`,
  };
}
