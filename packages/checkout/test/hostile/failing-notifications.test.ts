import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { sweepNotifications, takeNotification } from '../../src/notifications/receive.ts';
import { useDatabase } from '../support/database.ts';
import { listen } from '../support/listen.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig } from '../support/service.ts';

const database = useDatabase();

test('a notification that fails is tried later each time, and after its last try an operator is notified', async () => {
  const provider = await pixProvider();
  let at = Date.parse('2026-11-21T12:00:00Z');
  const made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), () => at);
  const lines: string[] = [];
  let tries = 0;
  const payments = new Proxy(made.context.stores.payments, {
    get: (target, name, self): unknown =>
      name === 'findByProviderReference'
        ? () => {
            tries += 1;
            throw new Error('This text is nothing that can be looked for.');
          }
        : Reflect.get(target, name, self),
  });
  const context = {
    ...made.context,
    stores: { ...made.context.stores, payments },
    log: createLog({ write: (line) => lines.push(line) }),
  };
  const mid = context.directory.mid('pix-main');
  if (mid === undefined) throw new Error('There is no such MID.');
  const sent = await signedNotification(provider, at);

  expect(
    (await takeNotification(context, mid, { body: sent.body.toString('utf8'), headers: sent.headers })).status,
  ).toBe(204);
  expect(tries).toBe(1);
  const stored = () => database.db.selectFrom('providerNotifications').selectAll().executeTakeFirstOrThrow();
  const waits: number[] = [];
  for (let found = await stored(); found.state === 'received' && waits.length < 100; found = await stored()) {
    waits.push(found.nextTryAt.getTime() - at);
    at = found.nextTryAt.getTime();
    expect(await sweepNotifications(context, 10)).toBe(1);
  }
  expect(tries).toBe(60);
  expect(waits.slice(0, 5)).toEqual([5000, 10_000, 20_000, 40_000, 80_000]);
  expect(waits.at(-1)).toBe(600_000);
  expect((await stored()).state).toBe('failed');
  expect(lines.filter((line) => line.includes('needs-attention'))).toHaveLength(1);
  await made.close();
  await provider.close();
});

/** A notification as the double sends it, caught on its way. */
async function signedNotification(provider: Awaited<ReturnType<typeof pixProvider>>, at: number) {
  const caught: { body: Buffer; headers: Record<string, string> }[] = [];
  const trap = await listen((request, body, response) => {
    caught.push({
      body: Buffer.from(body),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    });
    response.end();
  });
  const id = `charge-${randomUUID()}`;
  await provider.notify(
    trap.url,
    { id, external_id: 'ours', kind: 'charge', amount: '10.00', code: '', status: 'PAID' },
    { at },
  );
  await trap.close();
  const [sent] = caught;
  if (sent === undefined) throw new Error('The double sent nothing.');
  return sent;
}
