import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { sweepNotifications, takeNotification } from '../../src/notifications/receive.ts';
import { openText, sealedAt, sealJson } from '../../src/secrets/index.ts';
import { cardConfig } from '../support/card-config.ts';
import { NOTIFY_TOKEN } from '../support/card-connector.ts';
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

const CARD = { message: 'Card 4111 1111 1111 1111, CVV 739, was charged.' };
const TOLD = { event: 'e-1', id: 'p-1', status: 'PAID', amount: '10.00', currency: 'EUR', ...CARD };

test.each([
  ['is understood', { nested: { securityCode: { value: '739' }, number: 4_111_111_111_111_111 } }, 'without it'],
  ['brings an agreement in its form', { token: '4000000000000002' }, 'without its code'],
  ['names its event by the number', { event: 'e-4111111111111111' }, 'without its code'],
  ['is not understood', { amount: undefined, card: { code: '739' } }, 'without its code'],
] as const)(
  'a notification that repeats a card and %s is kept sealed and can be read again',
  async (kind, more, how) => {
    const config = cardConfig({ providerUrl: 'http://127.0.0.1:1', callbackUrl: 'http://127.0.0.1:1', port: 0 });
    const { context, close } = serviceContext(database.db, config, () => Date.parse('2026-11-21T12:00:00Z'));
    const id = randomUUID();
    const mid = context.directory.mid('cards');
    if (mid === undefined) throw new Error('There is no such MID.');
    const body = JSON.stringify({ ...TOLD, ...more }, null, 1);
    const answer = await takeNotification({ ...context, newId: () => id }, mid, {
      url: '/notify/cards?card%5Bcvv%5D=739',
      headers: { 'x-token': NOTIFY_TOKEN },
      body,
    });
    expect(answer.status).toBe(200);
    const stored = await context.stores.notifications.find(id);
    if (stored === undefined) throw new Error('The notification is not kept.');
    const kept = openText(context.sealer, Buffer.from(stored.body).toString('utf8'), sealedAt.notificationBody(id));
    const request = openText(context.sealer, stored.requestText, sealedAt.notificationRequest(id));
    const says = [/4111 ?1111/.test(kept), /\b739\b/.test(kept), request.includes(context.vault.fingerprint(body))];
    expect(says).toEqual([how === 'without its code', false, true]);
    expect(request).not.toContain('739');
    expect(await context.stores.notifications.find(id)).toMatchObject({
      state: kind === 'is not understood' ? 'refused' : 'received',
    });
    await close();
  },
);
