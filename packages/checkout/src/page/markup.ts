import type { html } from 'hono/html';

/** A piece of the page. Only the tagged template `html` makes one, and it escapes every value put into it. */
export type Markup = ReturnType<typeof html>;

/** A whole document as text. */
export function written(document: Markup): string {
  if (document instanceof Promise) throw new TypeError('A page is drawn from data that is all there.');
  return document.toString();
}
