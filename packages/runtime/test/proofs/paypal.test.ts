import { call, credential, notificationsFor, oauthToken, providerApi } from '@railyard/core';
import type { ArrivedNotification } from '@railyard/core/driver';
import { createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type HttpRequest, type HttpResult, memoryCredentials, receiveNotification } from '../../src/index.ts';
import type { HeldCredentials } from '../../src/ask-safely.ts';
import { BODY, charge, connectorOf, NOW, paid, settings } from './support.ts';

/**
 * PayPal signs with a certificate that changes, and is asked whether a signature is its own:
 * https://developer.paypal.com/api/webhooks/v1/verify-webhook-signature-post. The event goes back as it arrived, byte for byte, because its
 * checksum is signed.
 */
const NAMES = ['transmission-id', 'transmission-time', 'transmission-sig', 'cert-url', 'auth-algo'] as const;

const { endpoint, endpoints } = providerApi(settings, { source: 'https://developer.paypal.com/api/webhooks/v1' });

const token = oauthToken(endpoint, {
  path: '/v1/oauth2/token',
  client: () => ({ by: 'basic', id: 'client', secret: 'secret of the client' }),
});

const verifySignature = endpoint({
  name: 'verify-webhook-signature',
  method: 'POST',
  path: '/v1/notifications/verify-webhook-signature',
  repeat: 'safe',
  request: (
    { headers, event, bearer }: { headers: Readonly<Record<string, string>>; event: string; bearer: string },
    { settings: { key } },
  ) => {
    const fields = NAMES.map((name) => [name.replace('-', '_'), headers[`paypal-${name}`] ?? '']);
    const asked = JSON.stringify({ ...Object.fromEntries(fields), webhook_id: key });
    return {
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      text: `${asked.slice(0, -1)},"webhook_event":${event}}`,
    };
  },
  reply: z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) }),
});

const connector = connectorOf(
  notificationsFor(settings)({
    verify: {
      scheme: 'call',
      headers: NAMES.map((name) => `paypal-${name}`),
      *steps({ headers, body }) {
        const { access_token: bearer } = yield* credential(token);
        const { verification_status } = yield* call(verifySignature, { headers, event: body, bearer });
        return verification_status === 'SUCCESS';
      },
    },
    codec: 'json',
    body: charge,
    events: ({ id, charge: reference, paid: amount }) => [paid(id, reference, amount)],
  }),
  endpoints,
);

const certificate = generateKeyPairSync('rsa', { modulusLength: 2048 });
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
const TIME = '2025-11-24T16:00:00Z';

const message = (webhookId: string, body: string) => `t-1|${TIME}|${webhookId}|${crc32(body)}`;

function sent(body = BODY, { webhookId = 'OURS', key = certificate.privateKey } = {}): ArrivedNotification {
  return {
    body,
    headers: {
      'paypal-transmission-id': 't-1',
      'paypal-transmission-time': TIME,
      'paypal-transmission-sig': createSign('SHA256').update(message(webhookId, body)).sign(key, 'base64'),
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
      'paypal-auth-algo': 'SHA256withRSA',
    },
  };
}

const asked = z.object({ transmission_sig: z.string(), webhook_id: z.string() });

/** PayPal's side: it checks the event's checksum as it stands in the question. */
function answerOf({ url, body = '' }: HttpRequest): HttpResult {
  const json = (value: unknown): HttpResult => ({
    kind: 'reply',
    status: 200,
    headers: {},
    body: JSON.stringify(value),
  });
  if (url.endsWith('/token')) return json({ access_token: 'a-token', expires_in: 300 });
  const { transmission_sig: signature, webhook_id: webhookId } = asked.parse(JSON.parse(body));
  const event = body.slice(body.indexOf('"webhook_event":') + '"webhook_event":'.length, -1);
  const genuine = createVerify('SHA256')
    .update(message(webhookId, event))
    .verify(certificate.publicKey, signature, 'base64');
  return json({ verification_status: genuine ? 'SUCCESS' : 'FAILURE' });
}

