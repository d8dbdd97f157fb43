import type { IncomingMessage, ServerResponse } from 'node:http';
import { readPath } from '@railyard/core';
import { familyConfig, familyProviders } from './family-service.ts';
import { bankTransferAccounts } from './bank-transfer-accounts.ts';
import { freePort, listen } from './listen.ts';
import { receiver } from './receiver.ts';
import { startOn } from './service.ts';

/** The one code that is right. */
export const RIGHT_CODE = '123456';
/** After this many wrong codes the bank of transfers in steps takes no more, a right one neither. */
export const BANKS_TRIES = 3;

const CODE_OF_TRANSFER = /^\/bank-gateway\/transfers\/([^/]+)\/code$/;
const DEBIT = '/bank-collection/collections';

/**
 * Stands before the simulated providers of bank transfers and judges the codes, which those take as they come: a bank that locks a transfer
 * after three wrong ones, and a collection provider that counts none. Everything else passes.
 */
async function judging(providerPort: number) {
  const wrong = new Map<string, number>();
  /** Each code that arrived, in order. */
  const codes: string[] = [];
  const judge = (path: string, body: string): { readonly code: string; readonly message: string } | undefined => {
    const [, transfer] = CODE_OF_TRANSFER.exec(path) ?? [];
    if (transfer === undefined && path !== DEBIT) return undefined;
    const sent = readPath(json(body), transfer === undefined ? 'bankDetails.otp' : 'otp');
    if (transfer === undefined && sent === undefined) return undefined;
    codes.push(String(sent));
    const said = 'The code is not right.';
    if (transfer === undefined) return sent === RIGHT_CODE ? undefined : { code: 'OTP_NOT_VALID', message: said };
    const before = wrong.get(transfer) ?? 0;
    if (before < BANKS_TRIES && sent === RIGHT_CODE) return undefined;
    wrong.set(transfer, before + 1);
    return { code: before + 1 < BANKS_TRIES ? 'not_right' : 'locked', message: said };
  };
  const front = await listen((request, body, response) => {
    const { url: path = '/' } = request;
    const refusal = request.method === 'POST' ? judge(path, body) : undefined;
    if (refusal !== undefined) return answer(response, 422, JSON.stringify(refusal));
    passOn(request, `http://127.0.0.1:${providerPort}${path}`, body).then(
      ({ status, text }) => answer(response, status, text),
      () => response.destroy(),
    );
  });
  return { ...front, codes };
}

const json = (body: string): unknown => (body === '' ? undefined : JSON.parse(body));

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(text);
}

async function passOn({ method = 'GET', headers }: IncomingMessage, url: string, body: string) {
  const kept = ['content-type', 'x-api-key', 'idempotency-key', 'x-request-key', 'authorization'].flatMap((name) => {
    const { [name]: value } = headers;
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const reply = await fetch(url, { method, headers: Object.fromEntries(kept), ...(method !== 'GET' && { body }) });
  return { status: reply.status, text: await reply.text() };
}

/** The running service with an account at each provider of bank transfers, of which two judge the payer’s codes. */
export async function countingBank() {
  const shop = await receiver();
  const providerPort = await freePort();
  const front = await judging(providerPort);
  const service = await startOn((port) =>
    familyConfig(bankTransferAccounts, {
      callbackUrl: shop.url,
      port,
      providerPort: Number(new URL(front.url).port),
    }),
  );
  const simulator = await familyProviders(bankTransferAccounts, service.url, providerPort);
  return {
    ...service,
    shop,
    simulator,
    codes: front.codes,
    async stop() {
      await service.stop();
      await Promise.all([front.close(), simulator.close(), shop.close()]);
    },
  };
}
