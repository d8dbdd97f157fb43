import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmac } from '../src/index.ts';

test.each(['sha1', 'sha256', 'sha512'])('is the %s HMAC of Node, by text and by bytes', (digest) => {
  for (const secret of ['', 'secret', 'é😀', randomBytes(32), new Uint8Array([0, 255, 128])])
    for (const text of ['', 'text'])
      expect(hmac(digest, secret).update(text).digest('hex')).toBe(
        createHmac(digest, secret).update(text).digest('hex'),
      );
});

test('goes by the secret, however many there were before', () => {
  const secrets = Array.from({ length: 2500 }, (_, at) => `secret-${at}`);
  for (const secret of [...secrets, ...secrets.slice(0, 3)])
    expect(hmac('sha256', secret).update('text').digest('hex')).toBe(
      createHmac('sha256', secret).update('text').digest('hex'),
    );
});

test('knows no digest that Node does not know', () => {
  expect(() => hmac('none', 'secret')).toThrow('Invalid digest');
});
