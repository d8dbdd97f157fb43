import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createEnteredCodes, createSecurityCodes } from '../../src/cards/index.ts';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import type { Db } from '../../src/storage/index.ts';
import { cardConfig, type MerchantChange } from './card-config.ts';
import { cardProvider } from './card-provider.ts';
import { tokenBody } from './hosted-fields.ts';
import { serviceContext } from './service-context.ts';

type Codes = ReturnType<typeof createEnteredCodes>;

/** Two processes on one database, each with a memory of its own, for what must happen between two steps of them. */
export async function fieldsProcesses(db: Db, ofMerchant: MerchantChange = {}) {
  const provider = await cardProvider();
  const given = cardConfig({ providerUrl: provider.url, callbackUrl: 'http://127.0.0.1:1', port: 0 }, ofMerchant);
  const { context, close } = serviceContext(db, given, Date.now);
  const codesFor = (hear: (text: string) => void): Codes =>
    createEnteredCodes(context.vault, (text) => (queueMicrotask(() => hear(text)), true), context.log);
  const one = codesFor((text) => other.heard(text));
  const other = codesFor((text) => one.heard(text));
  const processes = [one, other].map((enteredCodes) => {
    const own = { ...context, enteredCodes, securityCodes: createSecurityCodes() };
    const app = createApp(own, createChanges());
    const post = async (path: string, body: unknown, token = '') => {
      const headers = { 'content-type': 'application/json', token };
      const reply = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: reply.status, json: Object(await reply.json()) };
    };
    return {
      context: own,
      app,
      codes: enteredCodes,
      token: async (): Promise<string> =>
        (await post('/api/v1/session/token', tokenBody({}, { number: `fields-${randomUUID()}` }))).json.token,
      enter: (token: string, typed: object) => post('/fields/card', typed, token),
      pay: (token: string, body: object) => post('/api/v1/processing/purchase/card', body, token),
    };
  });
  onTestFinished(async () => {
    for (const each of processes) each.codes.clear();
    await Promise.all([close(), provider.close()]);
  });
  const [first, second] = processes;
  if (first === undefined || second === undefined) throw new Error('There are two.');
  return {
    one: first,
    other: second,
    provider,
    stores: context.stores,
    session: (token: string) => context.stores.sessions.findByTokenHash(context.pageTokens.hash(token)),
  };
}
