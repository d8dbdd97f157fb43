import { html } from 'hono/html';
import { encode } from 'uqr';
import type { Markup } from './markup.ts';

/** Modules of white around the code that a scanner needs: ISO/IEC 18004, quiet zone. */
const QUIET_ZONE = 4;

/**
 * A QR code as SVG, black on white in dark mode too. The content is encoded byte for byte.
 *
 * @param name the text for screen readers
 */
export function qrSvg(content: string, name: string): Markup {
  const { data, size } = encode(content, { ecc: 'M', border: QUIET_ZONE });
  return html`<svg
    class="qr"
    role="img"
    aria-label="${name}"
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path fill="#000" d="${data.map(row).join('')}" />
  </svg>`;
}

/** The dark runs of one row as rectangles of a path. */
function row(modules: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < modules.length; x += 1) {
    if (modules[x] !== true) continue;
    const start = x;
    while (modules[x + 1] === true) x += 1;
    const width = x - start + 1;
    path += `M${start} ${y}h${width}v1h-${width}z`;
  }
  return path;
}
