import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';

const KB = 1024;
let text = '';

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'railyard-client-'));
  await build({
    config: false,
    silent: true,
    entry: { client: fileURLToPath(new URL('../src/index.ts', import.meta.url)) },
    outDir,
    format: 'iife',
    globalName: 'railyard',
    outExtension: () => ({ js: '.js' }),
    platform: 'neutral',
    minify: true,
    treeshake: true,
    noExternal: [/./],
    esbuildOptions(options) {
      options.conditions = ['@railyard/source'];
    },
  });
  text = readFileSync(join(outDir, 'client.js'), 'utf8');
  await rm(outDir, { recursive: true });
});

test('the client with all that it needs is one file of at most 10.5 KB, without zod', () => {
  expect(text).not.toContain('ZodError');
  expect(text).not.toMatch(/\brequire\(|\bimport\b/);
  expect(gzipSync(text).byteLength).toBeLessThan(10.5 * KB);
});

test('it runs where there is nothing of Node, on what the web platform gives', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return Response.json({ redirect_url: 'https://pay.example.com/auth/1' });
  };
  const platform = { fetch, URL, URLSearchParams, TextDecoder, TextEncoder, AbortSignal, atob, btoa };
  const order = { number: 'order-1', amount: '10.00', currency: 'BRL', description: 'Tea' };
  const session = { operation: 'purchase', success_url: 'https://shop.example/', order };
  const program = `${text}; const client = railyard.createClient({
    baseUrl: 'https://pay.example.com', merchantKey: 'k', password: 'p', callbackSecret: 'whsec_${btoa('x'.repeat(24))}',
  });
  const refused = client.verifyCallback({ body: '', headers: {}, now: 0 });
  client.createSession(${JSON.stringify(session)}).then((created) => ({ created, refused }));`;
  const result: unknown = await runInContext(program, createContext({ ...platform }));
  expect(z.unknown().parse(structuredClone(result))).toEqual({
    created: { redirect_url: 'https://pay.example.com/auth/1', warnings: [] },
    refused: { ok: false, reason: 'no-signature' },
  });
  expect(asked).toEqual(['https://pay.example.com/api/v1/session']);
});
