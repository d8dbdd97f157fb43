import { withoutTrailingSlashes } from '@railyard/core/protocol';
import { type Given, type OptionSpec, textOf, UsageError } from '../commands/command.ts';

/** How long the service may take. */
const PATIENCE_MS = 60_000;
const USUAL_URL = 'http://127.0.0.1:8080';

export const SERVICE_OPTIONS = {
  url: { type: 'string', hint: 'URL', says: `of the running service; default: ${USUAL_URL}` },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Sends a request to a running service. @throws UsageError where none answers */
export async function askService(
  given: Given,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const url = `${withoutTrailingSlashes(textOf(given, 'url') ?? USUAL_URL)}${path}`;
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // Signed for this address alone.
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  if (reply === undefined)
    throw new UsageError(`No service answers at ${url}. Give the address of a running service with --url.`);
  return { status: reply.status, body: await reply.json().catch(() => null) };
}
