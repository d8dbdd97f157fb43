import type { html } from 'hono/html';

/** A piece of the page. Only the tagged template `html` makes one, and it escapes every value put into it. */
export type Markup = ReturnType<typeof html>;
