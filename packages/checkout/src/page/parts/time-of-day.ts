import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { Page } from '../view.ts';

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

/** Stands for the time in a sentence until it is put there. */
const PLACE = '\u0000';

/** A sentence with a moment, which a script says by the clock of the payer's device. A last day is that of the banks. */
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
