import { createRegistry, resolveMethod } from '@railyard/core/registry';
import { paymentInput, preview, type Run } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { instantConnector, pix } from '../src/index.ts';

const registry = createRegistry([pix]);

function run(): { readonly run: Run; readonly origins: NonNullable<Parameters<typeof preview>[1]>['origins'] } {
  const checked = registry.validate(
    {
      merchant_key: '11111111-2222-4333-8444-555555555555',
      operation: 'purchase',
      methods: ['pix'],
      success_url: 'https://shop.example/thanks',
      hash: '0'.repeat(40),
      order: { number: 'order-1', amount: '10.00', currency: 'BRL', description: 'Two books' },
      parameters: { pix: { fine: '1.00', type_fine: 'VALUE', debtor_document: '52998224725' } },
    },
    { today: '2026-11-21' },
  );
  if (!checked.ok) throw new Error('The request is wrong.');
  const resolved = resolveMethod(registry, checked.session, 'pix', { mid: { branch_identifier: '0001' } });
  if (resolved.kind !== 'complete') throw new Error('The request is not complete.');
  const settings = instantConnector.settings.parse({
    base_url: 'https://provider.example',
    api_key: 'key-of-the-account',
    webhook_secret: 'secret-of-the-notifications',
  });
  const id = '7b0c6a52-6c55-4b8e-9a53-0f6c0a9d1c11';
  const payment = paymentInput({
    session: checked.session,
    resolved: resolved.value,
    id,
    merchantReference: id,
    test: true,
  });
  const urls = { notify: 'https://pay.example/notify', return: 'https://pay.example/return' };
  const context = { payment, settings, now: '2026-11-21T10:00:00Z', urls };
  return {
    run: { id: 'run-1', connector: instantConnector, method: pix, flow: 'purchase', settings, mid: 'm1', context },
    origins: resolved.value.origins,
  };
}

test('a preview of a Pix purchase shows the request and where every value comes from', () => {
  const { run: pixRun, origins } = run();
  const { requests, end } = preview(pixRun, { ...(origins && { origins }) });
  expect(end).toBe('pending');
  expect(requests).toEqual([
    {
      step: 'create-charge',
      endpoint: 'create-charge',
      method: 'POST',
      path: '/v1/charges',
      values: [
        { place: 'headers.x-api-key', value: '•••', from: ['settings.api_key'] },
        { place: 'json.external_id', value: '7b0c6a52-6c55-4b8e-9a53-0f6c0a9d1c11', from: ['merchantReference'] },
        { place: 'json.amount', value: '10.00', from: ['order.amount'] },
        { place: 'json.description', value: 'Two books', from: ['order.description'] },
        { place: 'json.callback_url', value: 'https://pay.example/notify', from: ['urls.notify'] },
        { place: 'json.fine', value: '1.00', from: ['parameters.pix.fine (session)'] },
        { place: 'json.type_fine', value: 'VALUE', from: ['parameters.pix.type_fine (session)'] },
        { place: 'json.branch_identifier', value: '0001', from: ['parameters.pix.branch_identifier (mid)'] },
        { place: 'json.type_document', value: 'CPF', from: ['parameters.pix.debtor_document (session)'] },
        { place: 'json.debtor_document', value: '52998224725', from: ['parameters.pix.debtor_document (session)'] },
        { place: 'json.currency', value: 'BRL', from: [] },
      ],
    },
  ]);
  expect(JSON.stringify(requests)).not.toMatch(/key-of-the-account|secret-of-the-notifications/);
});
