import { createHash, createHmac, createVerify, generateKeyPairSync } from 'node:crypto';
import { JsonNumberLiteral, settled } from '@railyard/core';
import { CardHandle, type SignedParts, type Signing, type Wire } from '@railyard/core/driver';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readBody, writeBody } from '../src/codecs.ts';
import { encodeRequest } from '../src/encode.ts';
import { connectorOf, endpoint, five, values } from './support/sample.ts';

const connector = connectorOf(function* () {
  yield* [];
  return settled('c1', five);
}, []);

function encode(wire: Wire, path = '/charges') {
  const target = endpoint({
    name: 'e',
    method: 'POST',
    path,
    repeat: 'safe',
    request: () => wire,
    reply: z.object({}),
  });
  return encodeRequest(connector, values, target, wire, { now: 0, id: '' }, ({ part }) =>
    part === 'cvv' ? '737' : '4111111111111111',
  );
}

describe('a request', () => {
  test('has its path places and query percent-encoded below the base URL', () => {
    const { url } = encode({ params: { id: 'a/b?c#d é' }, query: { q: 'x&y=z', gone: undefined } }, '/charges/{id}');
    expect(url).toBe('https://api.example/v1/charges/a%2Fb%3Fc%23d%20%C3%A9?q=x%26y%3Dz');
  });

  test.each([['..'], ['.'], ['']])('refuses %j in a path', (id) => {
    expect(() => encode({ params: { id } }, '/charges/{id}')).toThrow('the path needs a value for {id}');
  });

  test('stays below the base URL whatever a value is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..');
        const { pathname, host } = new URL(encode({ params: { id } }, '/charges/{id}/x').url);
        expect(host).toBe('api.example');
        expect(pathname).toMatch(/^\/v1\/charges\/[^/]+\/x$/);
        expect(decodeURIComponent(pathname.slice(12, -2))).toBe(id);
      }),
    );
  });

  test('writes numbers as they stand, leaves out what is undefined, and fills in the card', () => {
    const json = {
      amount: new JsonNumberLiteral('90071992547409.930'),
      none: undefined,
      list: [1, undefined, null],
      card: { number: new CardHandle('number') },
    };
    expect(encode({ json }).body).toBe(
      '{"amount":90071992547409.930,"list":[1,null,null],"card":{"number":"4111111111111111"}}',
    );
  });

  test('writes a form in which no value can add a field', () => {
    const { body, headers } = encode({
      form: { a: '1&admin=1', n: new JsonNumberLiteral('10.50'), cvv: new CardHandle('cvv') },
    });
    expect(body).toBe('a=1%26admin%3D1&n=10.50&cvv=737');
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  test('writes what is nested in a form in bracket form', () => {
    const card = { number: new CardHandle('number'), exp_month: 3, cvc: undefined };
    const { body } = encode({
      form: { card, list: ['a', 'b'], amount: { value: new JsonNumberLiteral('10.50') }, on: true },
    });
    expect([...new URLSearchParams(body)]).toEqual([
      ['card[number]', '4111111111111111'],
      ['card[exp_month]', '3'],
      ['list[0]', 'a'],
      ['list[1]', 'b'],
      ['amount[value]', '10.50'],
      ['on', 'true'],
    ]);
  });

  test('keeps the headers that it is given, in lower case, and leaves out undefined ones', () => {
    const { headers } = encode({
      headers: { 'Content-Type': 'application/vnd.x+json', 'X-None': undefined },
      json: {},
    });
    expect(headers).toEqual({ accept: 'application/json', 'content-type': 'application/vnd.x+json' });
  });
});

