import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';
import { fixture, runCli } from './support/run-cli.ts';

// Below the package, so that what is written here finds core and zod.
const home = mkdtempSync(fixture('diff-'));
afterAll(() => rmSync(home, { recursive: true }));

/** The connector as it was, every part of it to be replaced. */
const PARTS = {
  parameters: `note: field(z.string().max(40).optional(), { label: 'Note' }), kind: z.enum(['a', 'b'])`,
  needs: '{}',
  rules: '[]',
  limits: `{ currency: 'EUR', min: '1', max: '100' }`,
  currencies: `['EUR', 'USD']`,
  completion: `['qr']`,
  settings: `base_url: z.url(), api_key: secret(z.string(), 'API key')`,
  repeat: 'keyed',
  path: '/charges',
  endpoint: 'create-charge',
  statuses: `PAID: 'settled'`,
  flows: '',
  title: 'Scan',
  extra: '',
};

const moduleOf = (parts: typeof PARTS) => `
import { call, defineConnector, defineMethod, providerApi, field, limitsTable, pending, secret, statusTable } from '@railyard/core';
import * as z from 'zod';
export const scan = defineMethod({
  key: 'scan', title: '${parts.title}', currencies: ${parts.currencies},
  operations: { purchase: { parameters: z.strictObject({ ${parts.parameters} }), needs: ${parts.needs}, rules: ${parts.rules}, completion: ${parts.completion} } },
  limits: limitsTable('manual', [${parts.limits}]),
});
const settings = z.object({ ${parts.settings} });
const create = providerApi(settings, { source: 'a test' }).endpoint({
  name: '${parts.endpoint}', method: 'POST', path: '${parts.path}', repeat: '${parts.repeat}',
  request: (json) => ({ json }), reply: z.object({ id: z.string() }),
});
export const scanner = defineConnector({
  id: 'scanner', contract: 1, version: '1.2.0', title: 'Scanner', settings, baseUrl: (each) => each.base_url,
  endpoints: [create], statuses: statusTable({ ${parts.statuses} }),
  serves: (serve) => [serve(scan, { *purchase() { return pending((yield* call(create, {})).id); }, ${parts.flows} })],
});
${parts.extra}
`;

interface Made {
  readonly parts?: Partial<typeof PARTS>;
  readonly version?: string;
  readonly manifest?: object;
}

function packageOf({ parts = {}, version = '1.2.0', manifest = {} }: Made): string {
  const folder = mkdtempSync(join(home, 'version-'));
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/index.js'), moduleOf({ ...PARTS, ...parts }));
  const own = {
    name: 'connector-scan',
    version,
    type: 'module',
    exports: './index.js',
    peerDependencies: { '@railyard/core': '^1.0.0' },
  };
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ ...own, ...manifest }));
  return join(folder, 'package');
}

function tarballOf(made: Made = {}): string {
  const folder = packageOf(made);
  execFileSync('tar', ['-czf', `${folder}.tgz`, '-C', join(folder, '..'), 'package']);
  return `${folder}.tgz`;
}

const old = tarballOf();

async function changes(parts: Made['parts'], more: Made = {}) {
  const { answer } = await jsonInPipe(['diff', packageOf({ ...more, ...(parts && { parts }) }), '--against', old]);
  const found: { bump: string; at: string; says: string; note?: string }[] = answer.changes;
  return found.map(({ bump, at, says }) => `${bump} ${at} ${says}`);
}

