import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runAtTerminal, runInPipe } from './support/memory-io.ts';
import { fixture, folderOf, runCli } from './support/run-cli.ts';

const home = mkdtempSync(fixture('import-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const CHARGES = fixture('charges.openapi.yaml');
const CONEKTA = folderOf('packages/connector-voucher/test/official/conekta.json');

/** A folder of its own for each test, in which the command is started. */
const place = () => ({ cwd: mkdtempSync(join(home, 'at-')) });
const json = (value: unknown) => JSON.stringify(value);
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8');

describe('railyard import', () => {
  test('writes endpoints and samples of the named operations, and lists what a person must decide', async () => {
    const { cwd } = place();
    const words = ['--paths', '/charges', '/charges/{id}', '/charges/{id}/refunds/{refund-id}'];
    const { code, said, complained } = await runCli(['import', CHARGES, ...words], { cwd });
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
    expect(said).toContain(
      'src/charges-endpoints.ts, src/charges.samples.ts, src/charges.simulation.ts and src/charges.goldens.ts are written.',
    );
    expect(said).toContain('create-charge: what is done after a time-out: safe, keyed, by-reference or once\n');
    expect(said).toContain('create-charge: which of 400, 422 say that nothing was taken\n');
    expect(said).toContain('what PAID says: pending, authorized, settled or a decline\n');
    await expect(read(cwd, 'src/charges-endpoints.ts')).toMatchFileSnapshot('__snapshots__/charges-endpoints.txt');
    await expect(read(cwd, 'src/charges.samples.ts')).toMatchFileSnapshot('__snapshots__/charges.samples.txt');
  });

  test('copies no sentence of the description', async () => {
    const { cwd } = place();
    await runInPipe(['import', CHARGES, '--paths', '/charges', '/charges/{id}'], { cwd });
    const written = read(cwd, 'src/charges-endpoints.ts') + read(cwd, 'src/charges.samples.ts');
    const description = readFileSync(CHARGES, 'utf8');
    for (const text of ['Makes a charge', 'What was bought', 'The charge was not taken.']) {
      expect(description).toContain(text);
      expect(written).not.toContain(text);
    }
  });

  test('a file with an open decision does not load, and says which decision it is', async () => {
    const { cwd } = place();
    await runInPipe(['import', CHARGES, '--paths', 'GET /charges/{id}'], { cwd });
    await expect(import(join(cwd, 'src/charges.samples.ts'))).resolves.toHaveProperty('sampleCharge');
    await expect(import(join(cwd, 'src/charges-endpoints.ts'))).rejects.toThrow(
      'Not decided yet: what OPEN says: pending, authorized, settled or a decline. Write the decision in place of undecided(…).',
    );
  });

  test('writes the fields that are named, and those that a request must have', async () => {
    const { cwd } = place();
    const fields = ['--fields', 'id,status,code', '--fields', 'payer.kind,payer.born'];
    await runInPipe(['import', CHARGES, '--paths', 'POST /charges', ...fields], { cwd });
    const written = read(cwd, 'src/charges-endpoints.ts');
    expect(written).toContain('const payer = z.object({ kind: z.string(), born: z.string().optional() });');
    expect(written).toContain('const charge = z.object({ id: z.string(), status: z.string(), payer });');
    expect(written).toContain('readonly amount: Amount;');
    expect(written).not.toContain('note');
    expect(written).not.toContain('which of these fields');
  });

  test('answers programs with the files, the decisions, the notes and what is left out', async () => {
    const { cwd } = place();
    const { code, answer } = await jsonInPipe(['import', CHARGES, '--paths', 'POST /charges', '--out', 'new'], { cwd });
    expect(code).toBe(0);
    expect(answer.files).toEqual(
      ['-endpoints', '.samples', '.simulation', '.goldens'].map((each) => `new/charges${each}.ts`),
    );
    expect(answer.undecided).toContain('create-charge: whether 409 says that nothing was taken');
    // Too many requests: the contract says what that means.
    expect(JSON.stringify(answer.undecided)).not.toContain('429');
    expect(answer.notes).toEqual([
      'Replies that the description calls "default" are left out where it names statuses of refusals.',
    ]);
    expect(answer.leftOut['POST /charges, 201']).toEqual(expect.arrayContaining(['before', 'anything', 'steps.more']));
  });

  test('reads facts, which need no description and no kit', async () => {
    const { cwd } = place();
    const { code } = await runInPipe(['import', CONEKTA, '--paths', 'get /orders/{id}', '--name', 'Conekta MX'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(read(cwd, 'src/conekta-mx-endpoints.ts')).toContain("api.endpoint('get-order', 'GET /orders/{id}', {");
    expect(read(cwd, 'src/conekta-mx-endpoints.ts')).toContain("source: 'Conekta (github.com/conekta/openapi), 2.3.0'");
  });

  test('reads a description from standard input', async () => {
    const { cwd } = place();
    const words = ['import', '-', '--paths', 'GET /charges/{id}', '--name', 'piped', '--source', 'Our own'];
    const { code } = await runCli(words, { cwd, input: readFileSync(CHARGES, 'utf8') });
    expect(code).toBe(0);
    expect(read(cwd, 'src/piped-endpoints.ts')).toContain("source: 'Our own, 2.1'");
  });

  test('replaces no file that is there, unless it is told to', async () => {
    const { cwd } = place();
    const words = ['import', CHARGES, '--paths', 'GET /charges/{id}', '--out', '.'];
    writeFileSync(join(cwd, 'charges.samples.ts'), 'of a person');
    const refused = await runAtTerminal(words, { cwd });
    expect(refused.code).toBe(2);
    expect(refused.complained).toContain('charges.samples.ts is there already.');
    expect(refused.complained).toContain('--overwrite');
    expect(read(cwd, 'charges.samples.ts')).toBe('of a person');
    expect(() => read(cwd, 'charges-endpoints.ts')).toThrow('ENOENT');
    expect((await runAtTerminal([...words, '--overwrite'], { cwd })).code).toBe(0);
    expect(read(cwd, 'charges.samples.ts')).toContain('sampleCharge');
  });
});

describe('railyard import of a description with examples', () => {
  const WALLET = fixture('wallet.openapi.yaml');
  const PATHS = ['/payments', '/payments/{reference}', '/payments/{reference}/refund'].map(
    (each) => `/wallet/v1${each}`,
  );
  const FIELDS = 'id,reference,state,status,amount,redirectUrl,way,otherWays,returnUrl,title,reason';
  const written = async (fields = FIELDS) => {
    const { cwd } = place();
    const words = ['import', WALLET, '--paths', ...PATHS, '--fields', fields];
    const { answer } = await jsonInPipe(words, { cwd });
    return {
      answer,
      endpoints: read(cwd, 'src/wallet-endpoints.ts'),
      samples: read(cwd, 'src/wallet.samples.ts'),
      simulation: read(cwd, 'src/wallet.simulation.ts'),
      goldens: read(cwd, 'src/wallet.goldens.ts'),
      notifications: read(cwd, 'src/wallet.notifications.ts'),
    };
  };

  test('takes each reply that it shows, and the examples of fields where it shows none', async () => {
    const { endpoints, samples } = await written();
    expect(endpoints).toContain('reply(201, payment, samples.samplePayment, samples.samplePaymentPush)');
    expect(samples).toContain("redirectUrl: 'https://pay.wallet.example/7f3'");
    expect(samples).toContain("id: 'pay-8a1'");
    expect(samples).toContain("export const sampleProblem = { title: 'Conflict' };");
    expect(samples).toContain(
      "export const sampleRefund = { id: 'ref-11', reference: 'shop-1-order-7', status: 'REQUESTED' };",
    );
    expect(samples).not.toContain('unknown to the schema');
  });

  test('has a table of words for payments and one for refunds, with the sentence on a word above it', async () => {
    const { endpoints, answer } = await written();
    expect(endpoints).toContain(
      "export const statuses = statusTable({\n  // The payer has not acted yet.\n  CREATED: undecided('what CREATED says: pending, authorized, settled or a decline'),",
    );
    expect(endpoints).toContain(
      "export const refundStatuses = statusTable({\n  REQUESTED: undecided('what REQUESTED says of a refund: pending, settled or a decline'),\n  // AUTHORIZED means that the money is on its way.\n  AUTHORIZED: undecided('what AUTHORIZED says of a refund: pending, settled or a decline'),\n  // DONE means that the payer has it.\n",
    );
    expect(answer.undecided).toContain('what AUTHORIZED says of a refund: pending, settled or a decline');
    expect(answer.undecided).toContain('what AUTHORIZED says: pending, authorized, settled or a decline');
  });

  test('keeps the query of a list, and sends a key where the operation changes something alone', async () => {
    const { endpoints } = await written();
    expect(endpoints).toContain('request: ({ from, limit }: ListPayments) => ({ query: { from, limit } }),');
    expect(endpoints.match(/'idempotency-key': key/g)).toHaveLength(2);
  });

  test('takes the account in a path from the settings, and names no endpoint by it', async () => {
    const { cwd } = place();
    const text = { type: 'string' };
    const item = { allOf: [{ type: 'object', properties: { id: text, status: text } }] };
    const replies = (schema: object) => ({
      200: { content: { 'application/json': { schema } } },
      400: { content: { 'application/json': { schema: { type: 'object', properties: { why: text, code: text } } } } },
    });
    const list = { type: 'object', properties: { status: text, data: { type: 'array', items: item } } };
    const described = {
      openapi: '3.1.0',
      info: { title: 'Stores', version: '1' },
      paths: {
        '/stores/{storeId}/invoices': {
          post: { responses: replies(item) },
          get: { responses: replies(list) },
        },
        '/stores/{storeId}/invoices/details': { post: { responses: replies({ type: 'array', items: item }) } },
      },
    };
    writeFileSync(join(cwd, 'stores.json'), json(described));
    const words = [
      'import',
      'stores.json',
      '--paths',
      ...Object.keys(described.paths),
      '--fields',
      'id,status,why,data.id,data.status',
    ];
    expect((await runInPipe(words, { cwd })).code).toBe(0);
    const endpoints = read(cwd, 'src/stores-endpoints.ts');
    expect(endpoints).toContain("store_id: field(z.string().min(1), { label: 'Store id' }),");
    expect(endpoints).toContain("'create-invoice', 'POST /stores/{storeId}/invoices'");
    expect(endpoints).toContain("'create-invoice-details', ");
    expect(endpoints).toContain('request: (_: void, { settings }) => ({ params: { storeId: settings.store_id } })');
    // One schema for the refusals of all calls, and no name twice in another.
    expect(endpoints.match(/z\.object\(\{ why/g)).toHaveLength(1);
    expect(endpoints).not.toMatch(/const \w+(?:Problem|DetailsCreate)/);
    expect(read(cwd, 'src/stores.goldens.ts')).toContain("path: '/stores/{settings.store_id}/invoices' }");
    const simulation = read(cwd, 'src/stores.simulation.ts');
    expect(simulation).not.toContain('params.storeId');
    expect(simulation).toContain("reply: { id: 'data.0.id', status: 'data.0.status' } }");
  });

  test('names things as a person would, and a type with many words once', async () => {
    const { endpoints, answer } = await written(`${FIELDS},data,metadata,_links.next.href`);
    for (const name of ['create-payment', 'list-payments', 'get-payment', 'refund-payment'])
      expect(endpoints).toContain(`'${name}'`);
    expect(endpoints).not.toMatch(/\b\w+(?<!v)\d = /);
    expect(endpoints).toContain('metadata: z.object({}).optional()');
    expect(endpoints).toContain(
      'const links = z.object({ next: z.object({ href: z.string().optional() }).optional() });',
    );
    expect(endpoints.match(/'WEB' \| 'APP'/g)).toHaveLength(1);
    expect(endpoints).toContain('readonly way: Way;\n  readonly otherWays?: readonly Way[];');
    expect(answer.notes).toContain(
      'https://wallet.example/receipts.yaml#/Receipt stands in another document: nothing is written of its fields.',
    );
  });

  test('has no table for a capture that is answered with the payment’s words, and numbers no name by a version', async () => {
    const { cwd } = place();
    const state = (words: readonly string[]) => ({
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', enum: words } },
    });
    const answers = (name: string) => ({
      responses: { 200: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } } },
    });
    const schemas = {
      'payment-2': state(['OPEN', 'HELD', 'PAID']),
      capture: state(['HELD', 'PAID']),
      release: state(['GONE']),
    };
    const paths = {
      '/payments/{id}': { get: answers('payment-2') },
      '/payments/{id}/capture': { post: answers('capture') },
      '/payments/{id}/cancel': { post: answers('release') },
    };
    const described = json({ openapi: '3.1.0', info: { version: '1' }, paths, components: { schemas } });
    writeFileSync(join(cwd, 'held.json'), described);
    await runInPipe(['import', 'held.json', '--fields', 'status', '--paths', ...Object.keys(paths)], { cwd });
    const endpoints = read(cwd, 'src/held-endpoints.ts');
    expect(endpoints.match(/export const \w*[sS]tatuses/g)).toEqual([
      'export const statuses',
      'export const voidStatuses',
    ]);
    expect(endpoints).toContain('const payment = z.object({ status: z.string() });');
    expect(endpoints).toContain("api.endpoint('capture-payment', ");
  });

  test('takes a value that is shown where no other keeps the rule, which is wrong then', async () => {
    const { cwd } = place();
    const tax = { type: 'string', pattern: '^\\\\d{11}$', example: '12345678909' };
    const schema = { type: 'object', required: ['tax'], properties: { tax } };
    const paths = { '/payers': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } };
    writeFileSync(join(cwd, 'tax.json'), json({ openapi: '3.1.0', info: { version: '1' }, paths }));
    await runInPipe(['import', 'tax.json', '--paths', '/payers'], { cwd });
    expect(read(cwd, 'src/tax.samples.ts')).toContain("{ tax: '12345678909' }");
  });

  test('reads a header that all calls require from the settings', async () => {
    const { endpoints } = await written();
    expect(endpoints).toContain("sales_unit: field(z.string().min(1), { label: 'Sales unit' }),");
    expect(endpoints).toContain("'sales-unit': sales_unit");
    expect(endpoints).toContain("getPayment = api.lookup('get-payment', '/wallet/v1/payments/{reference}', {");
  });

  test('begins the simulation: places by the names of fields, effects by paths, and questions for the rest', async () => {
    const { simulation } = await written();
    expect(simulation).toContain(
      "      request: {\n        merchantReference: 'body.reference',\n        amount: 'body.amount.value',\n        currency: 'body.amount.currency',\n        key: 'headers.idempotency-key',\n      },\n",
    );
    expect(simulation).toContain("effect: 'refund',\n      request: {\n        merchantReference: 'params.reference',");
    expect(simulation).toContain(
      "reply: { modification: 'id', merchantReference: 'reference', modificationStatus: 'status' },",
    );
    expect(simulation).toContain('absent: { status: 404, body: samples.sampleProblem },');
    expect(simulation).toContain("page: { returnUrl: 'body.returnUrl' },");
    expect(simulation).toContain("settled: undecided('which word of the provider says settled of a refund')");
    expect(simulation).toContain('effect: undecided(\n');
  });

  test('begins the goldens: each shown exchange with the kit’s own payment, and a question for its outcome', async () => {
    const { goldens } = await written();
    expect(goldens).toContain("path: '/wallet/v1/payments/{reference}/refund',");
    expect(goldens).toContain("authorization: 'Bearer {settings.access_token}',");
    expect(goldens).toContain(
      "      body: {\n        amount: { currency: 'NOK', value: 2500 },\n        reference: '{reference}',\n        way: 'WEB',\n        returnUrl: '{return_url}',\n      },\n",
    );
    expect(goldens).toContain("redirectUrl: 'https://pay.wallet.example/7f3',");
    expect(goldens).toContain(
      "undecided('get-payment, 200: which outcome this reply is, with which reference and amount')",
    );
    expect(goldens).toContain("{ id: 'ref-11', reference: '{reference}', status: 'REQUESTED' }");
    expect(goldens).toContain("reply: { status: 409, body: { reason: 'hold_only' } },");
  });

  test('begins the notifications of webhooks and callbacks, with an example of each', async () => {
    const { notifications, answer } = await written();
    expect(notifications).toContain('const event = z.object({ eventId: z.string(), name: z.string(), payment });');
    expect(notifications).toContain('samples.samplePaymentCapturedNotification');
    expect(notifications).toContain('samples.samplePaymentChangedNotification');
    expect(answer.undecided).toContain('which events a notification tells: payment.captured, paymentChanged');
    expect(answer.undecided).toContainEqual(
      expect.stringContaining('how a notification proves that it is the provider’s'),
    );
  });

  test('bounds no field of a reply: one that is longer than described leaves no paid payment unknown', async () => {
    const { endpoints } = await written();
    const [, replies = ''] = /\/\/ Replies\.([^]*)\/\/ Requests\./.exec(endpoints) ?? [];
    expect(replies).toContain('redirectUrl: z.string().optional()');
    expect(replies).not.toMatch(/\.(?:min|max|gt|lt|url|datetime|multipleOf)\(/);
  });
});

describe('railyard import reads', () => {
  const text = { type: 'string' };
  const page = (path: string, schema: string, more: object) => {
    const described = {
      openapi: '3.1.0',
      info: { title: 'Pages', version: '3' },
      paths: {
        [path]: {
          get: {
            responses: {
              200: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } },
            },
          },
        },
      },
      components: { schemas: { [schema]: { type: 'object', required: ['id'], properties: { id: text, ...more } } } },
    };
    const block = JSON.stringify(described, null, 2).replaceAll('\n', '\n  ');
    return `# A page\n\n\`\`\`sh\ncurl https://api.example\n\`\`\`\n\n- The definition:\n\n  ~~~~json openapi\n  ${block}\n  ~~~~\n`;
  };

  test('the OpenAPI blocks of a page in Markdown, also as YAML', async () => {
    const { cwd } = place();
    writeFileSync(join(cwd, 'pages.md'), page('/payments', 'Payment', { amount: text }));
    expect((await runInPipe(['import', 'pages.md', '--paths', 'GET /payments'], { cwd })).code).toBe(0);
    expect(read(cwd, 'src/pages-endpoints.ts')).toContain('amount: z.string().optional()');
    writeFileSync(join(cwd, 'yaml.md'), `Text\n\`\`\`yaml\n${readFileSync(CHARGES, 'utf8')}\n\`\`\`\n`);
    expect((await runInPipe(['import', 'yaml.md', '--paths', 'GET /charges/{id}'], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, 'none.md'), '# None\n\n```json\n{ "a": 1 }\n```\n');
    const { complained } = await runInPipe(['import', 'none.md', '--paths', '/a'], { cwd });
    expect(complained).toContain('none.md has no block of code that is an OpenAPI description.');
  });

  test('a folder of pages as one description', async () => {
    const { cwd } = place();
    mkdirSync(join(cwd, 'pages'));
    writeFileSync(join(cwd, 'pages/payments.md'), page('/payments', 'Payment', { amount: text }));
    writeFileSync(join(cwd, 'pages/refunds.md'), page('/refunds', 'Refund', { reason: text }));
    writeFileSync(join(cwd, 'pages/readme.md'), 'No description.');
    const { code } = await runInPipe(['import', 'pages', '--paths', '/payments', '/refunds'], { cwd });
    expect(code).toBe(0);
    const written = read(cwd, 'src/pages-endpoints.ts');
    expect(written).toContain("'GET /payments'");
    expect(written).toContain('reason: z.string().optional()');
  });

  test('a folder of JSON schemas, whose calls its user names', async () => {
    const { cwd } = place();
    mkdirSync(join(cwd, 'schemas/parts'), { recursive: true });
    const put = (name: string, value: object) => writeFileSync(join(cwd, 'schemas', name), json(value));
    put('NewPayment.json', {
      type: 'object',
      required: ['amount'],
      properties: { amount: { $ref: 'parts/Money.schema.json' } },
    });
    put('Payment.json', {
      type: 'object',
      required: ['status', 'amount'],
      properties: { status: { $ref: '#/definitions/Status' }, amount: { $ref: './parts/Money.schema.json#' } },
      definitions: {
        Status: { type: 'string', enum: ['OPEN', 'PAID'] },
        Problem: { type: 'object', properties: { code: text } },
      },
    });
    put('parts/Money.schema.json', {
      type: 'object',
      required: ['value'],
      properties: { value: { type: 'integer', examples: [2500] } },
    });
    const call = 'POST /payments NewPayment 201:Payment 400:Problem';
    const { code, complained } = await runInPipe(
      ['import', 'schemas', '--paths', call, '--fields', 'status,amount,code'],
      { cwd },
    );
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
    const written = read(cwd, 'src/schemas-endpoints.ts');
    expect(written).toContain('export type Money = { readonly value: Numeric };');
    expect(written).toContain('const payment = z.object({ status: z.string(), amount: money });');
    expect(written).toContain('const problem = z.object({ code: z.string().optional() });');
    expect(written).toContain("PAID: undecided('what PAID says: ");
    expect(read(cwd, 'src/schemas.samples.ts')).toContain('amount: { value: 2500 }');
    const wrong = (text: string) => runInPipe(['import', 'schemas', '--paths', text], { cwd });
    expect((await wrong('POST /payments')).complained).toContain('is no whole call');
    expect((await wrong('POST /payments Nothing 201:Payment')).complained).toContain(
      'There is no schema "Nothing". There are: NewPayment, Payment, Money.',
    );
  });
});

describe('railyard import refuses', () => {
  const small = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { get: { responses: {} } } } };
  const dangling = {
    ...small,
    paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/None' } } } } },
  };

  test.each([
    ['no operation', [], small, 'Name at least one operation: --paths "POST /charges"'],
    [
      'an operation that is not there',
      ['--paths', 'GET /b'],
      small,
      'Standard input has no operation "GET /b". Did you mean "GET /a"?',
    ],
    ['a path far from all others', ['--paths', '/refunds'], small, 'has no operation "/refunds". It has GET /a.'],
    ['another method of a path', ['--paths', 'POST /a'], small, 'has no operation "POST /a". The path has GET /a.'],
    [
      'a method that is none',
      ['--paths', 'FETCH /a'],
      small,
      'FETCH is no method of an endpoint. Use one of: GET, POST, PUT, PATCH, DELETE.',
    ],
    ['Swagger 2.0', ['--paths', '/a'], { swagger: '2.0', paths: {} }, 'is Swagger 2.0. Convert it to OpenAPI 3 first'],
    ['what is no description', ['--paths', '/a'], { a: 1 }, 'is no OpenAPI description of version 3'],
    ['a description without calls', ['--paths', '/a'], { openapi: '3.1.0' }, 'it has no "paths"'],
    ['a list', ['--paths', '/a'], [], 'describes no API: it is no object'],
    ['a reference that leads nowhere', ['--paths', '/a'], dangling, '#/components/responses/None leads to nothing'],
    ['a field that is nowhere', ['--paths', '/a', '--fields', 'statsu'], small, 'has the field "statsu"'],
  ])('%s', async (_, words, description, complaint) => {
    const { cwd } = place();
    const input = json(description);
    const { code, complained } = await runInPipe(['import', '-', '--name', 'a', ...words], {
      cwd,
      readInput: async () => input,
    });
    expect({ code, complained }).toMatchObject({ code: 2, complained: expect.stringContaining(complaint) });
  });

  test.each([
    ['a file that is not there', ['none.yaml', '--paths', '/a'], 'There is no file none.yaml.'],
    ['JSON that breaks', ['broken.json', '--paths', '/a'], 'broken.json is no JSON: it breaks at line 1, column 13.'],
    ['YAML that breaks', ['broken.yaml', '--paths', '/a'], 'broken.yaml is no YAML: '],
    [
      'a reply that is no JSON',
      [CHARGES, '--paths', '/statements'],
      'GET /statements, 200 is text/csv. Only JSON is written',
    ],
    [
      'a request that is neither JSON nor a form',
      [CHARGES, '--paths', '/files'],
      'POST /files takes multipart/form-data.',
    ],
    ['a name that no file has', [CHARGES, '--paths', '/charges', '--name', '2'], '--name example-pay'],
    ['a field misspelt', [CHARGES, '--paths', '/charges', '--fields', 'payer.knid'], 'Did you mean "payer.kind"?'],
    [
      'a folder that is a file',
      [CHARGES, '--paths', '/charges', '--out', 'broken.yaml'],
      'Nothing can be written to broken.yaml',
    ],
  ])('%s', async (_, words, complaint) => {
    const { cwd } = place();
    writeFileSync(join(cwd, 'broken.json'), '{"openapi": }');
    writeFileSync(join(cwd, 'broken.yaml'), 'openapi: [3.1\npaths: {');
    const { code, complained } = await runInPipe(['import', ...words], { cwd });
    expect({ code, complained }).toMatchObject({ code: 2, complained: expect.stringContaining(complaint) });
  });
});
