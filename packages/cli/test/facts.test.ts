import { describe, expect, test } from 'vitest';
import { runCli, runJson } from './support/run-cli.ts';

const DESCRIPTION = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Charges', version: '2.1' },
  paths: {
    '/charges/{id}': {
      get: {
        summary: 'Reads a charge',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 35 } }],
        responses: { 200: { description: 'The charge' } },
      },
    },
  },
});
const FROM = ['--source', 'Example provider, API 2.1', '--licence', 'MIT'];

describe('railyard facts', () => {
  test('writes the facts of the named operations, with source, version and licence', async () => {
    const { code, answer } = await runJson(['facts', '-', '--operation', 'GET /charges/{id}', ...FROM], {
      input: DESCRIPTION,
    });
    expect(code).toBe(0);
    expect(answer).toEqual({
      source: 'Example provider, API 2.1',
      version: '2.1',
      licence: 'MIT',
      corrections: [],
      operations: {
        'GET /charges/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 35 } }],
          replies: { 200: { headers: [] } },
        },
      },
      schemas: {},
    });
  });

  test.each([
    ['no operation', FROM, 'Name at least one operation: --operation "PUT /charges/{id}"'],
    ['no source', ['--operation', 'GET /charges/{id}'], 'Say where the description comes from'],
    ['an operation that is not there', ['--operation', 'GET /refunds', ...FROM], 'It has the paths /charges/{id}.'],
  ])('refuses %s and says what to do', async (_, words, problem) => {
    const { code, complained } = await runCli(['facts', '-', ...words], { input: DESCRIPTION });
    expect(code).toBe(2);
    expect(complained).toContain(problem);
  });
});
