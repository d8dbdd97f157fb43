import { acquirerConnector } from '@railyard/connector-card';
import type { Connector } from '@railyard/core';
import { expect, test } from 'vitest';
import { account, acquirerService } from '../support/acquirer-service.ts';

/** The acquirer that tries the address by GET and wants a value of the query back. */
function trying(): Connector {
  const { notifications } = acquirerConnector;
  if (notifications === undefined) throw new Error('The acquirer sends no notifications.');
  const addressCheck: typeof notifications.addressCheck = ({ method, query }) =>
    method === 'GET' ? query['challenge'] : undefined;
  return { ...acquirerConnector, id: 'trying', notifications: { ...notifications, addressCheck } };
}

test("a provider's try of its address gets its value back as text, and leaves nothing behind", async () => {
  const service = await acquirerService({}, (settings) => [account('cards', settings, { connector: 'trying' })], {
    connectors: [trying()],
  });
  const answer = await fetch(`${service.url}/notify/cards?challenge=${encodeURIComponent('<b>7</b>')}`);
  expect([answer.status, await answer.text()]).toEqual([200, '<b>7</b>']);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const unproven = { method: 'POST', body: '{"event_id":"e"}' };
  expect((await fetch(`${service.url}/notify/cards?challenge=7`, unproven)).status).toBe(401);
  expect((await fetch(`${service.url}/notify/cards`)).status).toBe(401);
  await service.stop();
  expect(service.lines.filter((line) => line.includes('needs-attention'))).toEqual([]);
});
