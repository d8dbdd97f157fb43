import * as barcodes from 'bwip-js/node';
import type { Ticket } from './ticket.ts';

/** Names of the library. */
const SYMBOLOGIES = { itf: 'interleaved2of5', 'code-128': 'code128' } as const;

/** The library makes wide bars twice as wide as narrow ones, the least that the standard allows; at three times every scanner tells them apart. */
const WIDE = { drawn: 2, printed: 3 } as const;

/**
 * The widths of bars and spaces in turn, in modules, beginning with a bar (ISO/IEC 16390 and 15417).
 *
 * @throws where the text cannot be written in the symbology
 */
export function barWidths({ symbology, text }: Ticket['barcode']): readonly number[] {
  const [drawn] = barcodes.default.raw({ bcid: SYMBOLOGIES[symbology], text });
  if (drawn === undefined || !('sbs' in drawn)) throw new Error(`A bar code of ${symbology} has no bars.`);
  if (symbology === 'code-128') return drawn.sbs;
  return drawn.sbs.map((width) => (width === WIDE.drawn ? WIDE.printed : width));
}
