import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineConnector, providerApi, statusTable } from '../../src/index.ts';

const declaration = { id: 'c', contract: 1, version: '1.2.3', title: 'C', statuses: statusTable({}) } as const;

function defined<S extends z.ZodObject>(settings: S) {
  const { endpoints } = providerApi(settings, { source: 'the manual' });
  return defineConnector({ ...declaration, settings, endpoints, serves: () => [] });
}

test('the address of a provider is the setting base_url unless the connector declares another', () => {
  const settings = z.object({ base_url: z.url() });
  expect(defined(settings).baseUrl({ base_url: 'https://api.example' })).toBe('https://api.example');
});

test('refuses a connector without an address', () => {
  expect(() => defined(z.object({ api_key: z.string() }))).toThrow(
    'Connector c has no setting "base_url". Give it one, or declare baseUrl.',
  );
});

test('the certificate of a connection is that of the settings certificate, certificate_key and ca, those that are given', () => {
  const text = z.string().optional();
  const { tls } = defined(z.object({ base_url: z.url(), certificate: text, certificate_key: text, ca: text }));
  expect(tls?.({ certificate: 'C', certificate_key: 'K' })).toEqual({ cert: 'C', key: 'K' });
  expect(tls?.({ certificate: 'C', certificate_key: 'K', ca: 'A' })).toEqual({ cert: 'C', key: 'K', ca: 'A' });
  expect(tls?.({})).toEqual({});
});

test('a connector without such settings presents no certificate', () => {
  expect(defined(z.object({ base_url: z.url() })).tls).toBeUndefined();
});
