import { type PayerBrowser, readPayerBrowser } from '@railyard/core/driver';
import type { Context } from 'hono';
import * as z from 'zod';

/** Longer headers come from no browser. */
const MOST_OF_HEADER = 2048;

const described = z.record(z.string(), z.unknown());

/**
 * The payer's browser by its headers and by what the page's script wrote into the form. Without a script the form says nothing:
 * `javaScriptEnabled` is then `false`, and what only a script can see is not known. A stranger may write anything here, so only what can
 * be true is kept.
 */
export function describedBrowser(c: Context, text: string | undefined): PayerBrowser {
  const [userAgent, accept, languages] = ['user-agent', 'accept', 'accept-language'].map((name) =>
    c.req.header(name)?.slice(0, MOST_OF_HEADER),
  );
  const script = readScript(text);
  return readPayerBrowser({
    language: languages?.split(/[,;]/)[0]?.trim(),
    ...script,
    userAgent,
    accept,
    javaScriptEnabled: script !== undefined,
  });
}

function readScript(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return described.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
