import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { RULES, ruleSource } from '../rules/sources.ts';

/** Every script of the page, with the reason why it is there: PCI DSS 6.4.3 asks for both. */
export const SCRIPTS = {
  'live-status': 'shows the result as soon as it is known',
  countdown: 'counts down how long a code or the page is valid',
  card: 'formats and checks what is typed about a card',
  fields: 'speaks with the merchant’s page that holds payment fields, and sends the card',
  copy: 'copies a code or a detail',
  address: 'offers the states of the chosen country',
  forms: 'checks entries before they are sent and stops a second press of a button',
  browser: 'says what the browser is like, for 3-D Secure',
  wallet: 'offers the digital wallet that the device has, and sends its token',
  'local-times': 'says times by the clock of the payer’s device',
  leave: 'goes on to the next page by itself',
  height: 'tells the merchant’s page that frames it how high it is',
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

/** The build copies the folder `assets` beside the bundle, so the same address works there and in the sources. */
const read = (file: string): string => readFileSync(new URL(`./assets/${file}`, import.meta.url), 'utf8');

function asset(
  name: string,
  extension: 'css' | 'js',
  contentType: string,
  body = read(`${name}.${extension}`),
): PageAsset {
  const digest = createHash('sha384').update(body).digest();
  return {
    path: `/assets/${name}.${digest.toString('hex').slice(0, 16)}.${extension}`,
    contentType,
    body,
    integrity: `sha384-${digest.toString('base64')}`,
  };
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';

export const stylesheet: PageAsset = asset('checkout', 'css', 'text/css; charset=utf-8');
/** Of the frames with payment fields. */
export const fieldsStylesheet: PageAsset = asset('fields', 'css', 'text/css; charset=utf-8');

/** An import names its file; in the browser it stands under its hash. A module imports only those before it. */
const IMPORT = /'(?:\.{1,2}\/)+(?:[\w-]+\/)*([\w-]+)\.js';/g;

/** The modules that scripts import, by name: the rules that the server has too, and what formats by them. */
const modules = new Map<string, PageAsset>();
for (const name of RULES) modules.set(name, module(name, ruleSource(name)));
for (const name of ['card-format', 'card-brands', 'notes']) modules.set(name, module(name));

function module(name: string, source = read(`${name}.js`)): PageAsset {
  const body = source.replaceAll(IMPORT, (_all, imported: string) => {
    const path = modules.get(imported)?.path;
    if (path === undefined) throw new Error(`${name}.js imports ${imported}.js, which is no module before it.`);
    return `'${path}';`;
  });
  return asset(name, 'js', JAVASCRIPT, body);
}

const scripts: ReadonlyMap<string, PageAsset> = new Map(Object.keys(SCRIPTS).map((name) => [name, module(name)]));

/** Everything that a script imports, to be loaded beside it. */
export function importsOf(name: ScriptName): readonly PageAsset[] {
  return [...modules.values()].filter(({ path }) => isImported(script(name), path));
}

/** Directly, or by another module. */
function isImported({ body }: PageAsset, path: string): boolean {
  return (
    body.includes(path) || [...modules.values()].some((each) => body.includes(each.path) && isImported(each, path))
  );
}

export function script(name: ScriptName): PageAsset {
  const found = scripts.get(name);
  if (found === undefined) throw new Error(`There is no script ${name}.`);
  return found;
}

/** Everything that is served under `/assets/`, by path. Serve with `cache-control: public, max-age=31536000, immutable`. */
export const pageAssets: ReadonlyMap<string, PageAsset> = new Map(
  [stylesheet, fieldsStylesheet, ...modules.values(), ...scripts.values()].map((one) => [one.path, one]),
);

/** The scripts that merchants' pages load, by name. Their addresses stay the same; serve them to every origin. */
export const merchantScripts: ReadonlyMap<string, PageAsset> = new Map(
  ['hosted-fields', 'pay-session'].map((name) => [`${name}.js`, asset(name, 'js', JAVASCRIPT)]),
);