describe('a signature', () => {
  const over = ({ method, path, body }: SignedParts) => `${method}|${path}|${body}`;
  const text = 'POST|/v1/charges?a=1|{"x":1}';
  const wire = { query: { a: '1' }, json: { x: 1 } };

  test('by HMAC covers what leaves and goes into a header', () => {
    const sign: Signing = {
      scheme: 'hmac',
      algorithm: 'sha256',
      key: 'k',
      over,
      encoding: 'hex',
      into: { header: 'X-Sign', prefix: 'v1=' },
    };
    const expected = createHmac('sha256', 'k').update(text).digest('hex');
    expect(encode({ ...wire, sign }).headers['x-sign']).toBe(`v1=${expected}`);
  });

  test('by digest goes into a field of the body', () => {
    const sign: Signing = {
      scheme: 'digest',
      algorithm: 'md5',
      key: '',
      over,
      encoding: 'hex',
      into: { field: 'sign' },
    };
    const expected = createHash('md5').update(text).digest('hex');
    expect(encode({ ...wire, sign }).body).toBe(`{"x":1,"sign":"${expected}"}`);
    expect(encode({ form: { x: '1' }, sign }).body).toMatch(/^x=1&sign=[0-9a-f]{32}$/);
  });

  test('by RSA is verified with the public key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const sign: Signing = {
      scheme: 'rsa',
      algorithm: 'sha256',
      key,
      over,
      encoding: 'base64',
      into: { header: 'x-sign' },
    };
    const signature = encode({ ...wire, sign }).headers['x-sign'] ?? '';
    expect(createVerify('SHA256').update(text).verify(publicKey, signature, 'base64')).toBe(true);
  });

  test.each<[string, Wire]>([
    ['XML', { xml: { a: 'b' } }],
    ['text', { text: 'a' }],
    ['a list', { json: [1] }],
    ['no body', {}],
  ])('that would go into a field of %s is refused', (_what, wire) => {
    const sign: Signing = {
      scheme: 'digest',
      algorithm: 'md5',
      key: '',
      over,
      encoding: 'hex',
      into: { field: 'sign' },
    };
    expect(() => encode({ ...wire, sign })).toThrow('Use a header here');
  });
});

