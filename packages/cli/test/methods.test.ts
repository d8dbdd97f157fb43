import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../test/support/catalogue.ts';
import { jsonInPipe, runAtTerminal, runInPipe } from './support/memory-io.ts';
import { folderOf, runCli } from './support/run-cli.ts';

const cwd = folderOf('packages/connector-pix');

describe('railyard methods', () => {
  test('lists keys, operations and connectors, by tabs in a pipe', async () => {
    const { code, said } = await runCli(['methods'], { cwd });
    expect(code).toBe(0);
    expect(said.split('\n').slice(0, 4)).toEqual([
      'method\ttitle\toperations\tcurrencies\tcountries\telsewhere\tconnectors',
      'pix-charge\tPix\tpurchase\tBRL\tBR\ttaken\tpix-bcb',
      'pix-collection\tPix by collection account\tpurchase\tBRL\tBR\ttaken\tpix-collection',
      'pix\tPix\tpurchase, credit\tBRL\tBR\ttaken\tpix-instant',
    ]);
  });

  test('counts long lists of currencies', async () => {
    const { said } = await runInPipe(['methods'], { cwd: folderOf('packages/connector-card') });
    expect(said).toMatch(
      /^card\tCard\tpurchase, debit, credit, transfer\t\d+ codes\tany\t-\tcard-acquirer, card-adyen, card-stripe$/m,
    );
  });
});

describe('railyard methods of all packages', () => {
  test('lists each key of the catalogue, with its countries and whether payers elsewhere are taken', async () => {
    const packages = [...new Set(catalogue.map(({ by }) => folderOf(`packages/connector-${by}`)))];
    const options = packages.flatMap((folder) => ['--connector', folder]);
    const { answer } = await jsonInPipe(['methods', ...options], { cwd });
    const listed: readonly { key: string; countries: string[]; elsewhere?: string }[] = answer.methods;
    const keys = catalogue.flatMap(({ keys: own, extra = {} }) => [...own, ...Object.keys(extra)]);
    expect(listed.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    expect(listed.filter(({ key }) => ['spei', 'qr'].includes(key))).toMatchObject([
      { key: 'qr', countries: [] },
      { key: 'spei', countries: ['MX'] },
    ]);
    const taking = listed.filter(({ elsewhere }) => elsewhere !== undefined);
    expect(taking.map(({ key }) => key)).toEqual(expect.arrayContaining(['pix', 'iban-tr', 'wallet-co']));
    for (const { countries } of taking) expect(countries.length).toBeGreaterThan(0);
    const { said } = await runInPipe(['methods', ...options], { cwd });
    expect(said).toMatch(/^spei\t.*\tMXN\tMX\trefused\tconekta$/m);
    expect(said).toMatch(/^wallet-co\t.*\tCOP\tCO\ttaken\twallet-gateway$/m);
  });
});

describe('railyard describe', () => {
  test('shows parameters with rule and need, rules, completion and limits', async () => {
    const { code, said } = await runCli(['describe', 'pix'], { cwd });
    expect(code).toBe(0);
    expect(said).toMatchSnapshot();
  });

  test('at a terminal of 100 columns', async () => {
    const { said } = await runAtTerminal(['describe', 'pix-personal'], { cwd });
    expect(said).toMatchSnapshot();
  });

  test('shows one operation in JSON', async () => {
    const { answer } = await jsonInPipe(['describe', 'pix', '--operation', 'credit'], { cwd });
    expect(answer).toMatchObject({ key: 'pix', operations: [{ operation: 'credit', completion: [] }] });
    expect(answer.operations).toHaveLength(1);
  });

  test('of a method that is not there says which there are', async () => {
    const { code, complained } = await runInPipe(['describe', 'pixx'], { cwd });
    expect(code).toBe(2);
    expect(complained).toContain(
      'There is no method "pixx". Did you mean "pix"? Methods: pix-charge, pix-collection, pix,',
    );
  });
});

describe('railyard schema', () => {
  test('writes the JSON Schema of an operation, or of all', async () => {
    const one = await runInPipe(['schema', 'pix', '--operation', 'purchase'], { cwd });
    const schema = JSON.parse(one.said);
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(Object.keys(schema.properties)).toContain('debtor_document');
    const all = await runInPipe(['schema', 'pix'], { cwd });
    expect(JSON.parse(all.said)).toMatchObject({ purchase: schema, credit: { type: 'object' } });
  });

  test('of an operation that the method does not have says which it has', async () => {
    const { code, complained } = await runInPipe(['schema', 'pix', '--operation', 'debit'], { cwd });
    expect(code).toBe(2);
    expect(complained).toContain('--operation of pix is one of purchase, credit.');
  });
});

describe('railyard', () => {
  test('lists its commands, with the exit codes; without any it has been called wrongly', async () => {
    const asked = await runCli(['--help']);
    expect(asked).toMatchObject({ code: 0, complained: '' });
    expect(asked.said).toMatch(/^ {2}validate +check a session request/m);
    expect(asked.said).toContain('Exit codes: 0 yes or done; 1 the answer is no');
    expect(await runCli([])).toEqual({ code: 2, said: '', complained: asked.said });
  });

  test('knows what was meant by a word that is not there, also in JSON', async () => {
    expect((await runInPipe(['descirbe'])).complained).toContain(
      'There is no command "descirbe". Did you mean "describe"?',
    );
    const { code, answer } = await jsonInPipe(['descirbe']);
    expect({ code, answer }).toEqual({ code: 2, answer: { error: expect.stringContaining('Did you mean') } });
  });

  test('shows the help of each command', async () => {
    const { code, said } = await runInPipe(['describe', '--help']);
    expect(code).toBe(0);
    expect(said).toMatch(/^Usage: railyard describe KEY/);
    expect(said).toMatch(/--connector PATH\|PACKAGE +a connector: file, folder or package; may be repeated/);
  });
});
