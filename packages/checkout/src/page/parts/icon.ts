import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

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