describe('railyard diff', () => {
  test('of the same package finds nothing', async () => {
    expect(await changes({})).toEqual([]);
  });

  test.each<[string, Made['parts'], string]>([
    [
      'a new required parameter',
      { parameters: `${PARTS.parameters}, ref: z.string()` },
      'major method scan, purchase, parameter ref is new and required',
    ],
    [
      'a new optional parameter',
      { parameters: `${PARTS.parameters}, ref: z.string().optional()` },
      'minor method scan, purchase, parameter ref is new and optional',
    ],
    [
      'a new parameter that the payer gives',
      { parameters: `${PARTS.parameters}, ref: field(z.string(), { label: 'Ref', sources: ['payer'] })` },
      'minor method scan, purchase, parameter ref is new; the payer is asked for it',
    ],
    [
      'a parameter that is gone',
      { parameters: `kind: z.enum(['a', 'b'])` },
      'major method scan, purchase, parameter note is gone',
    ],
    [
      'a shorter text',
      { parameters: PARTS.parameters.replace('40', '30') },
      'major method scan, purchase, parameter note maxLength is 30, before 40: narrower',
    ],
    [
      'a longer text',
      { parameters: PARTS.parameters.replace('40', '50') },
      'minor method scan, purchase, parameter note maxLength is 50, before 40: wider',
    ],
    [
      'one choice less',
      { parameters: PARTS.parameters.replace(`['a', 'b']`, `['a']`) },
      'major method scan, purchase, parameter kind the choice "b" is gone: narrower',
    ],
    [
      'one choice more',
      { parameters: PARTS.parameters.replace(`'b'`, `'b', 'c'`) },
      'minor method scan, purchase, parameter kind the choice "c" is new: wider',
    ],
    [
      'another text',
      { parameters: PARTS.parameters.replace('Note', 'Remark') },
      'patch method scan, purchase, parameter note has other texts',
    ],
    [
      'a parameter that became optional',
      { parameters: PARTS.parameters.replace(`'b'])`, `'b']).optional()`) },
      'minor method scan, purchase, parameter kind is no longer required',
    ],
    [
      'a need of the session',
      { needs: `{ 'customer.email': z.email() }` },
      'major method scan, purchase, session field customer.email is new and required',
    ],
    [
      'a rule',
      { rules: `[{ paths: ['kind'], level: 'error', says: 'No b.', check: () => undefined }]` },
      'major method scan, purchase the rule "No b." refuses requests',
    ],
    [
      'a wider limit',
      { limits: PARTS.limits.replace(`'100'`, `'200'`) },
      'minor method scan, limits, EUR max is 200, before 100: wider',
    ],
    [
      'a narrower limit',
      { limits: PARTS.limits.replace(`'1'`, `'2'`) },
      'major method scan, limits, EUR min is 2, before 1: narrower',
    ],
    [
      'a limit for one country',
      { limits: `{ currency: 'EUR', country: 'DE', min: '5', max: '100' }, ${PARTS.limits}` },
      'major method scan, limits, EUR DE min is 5, before 1: narrower',
    ],
    ['a currency less', { currencies: `['EUR']` }, 'major method scan currency USD is gone'],
    ['a currency more', { currencies: `['EUR', 'USD', 'GBP']` }, 'minor method scan currency GBP is new'],
    [
      'another sight for the payer',
      { completion: `['qr', 'redirect']` },
      'minor method scan, purchase shows the payer: qr, redirect, before qr',
    ],
    [
      'a required setting',
      { settings: `${PARTS.settings}, account: z.string()` },
      'major connector scanner, setting account is new and required',
    ],
    [
      'an optional setting',
      { settings: `${PARTS.settings}, account: z.string().optional()` },
      'minor connector scanner, setting account is new and optional',
    ],
    [
      'another repeat policy',
      { repeat: 'once' },
      'major connector scanner, endpoint create-charge repeat is once, before keyed',
    ],
    [
      'another path',
      { path: '/v2/charges' },
      'minor connector scanner, endpoint create-charge is POST /v2/charges, before POST /charges',
    ],
    [
      'a status word',
      { statuses: `PAID: 'settled', OPEN: 'pending'` },
      'patch connector scanner has another status table',
    ],
    ['an action', { flows: `*status() { return pending('1'); }` }, 'minor connector scanner, flow scan status is new'],
    ['an export', { extra: 'export const more = 1;' }, 'minor entry . export more is new'],
    ['another title', { title: 'Scan it' }, 'patch method scan has another title'],
  ])('%s', async (_what, parts, expected) => {
    expect(await changes(parts)).toEqual([expected]);
  });

  test('says of a renamed step what it means for payments under way', async () => {
    const { answer } = await jsonInPipe(['diff', packageOf({ parts: { endpoint: 'make-charge' } }), '--against', old]);
    expect(answer).toMatchObject({ change: 'major', needed: 'major', enough: false });
    expect(answer.changes[0]).toMatchObject({
      says: 'is gone',
      note: expect.stringContaining('Journals address steps'),
    });
  });

  test('sees what the package asks of its surroundings', async () => {
    const manifest = { engines: { node: '>=24' }, peerDependencies: { '@railyard/core': '^2.0.0' } };
    expect(await changes({}, { manifest })).toEqual([
      'major package engines.node is >=24, before any',
      'major package needs @railyard/core ^2.0.0, before ^1.0.0',
    ]);
  });
});

