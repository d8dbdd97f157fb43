import { money } from '@railyard/core';
import { receiveNotification } from '@railyard/runtime';
import { Stripe } from 'stripe';
import { stripeConnector as connector } from '../../src/index.ts';
import { succeeded } from '../../src/stripe.samples.ts';
import { paymentOf, visa, type Wanted } from './rig.ts';
import { NOW, OURS, type Script, scripted } from './scripted.ts';
import { stripeOptions } from './stripe-samples.ts';

export { CHANGE, OURS } from './scripted.ts';
export const settings = connector.settings.parse(stripeOptions.settings);
export const usd = (text: string) => money(text, 'USD');

/** A payment that captures, refunds and later charges are about. */
export const known = (wanted: Wanted = {}) => ({
  ...paymentOf(OURS, wanted),
  connectorState: {},
  providerReference: succeeded.id,
  agreement: { customer: 'cus_NffrFeUfNV2Hib', payment_method: 'pm_card_visa' },
});

export const exchange = scripted(connector, settings, { payment_intent: succeeded.id });

export const purchase = (wanted: Wanted, script: Script) =>
  exchange('purchase', { payment: paymentOf(OURS, { card: visa('03/30'), ...wanted }) }, script);

const { webhooks } = new Stripe('sk_test_of_no_account');
const secret = String(stripeOptions.settings.webhook_secret);

/** What is received of a webhook that the package signs, and what the package itself makes of it. */
export function received(event: object, change: (payload: string) => string = (payload) => payload, age = 0) {
  const signed = JSON.stringify(event);
  const now = Date.parse(NOW);
  const timestamp = now / 1000 - age;
  const header = webhooks.generateTestHeaderString({ payload: signed, secret, timestamp });
  const payload = change(signed);
  const result = receiveNotification(
    connector,
    settings,
    { body: payload, headers: { 'stripe-signature': header } },
    now,
  );
  return { result, read: () => webhooks.constructEvent(payload, header, secret, 300, undefined, now) };
}