interface Receiving {
  readonly webhookId: string;
  readonly answer: (request: HttpRequest) => HttpResult;
  readonly held: HeldCredentials;
}

async function receive(
  raw: ArrivedNotification,
  { webhookId = 'OURS', answer = answerOf, held }: Partial<Receiving> = {},
) {
  const urls: string[] = [];
  const received = receiveNotification(connector, settings.parse({ key: webhookId }), raw, NOW);
  expect(received).toMatchObject({ kind: 'refused', why: 'unasked' });
  const transport = {
    async send(request: HttpRequest) {
      urls.push(new URL(request.url).pathname);
      return answer(request);
    },
  };
  const result =
    received.kind === 'refused' ? await received.ask?.({ transport, key: 'step-1', ...(held && { held }) }) : undefined;
  return { result, urls };
}

test('a genuine notification counts once PayPal says that it sent it', async () => {
  const { result, urls } = await receive(sent());
  expect(result).toMatchObject({ kind: 'events', proven: true, events: [{ id: 'evt_1' }] });
  expect(urls).toEqual(['/v1/oauth2/token', '/v1/notifications/verify-webhook-signature']);
});

test.each([
  ['signed by an attacker', sent(BODY, { key: attacker.privateKey })],
  ['with another body under a true signature', { ...sent(), body: BODY.replace('5.00', '9.00') }],
  ['made for the webhook of another account', sent(BODY, { webhookId: 'OTHER' })],
])('refuses one %s', async (_which, raw) => {
  expect((await receive(raw)).result).toMatchObject({ kind: 'refused', why: 'signature' });
});

test.each([
  ['is cut short', { ...sent(), body: BODY.slice(0, -1) }, 'malformed'],
  // The text of a body that is two values would put a webhook of the attacker's own into the question.
  ['ends the question and begins another', { ...sent(), body: `${BODY},"webhook_id":"THEIRS"` }, 'malformed'],
  ['has no signature', { body: BODY, headers: {} }, 'signature'],
])('asks nothing about a notification that %s', async (_which, raw, why) => {
  const { result, urls } = await receive(raw);
  expect(result).toMatchObject({ kind: 'refused', why });
  expect(urls).toEqual([]);
});

test.each([
  ['does not answer', (): HttpResult => ({ kind: 'lost', why: 'time-out' })],
  ['refuses the credentials', (): HttpResult => ({ kind: 'reply', status: 401, headers: {}, body: '{}' })],
  [
    'answers what it does not document',
    (): HttpResult => ({ kind: 'reply', status: 200, headers: {}, body: '{"secret of the client":1}' }),
  ],
])('wants it again where PayPal %s', async (_what, answer) => {
  const { result } = await receive(sent(), { answer });
  expect(result).toMatchObject({ kind: 'refused', why: 'unavailable' });
  expect(JSON.stringify(result)).not.toContain('secret of the client');
});

test('a replay gives the same event id, under which it is stored once', async () => {
  const [first, again] = [await receive(sent()), await receive(sent())];
  expect(again.result).toEqual(first.result);
});

test('questions share the token that is held for the account, and drop it where PayPal refuses it', async () => {
  const held = { mid: 'paypal', credentials: memoryCredentials(() => NOW) };
  const asks = async (answer = answerOf) =>
    (await receive(sent(), { held, answer })).urls.map((url) => url.split('/').at(-1));
  expect(await asks()).toEqual(['token', 'verify-webhook-signature']);
  expect(await asks()).toEqual(['verify-webhook-signature']);
  const refuses = (request: HttpRequest): HttpResult =>
    request.url.endsWith('/token') ? answerOf(request) : { kind: 'reply', status: 401, headers: {}, body: '{}' };
  expect(await asks(refuses)).toEqual(['verify-webhook-signature']);
  expect(await asks()).toEqual(['token', 'verify-webhook-signature']);
});
