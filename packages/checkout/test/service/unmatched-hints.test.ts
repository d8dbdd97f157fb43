import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { unmatchedHints } from '../../src/payments/change/deps.ts';
import { scheduleSync, syncNamed } from '../../src/payments/change/write.ts';
import { takeNotification } from '../../src/notifications/receive.ts';
import { beginPix } from '../support/begin-pix.ts';
import { collectionConfig } from '../support/collection-config.ts';
import { useDatabase } from '../support/database.ts';
import { listen } from '../support/listen.ts';
import { serviceContext } from '../support/service-context.ts';

const database = useDatabase();

test.each([
  ['that overtakes the answer with its reference leads to a lookup within a second of it', 'col-1', 1000],
  ['about something else does not', 'col-2', 20_000],
])('an unsigned notification %s', async (_what, id, soonest) => {
  const at = Date.parse('2026-11-21T12:00:00Z');
  const hint = { id, reference: `r${id}`, status: 'PAID', amount: '10.00', currency: 'BRL' };
  const hear = async () => {
    const mid = made.context.directory.mid('collection');
    if (mid === undefined) throw new Error('There is no such MID.');
    return takeNotification(made.context, mid, {
      body: JSON.stringify(hint),
      headers: { 'content-type': 'application/json' },
    });
  };
  const answer = async (response: ServerResponse) => {
    const { status } = await hear();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'col-1', status: 'PENDING', amount: '10.00', currency: 'BRL' }));
  };
  const provider = await listen((_request, _body, response) => void answer(response));
  const made = serviceContext(database.db, collectionConfig(provider.url, 'http://127.0.0.1:1', 0), () => at);
  const payment = await made.context.stores.payments.find(await beginPix(made.context, 'pix-collection'));
  expect(payment).toMatchObject({ state: 'pending', providerReference: 'col-1' });
  expect((payment?.pollAt?.getTime() ?? 0) - at).toBe(soonest);
  await made.close();
  await provider.close();
});

test('a hint about a payment wakes its lookup and those of what is under way for it', async () => {
  const at = Date.parse('2026-11-21T12:00:00Z');
  const provider = await listen((_request, _body, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'col-3', status: 'PENDING', amount: '10.00', currency: 'BRL' }));
  });
  const made = serviceContext(database.db, collectionConfig(provider.url, 'http://127.0.0.1:1', 0), () => at);
  const id = await beginPix(made.context, 'pix-collection');
  const { connectorId = '', midId = '' } = (await made.context.stores.payments.find(id)) ?? {};
  const woken: [string, number | undefined][] = [];
  const context = { ...made.context, wake: (work: string, inMs?: number) => void woken.push([work, inMs]) };
  const named = { connectorId, midId, providerReference: 'col-3' };
  const lookup = ['lookups', 1000];
  expect([await syncNamed(context, named), woken.splice(0)]).toEqual([true, [lookup]]);
  await sql`INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, created_at, updated_at)
    VALUES (${randomUUID()}::uuid, ${id}::uuid, ${midId}, 'refund', '1.00', 100, 'BRL', 'requested', now(), now())`.execute(
    database.db,
  );
  expect([await syncNamed(context, named), woken.splice(0)]).toEqual([true, [lookup, ['modification-lookups', 1000]]]);
  await scheduleSync(context, id);
  expect(woken).toEqual([lookup, ['modification-lookups', 1000]]);
  await made.close();
  await provider.close();
});

test('of unmatched hints only the last thousand are kept, and none that is long', () => {
  const hints = unmatchedHints();
  const named = (reference: string) => ({ connectorId: 'c', midId: 'm', providerReference: reference });
  for (let each = 0; each <= 1000; each += 1) hints.keep(named(`r${each}`));
  hints.keep(named('x'.repeat(257)));
  expect(['r0', 'r1', 'r1', 'r1000', 'x'.repeat(257)].map((each) => hints.take(named(each)))).toEqual([
    false,
    true,
    false,
    true,
    false,
  ]);
});
