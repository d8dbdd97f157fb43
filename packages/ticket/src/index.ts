import { buffer } from 'node:stream/consumers';
import Document from 'pdfkit';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';
import * as barcodes from 'bwip-js/node';

/** A slip that is paid at a counter, as a document. It says nothing that the payment page does not say in words. */
export interface Ticket {
  /** A BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  /** Who is paid and what for, above the amount. */
  readonly about: readonly string[];
  readonly amount: string;
  readonly details: readonly { readonly label: string; readonly value: string }[];
  /** Below the details. */
  readonly notes: readonly string[];
  /** `itf` takes digits, an even number of them; `code-128` takes ASCII. */
  readonly barcode: { readonly symbology: 'itf' | 'code-128'; readonly text: string };
  /** Where a text is left out, because no font has its letters. */
  readonly lacks: string;
  /** The words of a screen reader for the bar code. */
  readonly barcodeName: string;
}

/** Names of the library. */
const SYMBOLOGIES = { itf: 'interleaved2of5', 'code-128': 'code128' } as const;

/** The library makes wide bars twice as wide as narrow ones, the least that the standard allows; at three times every scanner tells them apart. */
const WIDE = { drawn: 2, printed: 3 } as const;

/**
 * The widths of bars and spaces in turn, in modules, beginning with a bar (ISO/IEC 16390 and 15417).
 *
 * @throws where the text cannot be written in the symbology
 */
function barWidths({ symbology, text }: Ticket['barcode']): readonly number[] {
  const [drawn] = barcodes.default.raw({ bcid: SYMBOLOGIES[symbology], text });
  if (drawn === undefined || !('sbs' in drawn)) throw new Error(`A bar code of ${symbology} has no bars.`);
  if (symbology === 'code-128') return drawn.sbs;
  return drawn.sbs.map((width) => (width === WIDE.drawn ? WIDE.printed : width));
}

/** The characters of the fonts that every viewer has. */
const STANDARD = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** Scripts that are written from left to right, unjoined: the library orders and joins no letters, and places no marks. */
const SIMPLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u;
const HARD = /[\p{C}\p{M}]/u;

/** As wide as Helvetica, so that a ticket looks the same with either. */
const EMBEDDED = {
  regular: { name: 'Arimo', at: import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf') },
  bold: { name: 'Arimo-Bold', at: import.meta.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf') },
} as const;

type Weight = keyof typeof EMBEDDED;

const standardName = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const;

interface Embedded {
  readonly name: string;
  readonly bytes: Buffer;
  readonly characters: ReadonlySet<number>;
}

const read = new Map<Weight, Embedded>();

/** Read with the first text that needs it, and kept: it does not change. */
function embedded(weight: Weight): Embedded {
  const known = read.get(weight);
  if (known !== undefined) return known;
  const { name, at } = EMBEDDED[weight];
  const bytes = readFileSync(fileURLToPath(at));
  const font = create(bytes);
  if (!('characterSet' in font)) throw new Error(`${at} holds more than one font.`);
  const found = { name, bytes, characters: new Set(font.characterSet) };
  read.set(weight, found);
  return found;
}

/** A text as it is printed: letters in one piece, spaces that are spaces, and nothing without ink. */
const printed = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ');

/** The font that has every letter of a text; its bytes, where they are to be embedded. */
function fontFor(text: string, weight: Weight): { readonly name: string; readonly bytes?: Buffer } | undefined {
  if (STANDARD.test(text)) return { name: standardName[weight] };
  if (!SIMPLE.test(text) || HARD.test(text)) return undefined;
  const { name, bytes, characters } = embedded(weight);
  return [...text].every((letter) => characters.has(letter.codePointAt(0) ?? 0)) ? { name, bytes } : undefined;
}

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
 * The ticket as a PDF of A4 pages, tagged so that a screen reader reads it in order.
 *
 * @param now the date of the document
 * @throws Error for a bar code that its symbology cannot write
 * @example
 * const bytes = await ticketPdf(ticket, new Date());
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