describe('a reply', () => {
  test('keeps the digits of numbers that a float would change', () => {
    expect(readBody('{"a":10.50,"b":7,"c":12345678901234567890,"d":1e-3,"e":[0.1]}', 'json')).toEqual({
      a: '10.50',
      b: 7,
      c: '12345678901234567890',
      d: '1e-3',
      e: ['0.1'],
    });
  });

  test.each([
    ['1.50', '1.50'],
    [' -0.10 ', '-0.10'],
    ['[ 1.50]', ['1.50']],
    ['["a",1.50]', ['a', '1.50']],
    ['{"a":\n\t-1.50}', { a: '-1.50' }],
    ['{"a":":1.50"}', { a: ':1.50' }],
  ])('keeps the digits of a number wherever it stands: %j', (text, value) => {
    expect(readBody(text, 'json')).toEqual(value);
  });

  test.each([
    ['1000.0', 1000],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['1.5e3', 1500],
    ['12.50e1', 125],
    ['1000e-1', 100],
    ['-7.000', -7],
    ['0.00', 0],
    ['0e-9', 0],
    ['9007199254740991.0', 9_007_199_254_740_991],
    ['9007199254740993.0', '9007199254740993.0'],
    ['1000.0000000000000000001', '1000.0000000000000000001'],
    ['1e-400', '1e-400'],
    ['1e400', '1e400'],
    ['1005e-1', '1005e-1'],
    ['10.50', '10.50'],
  ])('%s is a whole number where its fraction is zero, and else the text that stood there', (written, read) => {
    expect(readBody(`{"amount":${written}}`, 'json')).toEqual({ amount: read });
    expect(readBody(written, 'json')).toEqual(read);
  });

  test.each([
    ['at the top', '{"status":"APPROVED","id":"c1","status":"DECLINED"}'],
    ['with the same value', '{"status":"APPROVED","status":"APPROVED"}'],
    ['written in another way', String.raw`{"status":"APPROVED","\u0073tatus":"DECLINED"}`],
    ['within an object', '{"charge":{"status":"A","more":{},"status":"B"}}'],
    ['within a list', '[{"amount":1},{"amount":1,"amount":2}]'],
    ['as a prototype', '{"__proto__":{"a":1},"__proto__":{"a":2}}'],
    ['around a list', '{"a":[{"b":1}],"a":[]}'],
  ])('a name given twice %s makes JSON that is not understood', (_where, text) => {
    expect(readBody(text, 'json')).toBeUndefined();
  });

  test('in a form has a list under a name that is given twice, so that no one value of it is read', () => {
    expect(readBody('id=c1&status=APPROVED&status=DECLINED&__proto__=a', 'form')).toEqual(
      Object.fromEntries([
        ['id', 'c1'],
        ['status', ['APPROVED', 'DECLINED']],
        ['__proto__', 'a'],
      ]),
    );
  });

  test.each([
    ['in different objects', '{"a":{"id":1},"b":{"id":2},"id":3}', { a: { id: 1 }, b: { id: 2 }, id: 3 }],
    ['within a text', String.raw`{"a":"{\"a\":1,\"a\":2}","b":"\\"}`, { a: '{"a":1,"a":2}', b: '\\' }],
    ['in other letters', '{"a":1,"A":2}', { a: 1, A: 2 }],
    ['as text before a colon of another text', '["a",":","a"]', ['a', ':', 'a']],
  ])('the same name %s is understood', (_where, text, value) => {
    expect(readBody(text, 'json')).toEqual(value);
  });

  test.each([
    ['json', '{"a":'],
    ['json', '<html></html>'],
    ['xml', '<a><b></a>'],
    ['xml', '{"a":1}'],
  ] as const)('that is no %s is not read: %s', (codec, text) => {
    expect(readBody(text, codec)).toBeUndefined();
  });

  test('in XML keeps texts as texts, with attributes', () => {
    expect(readBody('<?xml version="1.0"?><p id="01"><amount>10.50</amount><n>007</n><e/></p>', 'xml')).toEqual({
      p: { '@id': '01', amount: '10.50', n: '007', e: '' },
    });
  });

  test.each([
    ['entities that grow', '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'],
    ['a second type', '<!DOCTYPE a SYSTEM "a.dtd"><!DOCTYPE a [<!ENTITY x "ha">]><a>&x;</a>'],
    ['a type in a text', '<!DOCTYPE a SYSTEM "<!DOCTYPE a [<!ENTITY x SYSTEM \'file:///etc/passwd\'>]>"><a>&x;</a>'],
    ['entities that name files', '<!doctype a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
  ])('in XML with %s is not read', (_what, text) => {
    expect(readBody(text, 'xml')).toBeUndefined();
  });

  // Worldpay Corporate Gateway, XML Direct: every reply begins so.
  test('in XML may name its type by a definition, which is not fetched', () => {
    const type = '<!DOCTYPE paymentService PUBLIC "-//Worldpay//DTD PaymentService v1//EN" "http://127.0.0.1:9/a.dtd">';
    expect(readBody(`<?xml version="1.0"?>${type}<paymentService version="1.4"/>`, 'xml')).toEqual({
      paymentService: { '@version': '1.4' },
    });
  });

  test.each(['&lt;', '&amp;lt;', '&#65;', ']]>', '<a/>', '"\''])('in XML gives back %s as it was written', (text) => {
    expect(readBody(writeBody({ a: { '@b': text, c: text } }, 'xml'), 'xml')).toEqual({ a: { '@b': text, c: text } });
  });

  test('in XML gives back what was written, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (value) => {
        fc.pre(value.trim() === value);
        expect(readBody(writeBody({ a: { '@b': value, c: value } }, 'xml'), 'xml')).toEqual({
          a: { '@b': value, c: value },
        });
      }),
    );
  });
});
