import type { DigitalWallet } from '@railyard/core';
import type { Context } from 'hono';
import type { Route } from '../../merchants/directory.ts';
import { walletState } from './state.ts';
import { walletOf } from '../../cards/wallet.ts';
import { isFailed } from '../../payments/status.ts';
import { besideOf } from './state.ts';
import type { PageDeps } from '../deps.ts';
import { type HttpEnv, jsonError } from '../basics/answers.ts';
import type { LoadedSession } from './load-session.ts';
import { readForm } from '../basics/request.ts';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 65_536;

/**
 * Asks a wallet's vendor for the session of its payment sheet, with the merchant's certificate. The vendor's script names the address, and so
 * could anybody: only the vendor's own hosts are asked.
 */
export async function validateMerchant(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
): Promise<Response> {
  const { session } = loaded;
  const form = await readForm(c);
  const route = session.routes.find(({ key }) => key === form?.get('method'));
  const found = route && hasButton(context, loaded, route) ? walletOf(session, route) : undefined;
  const host = new URL(context.config.publicUrl).hostname;
  const asked = found?.wallet.validation?.(found.settings, form?.get('url') ?? '', host);
  if (asked === undefined) return jsonError(c, 400, 'This is no address at which the wallet confirms merchants.');
  const result = await context.transport.send({
    method: 'POST',
    url: asked.url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(asked.body),
    timeoutMs: TIMEOUT_MS,
    maxReplyBytes: MOST_BYTES,
    tls: asked.clientCertificate,
  });
  if (result.kind === 'reply' && result.status === 200)
    return c.body(result.body, 200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  const why = result.kind === 'reply' ? `It answered ${result.status}.` : result.why;
  context.log.warn({ event: 'wallet-validation', session: session.stored.id, host: new URL(asked.url).hostname, why });
  return jsonError(c, 502, 'The wallet did not confirm the merchant.');
}

/** Whether the page has the wallet's button now: the merchant's certificate is used for no other request. */
function hasButton(context: PageDeps, loaded: LoadedSession, route: Route): boolean {
  const { session, payment } = loaded;
  const isOpen = session.stored.state === 'open' && session.stored.expiresAt.getTime() > context.now();
  const mayBegin = payment === undefined || isFailed(payment) || besideOf(context, loaded) !== undefined;
  return isOpen && mayBegin && walletState(session, route)?.button !== undefined;
}

/** The file that proves to a wallet's vendor who owns this domain: the first merchant's that has one. */
export function domainFile({ directory }: PageDeps, { method, domainFile: file }: DigitalWallet) {
  return (c: Context<HttpEnv>): Response => {
    const texts = directory.merchants().flatMap(({ wallets }) => {
      const own = wallets.get(method);
      return own === undefined ? [] : [file?.text(own.settings)];
    });
    const text = texts.find((each) => each !== undefined);
    return text === undefined ? jsonError(c, 404, 'There is no such file.') : c.text(text);
  };
}
