import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import { CardHandle } from '@railyard/core/driver';
import type { HttpRequest } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as samples from '../src/adyen.samples.ts';
import { adyenConnector as connector } from '../src/index.ts';
import { authentication } from './support/authentication.ts';
import { CHANGE, exchange, known, PSP, purchase, usd } from './support/adyen-exchange.ts';
import { paymentOf, visa } from './support/rig.ts';

const factsOf = (name: string): Facts =>
  JSON.parse(readFileSync(new URL(`official/${name}.json`, import.meta.url), 'utf8'));
const official = checkAgainst(factsOf('adyen-checkout'));
const webhooks = checkAgainst(factsOf('adyen-webhooks'));

const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked.map(({ method, url, headers, body }) => ({
    method,
    path: new URL(url).pathname.replace('/v71', ''),
    headers,
    ...(body !== undefined && { body: JSON.parse(body) }),
  }));

const ok = [200, samples.authorised] as const;
const taken = [201, samples.acceptedAmount] as const;
const later = { payment: known(), id: CHANGE, amount: usd('4.00'), remaining: usd('4.00') };
const address = {
  address: 'Redwood Block',
  house_number: '37C',
  city: 'New York',
  state: 'NY',
  zip: '10039',
  country: 'US',
};
const wallet = (panType: 'dpan' | 'fpan') => {
  const payment = paymentOf('0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', {
    method: 'apple-pay',
    card: visa('03/30', { cvv: undefined }),
    mid: { card_flow: 'decrypted' },
  });
  const proof = panType === 'dpan' && { authentication: { cryptogram: new CardHandle('cryptogram'), eci: '05' } };
  const paid = { ...payment, wallet: { kind: 'applepay', panType }, ...proof };
  return exchange('purchase', { payment: paid }, [ok], 'apple-pay');
};
const authenticated = (change: object = {}) => {
  const done = { ...authentication, ...change, cryptogram: new CardHandle('cryptogram') };
  const payment = {
    ...paymentOf('0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', { card: visa('03/30') }),
    authentication: done,
  };
  return exchange('purchase', { payment }, [ok]);
};

describe('every request of every flow is what the official description says', () => {
  const flows: readonly (readonly [string, () => ReturnType<typeof exchange>, number])[] = [
    ['a sale', () => purchase({}, [ok]), 1],
    [
      'a sale with an address and a text',
      () => purchase({ session: { billing_address: address }, parameters: { descriptor: 'SHOP' } }, [ok]),
      1,
    ],
    ['a hold', () => purchase({ session: { auth: true } }, [ok]), 1],
    ['a first payment of a mandate', () => purchase({ session: { recurring_init: true } }, [ok]), 1],
    ['a card that is saved', () => purchase({ cardOnFile: true, session: { req_token: true } }, [ok]), 1],
    ['a saved card', () => purchase({ cardOnFile: true, card: visa('03/30', { stored: true }) }, [ok]), 1],
    [
      'a network that the payer chose',
      () => purchase({ card: visa('03/30', { brand: 'cartes_bancaires', coBranded: true }) }, [ok]),
      1,
    ],
    ['3-D Secure', () => purchase({}, [[200, samples.redirectShopper], ok]), 2],
    ['a payer whom the merchant authenticated', () => authenticated(), 1],
    ['one without a challenge', () => authenticated({ authenticationFlow: 'Frictionless' }), 1],
    ['a number of a device', () => wallet('dpan'), 1],
    ['a card of a wallet', () => wallet('fpan'), 1],
    [
      'a later charge',
      () => exchange('recurring', { payment: { ...known(), auth: false }, initial: known() }, [ok]),
      1,
    ],
    ['a later hold', () => exchange('recurring', { payment: { ...known(), auth: true }, initial: known() }, [ok]), 1],
    ['a capture', () => exchange('capture', later, [taken]), 1],
    ['a refund', () => exchange('refund', later, [taken]), 1],
    ['a cancel', () => exchange('void', { ...later, held: true }, [[201, samples.accepted]]), 1],
    ['a reversal', () => exchange('void', { ...later, held: false }, [[201, samples.accepted]]), 1],
  ];
  it.each(flows)('%s', async (_name, sends, requests) => {
    const sent = sentOf((await sends()).asked);
    expect(sent).toHaveLength(requests);
    expect(sent.flatMap((each) => official.request(each))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await purchase({}, [ok])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.record(z.string(), z.unknown()).parse(sent.body);
    const offences = (change: object) => official.request({ ...sent, body: { ...body, ...change } });
    expect(offences({ amount: { currency: 'USD', value: '2500' } })).toEqual([expect.stringContaining('amount/value')]);
    expect(offences({ returnUrl: undefined })).toEqual([expect.stringContaining("'returnUrl'")]);
    expect(offences({ notification_url: 'https://x.example' })).toEqual([
      expect.stringContaining('additional properties'),
    ]);
    expect(offences({ browserInfo: { userAgent: 'Browser' } }).length).toBeGreaterThan(0);
    expect(offences({ shopperInteraction: 'Later' })).toEqual([expect.stringContaining('shopperInteraction')]);
    expect(offences({ mpiData: { authenticationResponse: 'C' } })).toEqual([
      expect.stringContaining('authenticationResponse'),
    ]);
    expect(official.request({ ...sent, path: '/payment' })).toEqual([expect.stringContaining('no such operation')]);
  });
});

describe('every sample is a reply of the official description', () => {
  it.each(connector.endpoints)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace('{paymentPspReference}', PSP) };
    expect(examples.length).toBeGreaterThan(1);
    expect(examples.flatMap(({ status = 200, body }) => official.reply(at, { status, body }))).toEqual([]);
  });

  it.each(samples.notifications.map((body) => [body.notificationItems[0]?.NotificationRequestItem, body] as const))(
    'the webhook of %o',
    (item, body) => {
      const { eventCode } = z.object({ eventCode: z.string() }).parse(item);
      expect(webhooks.request({ method: 'POST', path: `/${eventCode}`, headers: {}, body })).toEqual([]);
    },
  );

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'POST', path: '/payments' };
    expect(official.reply(at, { status: 200, body: { ...samples.authorised, resultCode: 'Paid' } })).toHaveLength(1);
    expect(official.reply(at, { status: 402, body: samples.problem })).toHaveLength(1);
  });
});
