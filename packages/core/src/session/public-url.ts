import { TEXTS } from '../issues/texts.ts';
import { checkedString } from './fields.ts';

/** Present in every browser and in Node; declared here because this package is compiled without either's types. */
declare const URL: { canParse(text: string): boolean; new (text: string): { readonly hostname: string } };

/** A name with a dot and a top level of letters: no address in digits, no `localhost`, no name of an inner network. */
const PUBLIC_HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/;
const INNER = /\.(?:local|localhost|internal|lan|home|corp|intranet|arpa|test|invalid|onion)$/;

/**
 * An address that any caller on the internet could reach, by https unless `http` is allowed too. Only its text is judged
 * here; the caller must still check where its name resolves to.
 */
export function publicUrl({ http = false }: { readonly http?: boolean } = {}) {
  const form = http ? /^https?:\/\/[^\s\\@]+$/ : /^https:\/\/[^\s\\@]+$/;
  return checkedString((text) => problem(text, form));
}

function problem(text: string, form: RegExp): string | undefined {
  if (text.length > 1024) return TEXTS.tooLong(1024);
  if (!form.test(text) || !URL.canParse(text)) return TEXTS.url;
  const host = new URL(text).hostname;
  return PUBLIC_HOST.test(host) && !INNER.test(host) ? undefined : TEXTS.url;
}
