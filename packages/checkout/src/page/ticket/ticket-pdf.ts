import { buffer } from 'node:stream/consumers';
import Document from 'pdfkit';
import { barWidths } from './bar-widths.ts';
import type { Ticket } from './ticket.ts';

/** In points, of which an inch has 72. */
const MARGIN = 56;
/** A module of 0.5 mm is read by every scanner; a long code has narrower ones, so that it fits. */
const MODULE = 1.42;
const BAR_HEIGHT = 72;
/** Above and below the bars. */
const GAP = 12;
/** Modules of white beside the code that a scanner needs (ISO/IEC 15417, quiet zone). */
const QUIET_ZONE = 10;

/** The characters of the fonts that every viewer has. A text with others is left out: the page beside says it. */
const PRINTABLE = /^[\x20-\x7e\xa1-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+$/;

/** Spaces that do not break are spaces to these fonts. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/**
 * The ticket as a PDF, tagged so that it is read aloud in its order. Loaded when a ticket is asked for, because its libraries are large.
 *
 * @param now when it is made
 */
export async function ticketPdf(ticket: Ticket, now: Date): Promise<Uint8Array<ArrayBuffer>> {
  const widths = barWidths(ticket.barcode);
  const doc = new Document({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    lang: ticket.language,
    tagged: true,
    displayTitle: true,
    info: { Title: ticket.title, CreationDate: now },
  });
  const bytes = buffer(doc);
  const root = doc.struct('Document');
  doc.addStructure(root);
  const line = (tag: 'H1' | 'P', text: string, size: number, isBold = false) => {
    const shown = plain(text);
    if (!PRINTABLE.test(shown)) return;
    root.add(
      doc.struct(tag, {}, () => {
        doc
          .font(isBold ? 'Helvetica-Bold' : 'Helvetica', size)
          .text(shown)
          .moveDown(0.4);
      }),
    );
  };
  line('H1', ticket.title, 22, true);
  for (const text of ticket.about) line('P', text, 12);
  line('P', ticket.amount, 28, true);
  for (const { label, value } of ticket.details) {
    line('P', label, 10);
    line('P', value, 16, true);
  }
  if (doc.y + GAP + BAR_HEIGHT + 2 * GAP > doc.page.height - MARGIN) doc.addPage();
  root.add(doc.struct('Figure', { alt: ticket.barcodeName }, () => drawBars(doc, widths)));
  line('P', ticket.barcode.text, 12);
  for (const text of ticket.notes) line('P', text, 10);
  root.end();
  doc.end();
  return Uint8Array.from(await bytes);
}

/** Black on white at the line that follows, which then is below it. */
function drawBars(doc: PDFKit.PDFDocument, widths: readonly number[]): void {
  const modules = widths.reduce((sum, width) => sum + width, 2 * QUIET_ZONE);
  const module = Math.min(MODULE, (doc.page.width - 2 * MARGIN) / modules);
  const top = doc.y + GAP;
  let x = MARGIN + QUIET_ZONE * module;
  for (const [at, width] of widths.entries()) {
    if (at % 2 === 0) doc.rect(x, top, width * module, BAR_HEIGHT);
    x += width * module;
  }
  doc.fill('#000');
  doc.y = top + BAR_HEIGHT + GAP;
}
