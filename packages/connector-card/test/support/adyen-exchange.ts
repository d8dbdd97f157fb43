import { hmacValidator } from '@adyen/api-library';
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/models.js';
import { money } from '@railyard/core';
import { receiveNotification } from '@railyard/runtime';
import { adyenConnector as connector } from '../../src/index.ts';
import type { notification } from '../../src/adyen.samples.ts';
import { adyenOptions } from './adyen-samples.ts';
import { paymentOf, visa, type Wanted } from './rig.ts';
import { NOW, OURS, type Script, scripted } from './scripted.ts';

export { CHANGE, OURS } from './scripted.ts';

export const PSP = '993617895204576J';
export const settings = connector.settings.parse(adyenOptions.settings);
export const usd = (text: string) => money(text, 'USD');

/** A payment that captures, refunds and later charges are about. */
export const known = (wanted: Wanted = {}) => ({
  ...paymentOf(OURS, wanted),
  connectorState: {},
  providerReference: PSP,
  agreement: { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: OURS },
});

/** The payer brings a result back from every visit. */
export const exchange = scripted(connector, settings, { redirectResult: 'X6XtfGC3!Y' });

export const purchase = (wanted: Wanted, script: Script) =>
  exchange('purchase', { payment: paymentOf(OURS, { card: visa('03/30'), ...wanted }) }, script);

/** A webhook that Adyen's own library has signed, with other fields. */
export function genuine(body: ReturnType<typeof notification>, change: object = {}) {
  const notificationItems = body.notificationItems.map(({ NotificationRequestItem: item }) => {
    const changed = { ...item, ...change };
    const hmacSignature = new hmacValidator().calculateHmac(
      Object.assign(new NotificationRequestItem(), changed),
      String(adyenOptions.settings.hmac_key),
    );
    return { NotificationRequestItem: { ...changed, additionalData: { hmacSignature } } };
  });
  return { ...body, notificationItems };
}

/** What the connector reads of a webhook. */
export const arrived = (body: object) =>
  receiveNotification(connector, settings, { body: JSON.stringify(body), headers: {} }, Date.parse(NOW));

/** What a webhook says that Adyen's own library has signed, with what was changed on the way. */
export function received(body: ReturnType<typeof notification>, change: object = {}) {
  const signed = genuine(body);
  const notificationItems = signed.notificationItems.map(({ NotificationRequestItem: item }) => ({
    NotificationRequestItem: { ...item, ...change },
  }));
  return arrived({ ...signed, notificationItems });
}
