import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksOf, type Block } from './blocks.ts';
import { runProgram, typecheck, writeProgram } from './programs.ts';
import { blockOffences } from './rules.ts';
import { commandsOf, type Known } from './shell.ts';

const run = `harness-${process.pid}`;
const files: string[] = [];

afterAll(() => {
  for (const file of files) rmSync(dirname(file), { recursive: true, force: true });
});

const known: Known = {
  scripts: new Set(['start', 'test', 'build']),
  packages: new Set(['@railyard/core', '@railyard/checkout', '@railyard/create-connector']),
  commands: new Set(['railyard']),
  libraries: new Set(['zod']),
  exists: (path) => path === 'examples/a.ts',
};

function block(info: string, text: string, before = ''): Block {
  const [one] = blocksOf({ path: 'README.md', text: `${before}\n\n\`\`\`${info}\n${text}\n\`\`\`\n` });
  if (one === undefined) throw new Error('no block');
  return one;
}

/** One line of a block, so that both checks of a program need a file of their own. */
let line = 0;
function write(text: string): string {
  line += 1;
  const file = writeProgram({ ...block('ts', text), line }, run);
  files.push(file);
  return file;
}

describe('blocks', () => {
  test('are found with their line, language, options and text', () => {
    const text = '# A\n\nWhy.\n\n```ts no-run\na;\n\nb;\n```\n\n- x\n  ~~~json\n  {}\n  ~~~\n';
    expect(blocksOf({ path: 'a.md', text })).toEqual([
      { path: 'a.md', line: 5, language: 'ts', options: ['no-run'], before: 'Why.', text: 'a;\n\nb;\n' },
      { path: 'a.md', line: 12, language: 'json', options: [], before: '- x', text: '{}\n' },
    ]);
  });

  test('without an end reach to the end of the document', () => {
    expect(blocksOf({ path: 'a.md', text: '```ts\na;' })[0]?.text).toBe('a;\n');
  });
});

test.each([
  ['', 'x', 'has the language ""'],
  ['typescript', 'x', 'has the language "typescript"'],
  ['json', '{ a: 1 }', 'is not valid JSON'],
  [
    'php',
    '<?php',
    'is php, which is run in docs/callbacks.md and docs/first-payment.md and docs/hosted-fields.md and docs/server-to-server.md and docs/start-hosted-fields.md and clients/php/README.md only',
  ],
  ['python', 'x', 'is python, which is run in docs/first-payment.md and clients/python/README.md only'],
  ['ts no-run', 'x;', 'is not run and the line above does not say why (<!-- no-run: … -->)'],
  ['bash', 'npm run deploy', '`npm run deploy` would not work'],
  ['bash', 'npm i @railyard/missing', '`npm i @railyard/missing` would not work'],
  // On npm a package of another author has the name of our command.
  ['bash', 'npm i railyard', '`npm i railyard` would not work'],
  ['bash', 'npx @railyard/missing', '`npx @railyard/missing` would not work'],
  ['bash', 'node examples/missing.ts', '`node examples/missing.ts` would not work'],
  ['bash', 'curl https://example.com', '`curl https://example.com` would not work'],
  ['bash', 'npm start && make', '`make` is not a command that documents may use'],
  ['sh', '$ npm start', '`$` is not a command that documents may use'],
])('a %s block is refused with %j', (info, text, offence) => {
  expect(blockOffences(block(info, text), known)).toEqual([`README.md:3: ${offence}`]);
});

test.each([
  ['json', '{ "a": 1 }'],
  ['text', 'anything'],
  ['bash', 'npm start\nnpm test # both\nPORT=9000 npm start'],
  ['bash', 'npm i @railyard/core@1.0.0 zod --save-dev'],
  ['bash', 'npx @railyard/checkout --config a.ts'],
  ['bash', 'npx railyard methods'],
  ['bash', 'npm create @railyard/connector my-one'],
  ['bash', 'git clone https://example.com/a.git\ncd a\nnode examples/a.ts'],
  ['bash', `curl -s http://127.0.0.1:8080/api \\\n  -H 'a: b' \\\n  -d '{\n "a;b": "c && d"\n}'`],
])('a %s block is accepted with %j', (info, text) => {
  expect(blockOffences(block(info, text), known)).toEqual([]);
});

test('a block that is not run is accepted with a reason', () => {
  expect(blockOffences(block('ts no-run', 'x;', '<!-- no-run: needs a merchant -->'), known)).toEqual([]);
});

test('shell text is split into commands of words', () => {
  expect(commandsOf(`a 'b c' "d;e" && f # g\nh \\\n  i=1 | j`)).toEqual([
    ['a', 'b c', 'd;e'],
    ['f'],
    ['h', 'i=1'],
    ['j'],
  ]);
});

test('a program with a wrong type is refused by the compiler', () => {
  const wrong = write('const a: number = "x";');
  const right = write('const a: number = 1;');
  const missing = write(`import { a } from '@railyard/core';\nimport { b } from '@railyard/nowhere';\na; b;`);
  const found = typecheck([wrong, right, missing]);
  expect(found.get(wrong)).toEqual([expect.stringContaining(`Type 'string' is not assignable to type 'number'`)]);
  expect(found.get(right)).toEqual([]);
  expect(found.get(missing)?.join()).toContain(`Cannot find module '@railyard/nowhere'`);
});

test('a program whose assertion fails is refused when it runs', async () => {
  const failing = write(`import assert from 'node:assert/strict';\nassert.equal(1, 2);`);
  expect(await runProgram(failing)).toContain('AssertionError');
});

test('a program may import a package of ours from any document', async () => {
  expect(
    await runProgram(write(`import * as core from '@railyard/core';\nif (!core) throw new Error('no core');`)),
  ).toBe('');
});
