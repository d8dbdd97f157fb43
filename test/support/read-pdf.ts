import { inflateSync } from 'node:zlib';

/** A bar of a code: its place from the left and from the top, and its size. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a reader of PDF finds in a document, without the library that wrote it. */
export interface ReadPdf {
  /** The lines in the order of drawing. */
  readonly lines: readonly string[];
  readonly bars: readonly Bar[];
  /** Objects and streams as text: everything that is in the file. */
  readonly everything: string;
}

/** A stream’s dictionary has its length: its last byte may be the end of a line as well (ISO 32000-1, 7.3.8.1). */
const STREAM = /\/Length (\d+)\b[^]*?\nstream\r?\n/g;

interface Stream {
  /** Where the stream is in the file: from its length to its last byte. */
  readonly from: number;
  readonly to: number;
  readonly content: string;
}

function* streamsOf(text: string): Generator<Stream> {
  const pattern = new RegExp(STREAM);
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const to = pattern.lastIndex + Number(found[1]);
    const body = text.slice(pattern.lastIndex, to);
    // Streams that describe the document are not compressed; zlib's data begin with an x.
    const content = body.startsWith('x') ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1') : body;
    yield { from: found.index, to, content };
    pattern.lastIndex = to;
  }
}

/** Fonts that are embedded, each with the characters of its glyphs. */
type Fonts = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A font of the document’s own names its glyphs in a stream that is found by its number (ISO 32000-1, 9.10.3). */
function fontsOf(text: string, streamOf: (object: string) => string): Fonts {
  const fonts = [...text.matchAll(/^\/(F\d+) (\d+) 0 R$/gm)].map(([, name = '', object]) => {
    const [, unicode] = new RegExp(`^${object} 0 obj\\n[^]*?(?:/ToUnicode (\\d+) 0 R|endobj)`, 'm').exec(text) ?? [];
    const ranges =
      unicode === undefined ? [] : [...streamOf(unicode).matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)];
    const glyphs = ranges.flatMap(([, first = '', characters = '']) =>
      [...characters.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = ''], at): [string, string] => [
        (Number.parseInt(first, 16) + at).toString(16).padStart(4, '0'),
        Buffer.from(hex, 'hex').swap16().toString('utf16le'),
      ]),
    );
    return [name, new Map(glyphs)] as const;
  });
  return new Map(fonts);
}

/** A glyph that no character has, which is printed as a box, is read as one. */
const BOX = '\u25a1';

const charactersOf = (hex: string, glyphs: ReadonlyMap<string, string> | undefined): string =>
  glyphs === undefined || glyphs.size === 0
    ? new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'))
    : [...hex.matchAll(/.{4}/g)].map(([glyph]) => (glyph === '0000' ? BOX : (glyphs.get(glyph) ?? BOX))).join('');

/** The texts of a stream: each is shown in the font before it, by an array of hexadecimal strings with distances between them. */
const linesOf = (content: string, fonts: Fonts): string[] =>
  [...content.matchAll(/\/(F\d+) [\d.]+ Tf\n\[([^\]]*)\] TJ/g)].map(([, font = '', parts = '']) =>
    [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => charactersOf(hex, fonts.get(font))).join(''),
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
  const streams = [...streamsOf(text)];
  const streamOf = (object: string) => {
    const start = text.indexOf(`\n${object} 0 obj\n`);
    return streams.find(({ from }) => from > start)?.content ?? '';
  };
  const fonts = fontsOf(text, streamOf);
  const contents = streams.map(({ content }) => content);
  const drawings = contents.filter((each) => each.includes(' TJ'));
  const outside = streams.map(({ to }, at) => text.slice(to, streams[at + 1]?.from));
  return {
    lines: drawings.flatMap((each) => linesOf(each, fonts)),
    bars: drawings.flatMap(barsOf),
    everything: [text.slice(0, streams[0]?.from), ...outside, ...contents].join('\n'),
  };
}
