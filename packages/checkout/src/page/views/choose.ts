import { html } from 'hono/html';
import type { PageState } from '../model.ts';
import { lastAttempt } from '../parts/last-attempt.ts';
import { stillWaits } from '../parts/beside.ts';
import { methodList } from '../parts/methods.ts';
import type { Page, View } from '../view.ts';

export function choose(page: Page, state: Extract<PageState, { kind: 'choose' }>): View {
  const { texts, wording } = page;
  const title = wording === texts.pay ? texts.chooseTitle : texts.chooseReceiveTitle;
  return {
    title,
    scripts: [],
    body: html`<h1>${title}</h1>
      ${stillWaits(page)} ${lastAttempt(page, state.failed)} ${methodList(page, state.methods)}`,
  };
}
