/** What a payer without scripts sees of a page and does on it. */
export interface Seen {
  readonly status: number;
  readonly text: string;
  /** What a reader reads of it. */
  readonly said: string;
  readonly heading: string;
  /** The links by what they say. */
  readonly links: ReadonlyMap<string, string>;
  /** Where its forms are sent to, but for the switch of languages, which is on every page. */
  readonly forms: readonly string[];
  /** Where it goes on to by itself. */
  readonly goesOnTo: string | undefined;
}

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .trim();

/** Reads a page as it is written. */
export function readPage(status: number, text: string): Seen {
  const links = [...text.matchAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/g)];
  const refresh = /<meta http-equiv="refresh" content="\d+;url=([^"]+)"/.exec(text)?.[1];
  return {
    status,
    text,
    said: plain((/<main>([\s\S]*)<\/main>/.exec(text)?.[1] ?? text).replaceAll(/<[^>]* hidden[ >][\s\S]*?<\//g, '')),
    heading: plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(text)?.[1] ?? ''),
    links: new Map(links.map(([, href = '', said = '']) => [plain(said), href.replaceAll('&amp;', '&')])),
    forms: [...text.matchAll(/<form[^>]*\baction="([^"]*)"/g)]
      .map(([, action = '']) => action.split('/').at(-1) ?? '')
      .filter((action) => action !== 'language'),
    goesOnTo: refresh?.replaceAll('&amp;', '&'),
  };
}

export async function look(address: string, language = 'en'): Promise<Seen> {
  const reply = await fetch(address, { headers: { 'accept-language': language } });
  return readPage(reply.status, await reply.text());
}

/** Sends a form of the page and shows what comes of it, as a browser does. */
export async function press(
  page: string,
  action: string,
  fields: Readonly<Record<string, string>> = {},
  language = 'en',
): Promise<Seen> {
  const reply = await fetch(`${page}/${action}`, {
    method: 'POST',
    headers: { 'accept-language': language },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  const location = reply.headers.get('location');
  if (location !== null) return look(new URL(location, page).href, language);
  return readPage(reply.status, await reply.text());
}

/** The value that stands in an input of the page. */
export const valueOf = ({ text }: Seen, name: string): string | undefined =>
  new RegExp(`<(?:input|select)[^>]*\\bvalue="([^"]*)"[^>]*name="${name}"`).exec(text)?.[1];
