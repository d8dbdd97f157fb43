import type { ArrivedNotification } from '@railyard/core/driver';
import { describe, expect, test } from 'vitest';
import { receiveNotification } from '../../src/index.ts';
import { BODY, connectorOf, NOW, provenBy } from './support.ts';

type Verify = Parameters<typeof provenBy>[0];

const receive = (verify: Verify, raw: Omit<ArrivedNotification, 'body'>, key = 'päss:word') =>
  receiveNotification(connectorOf(provenBy(verify)), { key }, { ...raw, body: BODY }, NOW);

const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('basic authentication', () => {
  const basic: Verify = { scheme: 'basic', credentials: ({ key }) => ({ user: 'adyen', password: key }) };

  test('proves by user and password in UTF-8', () => {
    const taken = receive(basic, { headers: { authorization: encoded('adyen:päss:word') } });
    expect(taken).toMatchObject({ kind: 'events', proven: true });
  });

  test.each([
    ['another password', encoded('adyen:päss:wort')],
    ['another user', encoded('paypal:päss:word')],
    ['no scheme', encoded('adyen:päss:word').slice(6)],
    ['another scheme', encoded('adyen:päss:word').replace('Basic', 'Bearer')],
    ['two of them', `${encoded('adyen:päss:word')}, ${encoded('adyen:x')}`],
    ['what is no Base64', 'Basic {"user":"adyen"}'],
    ['nothing', ''],
  ])('refuses %s', (_what, authorization) => {
    const refused = receive(basic, { headers: { authorization } });
    expect(refused).toMatchObject({ kind: 'refused', why: 'signature' });
    expect(JSON.stringify(refused)).not.toContain('word');
  });

  test('without a password in the settings proves nothing', () => {
    expect(receive(basic, { headers: { authorization: encoded('adyen:') } }, '')).toMatchObject({ why: 'signature' });
  });
});

describe('a shared secret', () => {
  test('may be one of two while it is rotated, and may have text in front', () => {
    const verify: Verify = {
      scheme: 'shared-secret',
      header: 'Authorization',
      prefix: 'Token ',
      value: ({ key }) => ['old', key],
    };
    for (const token of ['old', 'new'])
      expect(receive(verify, { headers: { authorization: `Token ${token}` } }, 'new')).toMatchObject({
        kind: 'events',
      });
    for (const authorization of ['old', 'Token ', 'Token', 'Token other'])
      expect(receive(verify, { headers: { authorization } }, 'new')).toMatchObject({ why: 'signature' });
  });
});

describe('mutual TLS that a proxy reports', () => {
  const verify: Verify = { scheme: 'client-certificate', header: 'x-client-cert-sha256', value: ({ key }) => key };
  const headers = { 'x-client-cert-sha256': '9f86d0' };

  test('counts from a proxy that the configuration names', () => {
    expect(receive(verify, { headers, proxied: true }, '9f86d0')).toMatchObject({ kind: 'events', proven: true });
  });

  test.each([
    ['from elsewhere', { headers }],
    ['for another certificate', { headers: { 'x-client-cert-sha256': '9f86d1' }, proxied: true }],
    ['for none', { headers: { 'x-client-cert-sha256': '' }, proxied: true }],
    ['twice, once by the sender', { headers: { 'x-client-cert-sha256': '9f86d0, 9f86d1' }, proxied: true }],
  ])('counts for nothing %s', (_where, raw) => {
    expect(receive(verify, raw, '9f86d0')).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  test('is read from a part of the header that Envoy writes', () => {
    // https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_conn_man/headers#x-forwarded-client-cert
    const envoy: Verify = { ...verify, header: 'x-forwarded-client-cert', separator: ';', prefix: 'Hash=' };
    const value = 'By=spiffe://us;Hash=9f86d0;Subject="CN=Bank"';
    expect(receive(envoy, { headers: { 'x-forwarded-client-cert': value }, proxied: true }, '9f86d0')).toMatchObject({
      kind: 'events',
    });
  });
});
