import { preview } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { acquirerConnector as connector, card as method } from '../src/index.ts';
import { paymentOf, visa } from './support/rig.ts';

test('a preview of a sale shows the request, and nothing of the card', () => {
  const settings = connector.settings.parse({
    base_url: 'https://acquirer.example',
    api_key: 'key-of-the-account',
    webhook_secret: 'secret-of-the-notifications',
  });
  const payment = paymentOf('ref-1', { card: visa('01/38'), parameters: { descriptor: 'SHOP BOOKS' } });
  const urls = { notify: 'https://pay.example/notify', return: 'https://pay.example/return' };
  const context = { payment, settings, now: '2026-11-21T10:00:00Z', urls };
  const run = { id: 'run-1', connector, method, flow: 'purchase' as const, settings, mid: 'm1', context };
  const { requests, end } = preview(run, { origins: { descriptor: 'session' } });
  expect(end).toBe('settled');
  expect(requests).toHaveLength(1);
  const values = Object.fromEntries(
    requests[0]?.values.map(({ place, value, from }) => [place, { value, from }]) ?? [],
  );
  expect(requests[0]).toMatchObject({ endpoint: 'create-sale', method: 'POST', path: '/v1/sales' });
  expect(values).toMatchObject({
    'headers.x-api-key': { value: '•••', from: ['settings.api_key'] },
    'json.amount': { value: '2500', from: ['order.amount'] },
    'json.currency': { value: 'USD' },
    'json.card.number': { value: '•••', from: ['card.number'] },
    'json.card.cvv': { value: '•••', from: ['card.cvv'] },
    'json.parameters.descriptor': { value: 'SHOP BOOKS' },
    'json.notification_url': { from: ['urls.notify'] },
    'json.return_url': { from: ['urls.return'] },
  });
  expect(JSON.stringify(requests)).not.toMatch(/key-of-the-account|secret-of-the-notifications|4111/);
});
