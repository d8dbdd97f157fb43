import { buffer } from 'node:stream/consumers';
import Document from 'pdfkit';
import { barWidths } from './bar-widths.ts';
import { fontFor, printed, type Weight } from './ticket-fonts.ts';
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
  const write = writerOf(doc, root);
  write([{ tag: 'H1', text: ticket.title, size: 22, weight: 'bold' }]);
  for (const text of ticket.about) write([{ text, size: 12 }]);
  write([{ text: ticket.amount, size: 28, weight: 'bold' }]);
  for (const { label, value } of ticket.details)
    write([
      { text: label, size: 10 },
      { text: value, size: 16, weight: 'bold' },
    ]);
  if (doc.y + GAP + BAR_HEIGHT + 2 * GAP > doc.page.height - MARGIN) doc.addPage();
  root.add(doc.struct('Figure', { alt: ticket.barcodeName }, () => drawBars(doc, widths)));
  write([{ text: ticket.barcode.text, size: 12 }]);
  for (const text of ticket.notes) write([{ text, size: 10 }]);
  if (write.lacking()) write([{ text: ticket.lacks, size: 10 }]);
  root.end();
  doc.end();
  return Uint8Array.from(await bytes);
}

interface Line {
  readonly tag?: 'H1';
  readonly text: string;
  readonly size: number;
  readonly weight?: Weight;
}

/** Writes lines that belong together, or none of them where no font has all their letters: the page beside the ticket says them. */
function writerOf(doc: PDFKit.PDFDocument, root: PDFKit.PDFStructureElement) {
  let lacking = false;
  const write = (lines: readonly Line[]) => {
    const ready = lines.flatMap((line) => {
      const text = printed(line.text);
      const font = fontFor(text, line.weight ?? 'regular');
      return font === undefined ? [] : [{ ...line, text, font }];
    });
    if (ready.length < lines.length) {
      lacking = true;
      return;
    }
    for (const { tag = 'P', size, text, font } of ready) {
      if (font.bytes !== undefined) doc.registerFont(font.name, font.bytes);
      root.add(
        doc.struct(tag, {}, () => {
          doc.font(font.name, size).text(text).moveDown(0.4);
        }),
      );
    }
  };
  return Object.assign(write, { lacking: () => lacking });
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
