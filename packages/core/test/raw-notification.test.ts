import { expect, test } from 'vitest';
import { rawNotification } from '../src/driver.ts';

test('a notification has all its parts: the query by name, the first of one name, and the bytes', () => {
  const url = 'https://pay.example/notify/m-1/pix?sent=1&data.id=a%20b&sent=2';
  expect(rawNotification({ method: 'put', url, path: '/pix', body: '{"é":1}', headers: { a: 'b' } })).toEqual({
    method: 'PUT',
    url,
    path: '/pix',
    query: { sent: '1', 'data.id': 'a b' },
    headers: { a: 'b' },
    body: '{"é":1}',
    bytes: new TextEncoder().encode('{"é":1}'),
    proxied: false,
  });
});

test('a notification without an address or a method is a POST without a query', () => {
  expect(rawNotification({ body: '', headers: {} })).toEqual({
    method: 'POST',
    url: '',
    path: '',
    query: {},
    headers: {},
    body: '',
    bytes: new Uint8Array(),
    proxied: false,
  });
});

test('the names of a query are names and nothing else', () => {
  const { query } = rawNotification({ url: 'https://pay.example/?__proto__=1&constructor=2', body: '', headers: {} });
  expect(Object.entries(query).toSorted()).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
  expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
});
