import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { sweepNotifications } from '../../src/notifications/receive.ts';
import { sealedAt, sealJson } from '../../src/secrets/index.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig } from '../support/service.ts';

const database = useDatabase();

test('a kept notification that cannot be read any more is reported, and holds up no other', async () => {
  const provider = await pixProvider();
  let at = Date.parse('2026-11-21T12:00:00Z');
  const made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), () => at);
  const lines: string[] = [];
  const context = { ...made.context, log: createLog({ write: (line) => lines.push(line) }) };
  const { notifications } = context.stores;
  const keep = async (midId: string, body?: string) => {
    const id = randomUUID();
    const raw = { method: 'POST', url: '', path: '', headers: {} };
    const request = sealJson(context.sealer, raw, sealedAt.notificationRequest(id));
    // Sealed for another row it does not open.
    const sealed = context.sealer.seal(body ?? '{}', sealedAt.notificationBody(body === undefined ? randomUUID() : id));
    const connectorId = context.config.connectors[0]?.id ?? '';
    await notifications.keep({ id, connectorId, midId, request, body: Buffer.from(sealed), holdMs: 0 });
    at += 1;
    return id;
  };
  const unreadable = await keep('pix-main');
  const unread = await keep('pix-main', '{}');
  const dropped = await keep('nobody', '{}');

  expect(await sweepNotifications(context, 10)).toBe(3);
  const stateOf = async (id: string) => (await notifications.find(id))?.state;
  expect(await Promise.all([unreadable, unread, dropped].map(stateOf))).toEqual(['received', 'refused', 'failed']);
  const logged = lines.map((line): { event?: string; notification?: string } => JSON.parse(line));
  expect(logged.map(({ event, notification }) => [event, notification])).toEqual([
    ['notification-failed', unreadable],
    ['needs-attention', unread],
    ['needs-attention', dropped],
  ]);
  await made.close();
  await provider.close();
});
