import type { Page } from '../view.ts';

/** For a page without scripts. The payer's time zone is not known on the server. */
export function timeOfDay({ language }: Pick<Page, 'language'>, time: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(time));
}