describe('the step of the version', () => {
  const wider = { limits: PARTS.limits.replace(`'100'`, `'200'`) };
  const gone = { currencies: `['EUR']` };

  test.each<[string, string, Made['parts'], string, number]>([
    ['1.2.0', '1.2.1', {}, 'none', 0],
    ['1.2.0', '1.2.1', wider, 'minor', 1],
    ['1.2.0', '1.3.0', wider, 'minor', 0],
    ['1.2.0', '1.3.0', gone, 'major', 1],
    ['1.2.0', '2.0.0', gone, 'major', 0],
    ['0.3.0', '0.3.1', wider, 'patch', 0],
    ['0.3.0', '0.3.1', gone, 'minor', 1],
    ['0.3.0', '0.4.0', gone, 'minor', 0],
  ])('from %s to %s', async (from, to, parts, needed, code) => {
    const before = tarballOf({ version: from });
    const found = await jsonInPipe(['diff', tarballOf({ version: to, ...(parts && { parts }) }), '--against', before]);
    expect({ code: found.code, needed: found.answer.needed }).toEqual({ code, needed });
  });

  test('may wait in a changeset', async () => {
    const folder = packageOf({ parts: wider });
    const tooSmall = await runCli(['diff', folder, '--against', old]);
    expect(tooSmall.code).toBe(1);
    expect(tooSmall.said).toBe(
      [
        'connector-scan 1.2.0 → 1.2.0',
        'step\twhere\tchange',
        'minor\tmethod scan, limits, EUR\tmax is 200, before 100: wider',
        'Smallest step: minor. Taken: none.',
        'Too small: go to 1.3.0, or write a changeset (minor).',
        '',
      ].join('\n'),
    );
    mkdirSync(join(folder, '.changeset'));
    writeFileSync(join(folder, '.changeset/a.md'), `---\n"other": major\n'connector-scan': minor\n---\n\nWider.\n`);
    const enough = await runInPipe(['diff', '--against', old], { cwd: folder });
    expect(enough.code).toBe(0);
    expect(enough.said).toContain('Taken: minor by changesets.');
  });

  test('leaves nothing behind', () => {
    const left = readdirSync(fixture('../../node_modules/.cache')).filter((name) => name.startsWith('railyard-diff-'));
    expect(left).toEqual([]);
  });
});

describe('a folder whose sources are newer than its build', () => {
  const old = new Date(Date.now() - 60_000);
  const sourced = () => {
    const folder = packageOf({});
    mkdirSync(join(folder, 'src/scan'), { recursive: true });
    writeFileSync(join(folder, 'src/scan/methods.ts'), '');
    return folder;
  };

  test('is refused, with the two files and what to do', async () => {
    const folder = sourced();
    utimesSync(join(folder, 'index.js'), old, old);
    const { code, complained } = await runInPipe(['diff', folder, '--against', tarballOf()]);
    expect(code).toBe(2);
    expect(complained).toContain(
      'connector-scan was changed after it was built: index.js is older than src/scan/methods.ts. Build it first: npm run build',
    );
  });

  test('is compared once it was built again', async () => {
    const folder = sourced();
    utimesSync(join(folder, 'src/scan/methods.ts'), old, old);
    expect((await runInPipe(['diff', folder, '--against', tarballOf()])).code).toBe(0);
  });
});

describe('railyard diff, called wrongly,', () => {
  test.each<[string, () => string[], RegExp]>([
    ['nothing to compare with', () => [], /--against 1\.2\.0, or --against old\.tgz/],
    ['a file that is not there', () => ['--against', './none.tgz'], /there is no such file, and it is no version/],
    ['a file that is no tarball', () => ['--against', join(packageOf({}), 'index.js')], /is no tarball of a package/],
    [
      'another package',
      () => ['--against', tarballOf({ manifest: { name: 'other' } })],
      /These are two packages: other and connector-scan/,
    ],
    [
      'a package that does not load',
      () => ['--against', tarballOf({ parts: { extra: `throw new Error('Broken.');` } })],
      /cannot be loaded: Broken\./,
    ],
    [
      'a package that is not built',
      () => ['--against', tarballOf({ manifest: { exports: './dist/index.js' } })],
      /has no file for its entry "\."\. Build it first/,
    ],
  ])('with %s says what to do', async (_what, args, expected) => {
    const { code, complained } = await runInPipe(['diff', ...args()], { cwd: packageOf({}) });
    expect(code).toBe(2);
    expect(complained).toMatch(expected);
  });
});
