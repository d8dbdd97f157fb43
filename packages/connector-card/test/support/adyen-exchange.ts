import { hmacValidator } from '@adyen/api-library';
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/models.js';
import { money } from '@railyard/core';
import {
  drive,
  type FlowName,
  type Host,
  type HttpRequest,
  memoryCredentials,
  memoryJournal,
  receiveNotification,
  type Run,
  type Signal,
} from '@railyard/runtime';
import { adyenConnector as connector, card } from '../../src/index.ts';
import type { notification } from '../../src/adyen.samples.ts';
import { adyenOptions } from './adyen-samples.ts';
import { paymentOf, visa, type Wanted } from './rig.ts';

export const OURS = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
export const CHANGE = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
export const PSP = '993617895204576J';
export const settings = connector.settings.parse(adyenOptions.settings);
const NOW = '2026-11-21T12:00:00.000Z';
export const usd = (text: string) => money(text, 'USD');

/** What Adyen answers, in order. */
export type Script = readonly (readonly [status: number, body: unknown])[];

/** A payment that captures, refunds and later charges are about. */
export const known = (wanted: Wanted = {}) => ({
  ...paymentOf(OURS, wanted),
  connectorState: {},
  providerReference: PSP,
  agreement: { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: OURS },
});

/** Drives one flow against a script; the payer brings a result back from every visit. */
export async function exchange(flow: FlowName, context: object, script: Script, method = 'card') {
  const asked: HttpRequest[] = [];
  const replies = [...script];
  const host: Host = {
    journal: memoryJournal(),
    credentials: memoryCredentials(() => Date.parse(NOW)),
    openCard: ({ part }) =>
      ({ number: '4111111111111111', cvv: '737', cryptogram: 'AAAABBBBCCCCDDDD', eci: '05' })[String(part)],
    transport: {
      async send(request) {
        asked.push(request);
        const [status, body] = replies.shift() ?? [500, {}];
        return { kind: 'reply', status, headers: {}, body: JSON.stringify(body) };
      },
    },
  };
  const urls = { notify: 'https://pay.example/notify/mid-1', return: 'https://pay.example/back' };
  const served = connector.serves.find((each) => each.method.key === method);
  const run: Run = {
    id: 'run-1',
    connector,
    method: served?.method ?? card,
    flow,
    settings,
    mid: 'mid-1',
    context: { settings, now: NOW, urls, ...context },
  };
  let result = await drive(run, host);
  if (result.kind === 'suspended') {
    const back: Signal = { step: result.nextAction.step, values: { redirectResult: 'X6XtfGC3!Y' } };
    result = await drive(run, host, back);
  }
  if (result.kind === 'failed') throw result.error;
  return { outcome: result.kind === 'done' ? result.outcome : undefined, asked };
}

export const purchase = (wanted: Wanted, script: Script) =>
  exchange('purchase', { payment: paymentOf(OURS, { card: visa('03/30'), ...wanted }) }, script);

/** What a webhook says that Adyen's own library has signed, with what was changed on the way. */
export function received(body: ReturnType<typeof notification>, change: object = {}) {
  const notificationItems = body.notificationItems.map(({ NotificationRequestItem: item }) => {
    const hmacSignature = new hmacValidator().calculateHmac(
      Object.assign(new NotificationRequestItem(), item),
      String(adyenOptions.settings.hmac_key),
    );
    return { NotificationRequestItem: { ...item, ...change, additionalData: { hmacSignature } } };
  });
  const sent = { body: JSON.stringify({ ...body, notificationItems }), headers: {} };
  return receiveNotification(connector, settings, sent, Date.parse(NOW));
}
