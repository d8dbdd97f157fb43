import type { Page } from '../view.ts';

/** For a page without scripts. The payer's time zone is not known on the server. */
export function timeOfDay({ language }: Pick<Page, 'language'>, time: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(time));
}

/** The last day of something that is paid elsewhere, where its zone is known; with the time, unless the day ends then. */
export function lastMoment(page: Pick<Page, 'language' | 'model'>, time: string): string {
  const { timeZone = 'UTC' } = page.model;
  const at = new Date(time);
  const day = { weekday: 'long', day: 'numeric', month: 'long', timeZone } as const;
  const clock = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  const endsDay = new Intl.DateTimeFormat('en', { ...clock, hourCycle: 'h23' }).format(at) === '23:59';
  const format =
    endsDay && page.model.timeZone !== undefined ? day : { ...day, ...clock, timeZoneName: 'short' as const };
  return new Intl.DateTimeFormat(page.language, format).format(at);
}
