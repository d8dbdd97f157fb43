import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runAtTerminal, runInPipe } from './support/memory-io.ts';
import { fixture, fixtureJson, folderOf, runCli } from './support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'railyard-validate-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const pix = ['--connector', folderOf('packages/connector-pix')];

describe('railyard validate', () => {
  test('answers 0 for a request that is valid', async () => {
    expect(await runCli(['validate', fixture('session.json'), ...pix])).toEqual({
      code: 0,
      said: `${fixture('session.json')} is valid.\n`,
      complained: '',
    });
  });

  test('says where a request is wrong, what is expected and what to do; without colours in a pipe', async () => {
    const { code, said, complained } = await runCli(['validate', '-', ...pix], {
      input: JSON.stringify(fixtureJson('wrong-session.json')),
    });
    expect({ code, complained }).toEqual({ code: 1, complained: '' });
    expect(said.split('\n').map((line) => line.split('\t'))).toEqual([
      ['- is not valid: 3 errors.'],
      ['path', 'expected', 'what to do'],
      ['order.description', 'This value should not be blank.', 'Add it.'],
      ['parameters.pix.debtor_documnt', 'This field was not expected.', 'Remove it, or call it "debtor_document".'],
      [
        'parameters.pix.fine',
        'This value should not be blank. It is required when parameters.type_fine is VALUE, PERCENT.',
        'Add it. Fine or interest: string. In the unit of type_fine. With NONE it is 0 and may be left out. An account may give it: see --profile.',
      ],
      [''],
    ]);
  });

  test('says what was probably meant', async () => {
    const { success_url, order, ...rest } = fixtureJson('session.json');
    const input = JSON.stringify({
      ...rest,
      sucess_url: success_url,
      order: { ...order, amount: 25, currency: 'EUR' },
    });
    const { answer } = await jsonInPipe(['validate', '-', ...pix], { readInput: async () => input });
    expect(answer.errors.map(({ path, advice }: { path: string; advice: string }) => [path, advice])).toEqual([
      ['success_url', 'Add it; perhaps "sucess_url" should be called so.'],
      ['order.amount', 'Write it as text, in quotes.'],
      ['order.currency', 'Use one of: BRL.'],
    ]);
  });

  test('says which countries a method takes', async () => {
    const { order, parameters: _pix, ...rest } = fixtureJson('session.json');
    const input = JSON.stringify({
      ...rest,
      methods: ['spei'],
      order: { ...order, currency: 'MXN' },
      billing_address: { country: 'FR' },
    });
    const { answer } = await jsonInPipe(['validate', '-', '--connector', folderOf('packages/connector-voucher')], {
      readInput: async () => input,
    });
    expect(answer.errors).toEqual([
      {
        path: 'billing_address.country',
        message: 'The value you selected is not a valid choice.',
        advice: 'Use one of: MX.',
      },
    ]);
  });

  test('answers programs in JSON, with warnings', async () => {
    const { parameters, ...rest } = fixtureJson('session.json');
    const input = JSON.stringify({
      ...rest,
      parameters: { pix: { ...parameters.pix, debtor_document: '52998224724' } },
    });
    expect(await jsonInPipe(['validate', '-', ...pix], { readInput: async () => input })).toEqual({
      code: 0,
      answer: {
        valid: true,
        errors: [],
        warnings: [
          {
            path: 'parameters.pix.debtor_document',
            message: 'The check digits of this document are not correct.',
            advice: expect.stringContaining('Correct it. Document of the payer'),
          },
        ],
      },
    });
  });

  test('with a profile says what the service says', async () => {
    const profile = file(
      'profile.json',
      '{ "methods": { "br-pix": { "method": "pix", "required": ["debtor_name"] } } }',
    );
    const input = JSON.stringify({ ...fixtureJson('session.json'), methods: ['br-pix'], parameters: {} });
    const { code, answer } = await jsonInPipe(['validate', '-', '--profile', profile, ...pix], {
      readInput: async () => input,
    });
    expect(code).toBe(1);
    expect(answer.errors).toEqual([
      {
        path: 'parameters.br-pix.debtor_name',
        message: 'This value should not be blank.',
        advice: 'Add it. Name of the payer: string 1-25.',
      },
    ]);
  });

  test('paints and aligns at a terminal', async () => {
    const { said } = await runAtTerminal(['validate', fixture('wrong-session.json'), ...pix]);
    expect(said).toContain('\u001B[31m');
    expect(said).toMatch(/parameters\.pix\.debtor_documnt {2}This field was not expected\. {2,}Remove it, or call it/);
    const plain = await runAtTerminal(['validate', fixture('wrong-session.json'), ...pix], { env: { NO_COLOR: '1' } });
    expect(plain.said).not.toContain('\u001B');
  });
});

describe('railyard validate, called wrongly,', () => {
  test.each<[string, () => string[], RegExp]>([
    ['no file', () => [], /Call it as: railyard validate FILE/],
    ['a file that is not there', () => ['none.json'], /There is no file none\.json\./],
    ['an option that is not there', () => ['a.json', '--strict'], /Unknown option '--strict'/],
    [
      'text that is no JSON, which is not repeated',
      () => [file('broken.json', '{\n  "hash": secret-1\n}')],
      /is no JSON: it breaks at line 2, column 11\./,
    ],
    [
      'a profile that is none',
      () => [fixture('session.json'), '--profile', file('none.json', '{ "method": {} }')],
      /is no profile:\n {2}profile\.methods: .*\nAsk the service for it/s,
    ],
    ['a day that is none', () => [fixture('session.json'), '--today', 'now'], /--today takes a day as YYYY-MM-DD\./],
  ])('with %s, answers 2 and says what to do', async (_what, args, expected) => {
    const { code, said, complained } = await runInPipe(['validate', ...args(), ...pix]);
    expect({ code, said }).toEqual({ code: 2, said: '' });
    expect(complained).toMatch(expected);
    expect(complained).not.toMatch(/secret-1|\n\s+at /);
  });

  test('where no connector is found, says how to bring one', async () => {
    const { code, complained } = await runInPipe(['validate', fixture('session.json')], { cwd: folder });
    expect(code).toBe(2);
    expect(complained).toContain('No connector was found. Name one with --connector');
  });
});
