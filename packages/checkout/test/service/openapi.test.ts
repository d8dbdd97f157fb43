import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { COMMANDS } from '../../src/http/commands/routes.ts';
import { cardConfig } from '../support/card-config.ts';
import { useDatabase } from '../support/database.ts';
import { EXAMPLES, PRINTED } from '../support/openapi-examples.ts';
import { openApi } from '../support/openapi.ts';
import { serviceContext } from '../support/service-context.ts';

const FILE = '../../../core/openapi.json';

// Without white space: it is a part of each installation.
const text = `${JSON.stringify(openApi())}\n`;

test('the published document is the one that the schemas make (-u writes it)', async () => {
  await expect(text).toMatchFileSnapshot(FILE);
});

test('the document keeps the rules of the linter, with no warning', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`)).toEqual([]);
});

const database = useDatabase();

/** The service without its workers. */
function app(publicUrl: string) {
  const given = cardConfig({ providerUrl: 'http://127.0.0.1:1', callbackUrl: 'http://127.0.0.1:1', port: 0 });
  const { context, close } = serviceContext(database.db, { ...given, publicUrl }, Date.now);
  onTestFinished(() => close().then(() => undefined));
  return createApp(context, createChanges());
}

/** The addresses of merchants' servers. */
const CALLED = /^\/(?:api\/v1\/|post|v\d+\/post)/;

test('the document has every address that a merchant’s server can call, and no other', () => {
  const { routes } = app('https://pay.example');
  const called = routes.flatMap(({ method, path }) => (method === 'POST' && CALLED.test(path) ? [path] : []));
  expect(Object.keys(openApi().paths).toSorted()).toEqual(called.toSorted());
});

test('the service gives the document to pages of every origin, with its own public address', async () => {
  const reply = await app('https://pay.example/').request('/openapi.json');
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('access-control-allow-origin')]).toEqual([
    200,
    'application/json',
    '*',
  ]);
  const published: object = JSON.parse(readFileSync(new URL(FILE, import.meta.url), 'utf8'));
  expect(await reply.json()).toEqual({ ...published, servers: [{ url: 'https://pay.example' }] });
});

test('the document is sent compressed, and not again to who has it', async () => {
  const service = app('https://pay.example');
  const first = await service.request('/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
  const tag = first.headers.get('etag') ?? '';
  expect([first.headers.get('content-encoding'), tag]).toEqual(['gzip', expect.stringMatching(/"/)]);
  const again = await service.request('/openapi.json', {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': tag },
  });
  expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
});

/** The fields of a schema that do not say what they are, by their paths. */
function undescribed(schema: object, path: string): string[] {
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return [];
    if (name !== 'properties') return name === 'not' ? [] : undescribed(value, path);
    return Object.entries(value).flatMap(([field, each]: [string, unknown]) => {
      const here = `${path}.${field}`;
      const inside = undescribed(Object(each), here);
      return Reflect.get(Object(each), 'description') === undefined ? [here, ...inside] : inside;
    });
  });
}

test('every field of the document says what it is', () => {
  const { schemas } = openApi().components;
  expect(Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
});

describe('the examples', () => {
  test('name every command that the service understands', () => {
    const actions = Object.values(EXAMPLES).flatMap((make) => {
      const { body } = make(PRINTED);
      return 'action' in body ? [String(body['action'])] : [];
    });
    expect([...new Set(actions)].toSorted()).toEqual([...COMMANDS.keys()].map(String).toSorted());
  });
});
