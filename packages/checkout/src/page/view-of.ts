import type { Page, View } from './view.ts';
import { amount } from './views/amount.ts';
import { ask } from './views/ask.ts';
import { checking } from './views/checking.ts';
import { choose } from './views/choose.ts';
import { cancelled, declined, expired, failure, givenBack, success } from './views/end.ts';
import { leaving } from './views/leaving.ts';
import { show } from './views/show.ts';
import { nextAction } from './views/next-action.ts';
import { visit } from './views/visit.ts';

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
