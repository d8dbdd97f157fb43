import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Every script of the page, with the reason why it is there: PCI DSS 6.4.3 asks for both. */
export const SCRIPTS = {
  page: 'checks and sends forms, counts down, copies, says times, and goes on to the next page',
  'live-status': 'shows the result as soon as it is known',
  card: 'formats and checks what is typed about a card',
  fields: 'the same in a frame of hosted fields, which speaks with the merchant’s page and sends the card',
  wallet: 'offers the digital wallet that the device has, and sends its token',
  fragment: 'brings what stands behind the # of the address',
} as const;

export type ScriptName = keyof typeof SCRIPTS;

export interface PageAsset {
  /** The address, with the hash of the content in it: it can be cached for ever. */
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  /** For the attribute `integrity`. */
  readonly integrity: string;
}

/** The build puts scripts and styles beside the bundle (tools/page-files.ts), so the same address works there and in the sources. */
const FOLDER = new URL('./assets/', import.meta.url);

const read = (file: URL): string => readFileSync(file, 'utf8');

function asset(file: string, contentType: string, body = read(new URL(file, FOLDER))): PageAsset {
  const digest = createHash('sha384').update(body).digest();
  const at = file.lastIndexOf('.');
  return {
    path: `/assets/${file.slice(0, at)}.${digest.toString('hex').slice(0, 16)}${file.slice(at)}`,
    contentType,
    body,
    integrity: `sha384-${digest.toString('base64')}`,
  };
}

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

export const stylesheet: PageAsset = asset('checkout.css', CSS);
/** Of the frames with payment fields. */
export const fieldsStylesheet: PageAsset = asset('fields.css', CSS);

/** A script, and each file that it imports. */
export interface Script extends PageAsset {
  readonly imports: ReadonlySet<Script>;
}

const modules = new Map<string, Script>();

/** An import names its file; in the browser it stands under its hash. A built script has its imports in it. */
const IMPORT = /'(?:\.{1,2}\/)+(?:[\w-]+\/)*([\w-]+)\.js';/g;

function module(url: URL): Script {
  const before = modules.get(url.href);
  if (before !== undefined) return before;
  const imports = new Set<Script>();
  const body = read(url).replaceAll(IMPORT, (quoted) => {
    const imported = module(new URL(quoted.slice(1, -2), url));
    for (const each of [...imported.imports, imported]) imports.add(each);
    return `'${imported.path}';`;
  });
  const made = { ...asset(url.pathname.slice(url.pathname.lastIndexOf('/') + 1), JAVASCRIPT, body), imports };
  modules.set(url.href, made);
  return made;
}

export const script = (name: ScriptName): Script => module(new URL(`${name}.js`, FOLDER));

for (const name of Object.keys(SCRIPTS)) module(new URL(`${name}.js`, FOLDER));

/** Every file that a page loads from this service under `/assets/`, by path. Serve with `cache-control: public, max-age=31536000, immutable`. */
export const pageAssets: ReadonlyMap<string, PageAsset> = new Map(
  [stylesheet, fieldsStylesheet, ...modules.values()].map((one) => [one.path, one]),
);

/** The scripts that merchants' pages load, by name. Their addresses stay the same; serve them to every origin. */
export const merchantScripts: ReadonlyMap<string, PageAsset> = new Map(
  ['hosted-fields.js', 'pay-session.js'].map((file) => [file, asset(file, JAVASCRIPT)]),
);

type Bytes = Uint8Array<ArrayBuffer>;

const ENCODERS: ReadonlyMap<string, (text: string) => Promise<Bytes>> = new Map([
  ['br', promisify(brotliCompress)],
  ['gzip', (text) => promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION })],
]);

/** As `content-encoding` names them, smallest first. */
export const ENCODINGS: readonly string[] = [...ENCODERS.keys()];

const compressed = new Map<string, Promise<Bytes>>();

/**
 * The bytes of a file, compressed once, for the first browser that asks.
 *
 * @param encoding of `ENCODINGS`; with any other the file is not compressed
 */
export function encoded({ integrity, body }: Pick<PageAsset, 'integrity' | 'body'>, encoding: string): Promise<Bytes> {
  const key = `${encoding} ${integrity}`;
  const bytes = compressed.get(key) ?? ENCODERS.get(encoding)?.(body) ?? Promise.resolve(Buffer.from(body));
  compressed.set(key, bytes);
  // A failure is not kept: the next browser's request tries again.
  bytes.catch(() => compressed.delete(key));
  return bytes;
}
