import { inflateSync } from 'node:zlib';

/** A bar of a code: its place from the left and from the top, and its size. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a reader of PDF finds in a document of standard fonts, without the library that wrote it. */
export interface ReadPdf {
  /** The lines in the order of drawing. */
  readonly lines: readonly string[];
  readonly bars: readonly Bar[];
  /** Objects and streams as text: everything that is in the file. */
  readonly everything: string;
}

const STREAM = /stream\r?\n([^]*?)\r?\nendstream/g;

/** The texts of a stream: each is shown by an array of hexadecimal strings with distances between them. */
const linesOf = (content: string): string[] =>
  [...content.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = '']) =>
    [...parts.matchAll(/<([0-9a-f]*)>/g)]
      .map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
      .join(''),
  );

const barsOf = (content: string): Bar[] =>
  [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }));

export function readPdf(bytes: Uint8Array): ReadPdf {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.startsWith('%PDF-1.')) throw new Error('It is no PDF.');
  // What describes the document is not compressed; zlib's data begin with an x.
  const streams = [...text.matchAll(STREAM)].map(([, body = '']) =>
    body.startsWith('x') ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1') : body,
  );
  const content = streams.filter((each) => each.includes(' TJ'));
  return {
    lines: content.flatMap(linesOf),
    bars: content.flatMap(barsOf),
    everything: `${text.replaceAll(STREAM, '')}\n${streams.join('\n')}`,
  };
}
