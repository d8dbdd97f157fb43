import { readDriftLine } from '@railyard/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allColumns } from '../support/all-columns.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { openPlace } from '../support/jobs.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

/** What must stand nowhere but in the provider's answer: as a value, and where names are. */
const CANARIES = {
  number: '4929000000000006',
  mail: 'canary.payer@example.com',
  token: 'tok_9aB3xK7pQ2mZ8vL4',
  name: 'Canary Bird',
};

let provider: PixProvider;
let shop: Receiver;
let directory: DataDir;
let service: Awaited<ReturnType<typeof start>>;

const start = () => startOn((port) => pixConfig(provider, shop.url, port, directory.place));

beforeEach(async () => {
  [provider, shop, directory] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  service = await start();
});

afterEach(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
  await directory.remove();
});

const pay = async () => pressPay(await createPage(service.url, sessionBody()));

/** The provider's answers with other fields. */
const withFields = (fields: object, without: readonly string[] = []) => {
  provider.reshape = (status, json) => {
    const all = Object.entries({ ...(typeof json === 'object' ? json : {}), ...fields });
    return { status, json: Object.fromEntries(all.filter(([name]) => !without.includes(name))) };
  };
};

async function counted() {
  const counts = await service.drift();
  return counts.map(({ endpoint, kind, reply, status, place, form, seen }) =>
    [seen, endpoint, kind, reply, status, place, form].join(' ').trim(),
  );
}

describe('a service whose provider changes', () => {
  test('counts new fields, missing optional ones, new words and new error shapes of its endpoints', async () => {
    withFields({ risk_level: 'low', fees: [1] }, ['expires_at']);
    await pay();
    await pay();
    withFields({ status: 'IN_REVIEW', expires_at: '2030-01-01T00:00:00Z' });
    await pay();
    provider.reshape = () => ({ status: 429, json: { retry: 3, error: { kind: 'busy' } } });
    await pay();
    withFields({}, ['qr_code_id', 'expires_at']);
    await pay();
    const found = (await counted()).filter((line) => line.includes('create-charge'));
    expect(found).toEqual([
      '1 create-charge error-shape  429 error,retry object,number',
      '1 create-charge error-shape created 201 amount,base_64_image,currency,external_id,pix_copy_and_paste,status string,string,string,string,string,string',
      '2 create-charge missing-optional created 0 expires_at',
      '1 create-charge missing-required created 201 qr_code_id',
      '3 create-charge reply created 0',
      '1 create-charge status-word  0 IN_REVIEW',
      '2 create-charge unnamed-field created 0 fees array',
      '2 create-charge unnamed-field created 0 risk_level string',
    ]);
  });

  test('counts a new word of a proven notification, and none of one that is forged', async () => {
    await pay();
    const entry = { ...(provider.ledger[0] ?? expect.fail()), status: 'DISPUTED_AGAIN' };
    const url = `${service.url}/notify/pix-main`;
    expect(await provider.notify(url, entry, { secret: 'not-the-secret' })).toBe(401);
    expect((await counted()).filter((line) => line.includes('status-word'))).toEqual([]);
    expect(await provider.notify(url, entry)).toBe(204);
    expect((await counted()).filter((line) => line.includes('status-word'))).toEqual([
      '1 {notification} status-word  0 DISPUTED_AGAIN',
    ]);
  });

  test('keeps its counts when it stops, and adds to them when it runs again', async () => {
    withFields({ risk_level: 'low' });
    await pay();
    await service.stop();
    const lines = service.lines.map((line) => readDriftLine(JSON.parse(line))).filter((line) => line !== undefined);
    expect(lines.find(({ kind }) => kind === 'unnamed-field')).toMatchObject({ place: 'risk_level', seen: 1 });
    service = await start();
    await pay();
    await pay();
    expect((await counted()).find((line) => line.includes('risk_level'))).toMatch(/^3 /);
  });

  test('logs a count when it is first seen and when it has doubled, and the lines add up to it', async () => {
    withFields({ risk_level: 'low' });
    for (let payment = 0; payment < 5; payment += 1) {
      await pay();
      await service.drift();
    }
    await service.stop();
    const lines = service.lines.map((line) => readDriftLine(JSON.parse(line))).filter((line) => line !== undefined);
    const seen = lines.filter(({ place }) => place === 'risk_level').map((line) => line.seen);
    expect(seen).toEqual([1, 1, 2, 1]);
    service = await start();
  });
});

test('no value stands in the database or the log, whether it came as a value or as a name', async () => {
  const names = Object.fromEntries(Object.values(CANARIES).map((each) => [each, each]));
  withFields({ ...names, payer: { ...names, list: [names] }, [`id_${CANARIES.token}`]: names });
  await pay();
  withFields({ status: CANARIES.number, note: CANARIES.mail });
  await pay();
  provider.reshape = () => ({ status: 418, json: { ...names, message: CANARIES.mail, deep: names } });
  await pay();
  withFields({ amount: names, currency: CANARIES.mail, expires_at: CANARIES.token });
  await pay();
  const found = await counted();
  expect(found.filter((line) => line.includes('{key}')).length).toBeGreaterThan(2);
  await service.stop();
  const { db, close } = await openPlace(directory.place);
  const columns = await allColumns(db);
  await close();
  const drift = columns.filter(({ place }) => place.startsWith('reply_drift.'));
  expect(drift.length).toBeGreaterThan(20);
  const logged = service.lines.filter((line) => line.includes('"reply-drift"'));
  expect(logged.length).toBeGreaterThan(3);
  for (const canary of Object.values(CANARIES)) {
    expect(drift.filter(({ text }) => text.includes(canary))).toEqual([]);
    expect(logged.filter((line) => line.includes(canary))).toEqual([]);
  }
  service = await start();
});
