import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/index.ts';
import { allColumns } from '../support/all-columns.ts';
import { cardCanary } from '../support/card-canary.ts';
import { cardProvider, type CardProvider } from '../support/card-provider.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { hostedFields, PAYMENT } from '../support/hosted-fields.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { type ServiceProcess, spawnService } from '../support/spawn-service.ts';

describe('a canary in the fields of a service that is killed', () => {
  const { number, code, hasNumber, hasCode, hasCodeGiven } = cardCanary();
  let provider: CardProvider;
  let shop: Awaited<ReturnType<typeof receiver>>;
  let directory: DataDir;
  let running: ServiceProcess;

  beforeEach(async () => {
    [provider, shop, directory] = await Promise.all([cardProvider(), receiver(), newDataDir()]);
    const at = { provider: { url: provider.url, apiKey: '', webhookSecret: '' }, callbackUrl: shop.url };
    const given = { ...at, port: await freePort(), deployment: 'card', place: directory.place } as const;
    running = spawnService({ ...given, kill: 'never' });
    await running.ready;
  });
  afterEach(async () => {
    running.kill('SIGKILL');
    await running.ended;
    await Promise.all([provider.close(), shop.close(), directory.remove()]);
  });

  /** The files of a directory, whatever they hold. */
  const filesIn = (path: string): string[] =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((name) => join(path, name))
      .filter((file) => statSync(file).isFile());

  test.each(['once the card was entered', 'before the charge left', 'after the charge'])(
    '%s is in no file and no column',
    async (when) => {
      const fields = hostedFields(running.url);
      const token = await fields.token({ req_token: true });
      expect((await fields.enter(token, { number, expiry: '01/38', cvv: code })).status).toBe(200);
      if (when === 'once the card was entered') running.kill('SIGKILL');
      else await running.killItself(when === 'after the charge' ? 'after-reply' : 'before-call');
      const paid = fields.pay(token, { ...PAYMENT, name: 'Canaria Amarela' }).catch(() => undefined);
      await running.ended;
      await paid;
      expect(provider.asked.map(({ card: { cvv } }) => cvv)).toEqual(when === 'after the charge' ? [code] : []);
      // Whole files, with the log of what was written before. Four digits stand in any file by chance, but not as the value of something.
      const holds = (text: string) => hasNumber(text) || hasCodeGiven(text);
      expect(filesIn(directory.path).filter((file) => holds(readFileSync(file, 'latin1')))).toEqual([]);
      const { databaseUrl } = directory.place;
      const { db, close } = await openDatabase(databaseUrl === undefined ? directory.place : { url: databaseUrl });
      const columns = await allColumns(db);
      await close();
      expect(columns.some(({ place }) => place === 'sessions.entry_text')).toBe(true);
      expect(columns.filter(({ text }) => hasNumber(text) || hasCode(text))).toEqual([]);
      expect([hasNumber(running.said()), hasCode(running.said())]).toEqual([false, false]);
    },
  );
});
