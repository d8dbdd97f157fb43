import { posix } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { stateDiagrams } from '../src/diagrams.ts';
import { isOfRealProvider } from '../src/generated/capabilities.ts';
import { refusalsIn } from '../src/generated/errors.ts';
import { llmsText, sidebar } from '../src/navigation.ts';
import type { Page } from '../src/page.ts';
import { connectors, exists, packageFolders, read } from '../src/repository.ts';
import { allPages, outsideCode, staged, writtenPages } from '../src/stage.ts';

let pages: readonly Page[];
beforeAll(async () => {
  pages = staged(await allPages());
});

const page = (path: string): string => {
  const found = pages.find((each) => each.path === path);
  if (found === undefined) throw new Error(`There is no page ${path}.`);
  return found.text;
};

test('there is a start for each of the four, and a page for every package and every connector', async () => {
  const paths = pages.map(({ path }) => path);
  const starts = ['shop', 'service', 'connector', 'release'].map((name) => `start-${name}.md`);
  const found = await connectors();
  expect(found.length).toBeGreaterThan(5);
  expect(paths).toEqual(
    expect.arrayContaining([
      ...starts,
      ...packageFolders().map((name) => `packages/${name}.md`),
      ...found.map(({ connector }) => `connectors/${connector.id}.md`),
    ]),
  );
  expect(new Set(paths).size).toBe(paths.length);
});

test('the first page and the README name every connector to a real provider', async () => {
  const real = (await connectors()).map(({ connector }) => connector).filter(isOfRealProvider);
  expect(real.length).toBeGreaterThanOrEqual(9);
  for (const text of [page('index.md'), read('README.md')])
    expect(real.map(({ id }) => id).filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
});

test('every page is found from the sidebar, under its title', () => {
  const items = sidebar(pages).flatMap((group) => group.items ?? []);
  expect(items).toHaveLength(pages.length);
  expect(items.filter(({ text }) => text === undefined || text.endsWith('.md'))).toEqual([]);
  const added = sidebar([{ path: 'new.md', text: '# New' }]).at(-1);
  expect(added).toEqual({ text: 'More', items: [{ text: 'New', link: '/new' }] });
});

test('llms.txt lists every page under its title with its first sentence', () => {
  const text = llmsText(pages);
  const linked = [...text.matchAll(/\]\(\/([^)]+)\)/g)].map(([, path]) => path);
  expect(linked.toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
  expect(text).toContain(
    '- [Connector recipes](/connector-recipes.md): Shapes of provider APIs that are easily declared wrongly.',
  );
});

test('every link in what people wrote leads to a file of the repository', () => {
  const dead = writtenPages().flatMap(({ source = '', text }) => {
    let plain = '';
    outsideCode(text, (part) => {
      plain += part;
      return part;
    });
    return [...plain.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => posix.join(posix.dirname(source), target))
      .filter((target) => !exists(target))
      .map((target) => `${source}: ${target}`);
  });
  expect(dead).toEqual([]);
});

describe('pages are written from the packages', () => {
  test('the matrix has a row for each method of each connector', async () => {
    const found = await connectors();
    const rows = found.flatMap(({ connector }) => connector.serves.map(({ method }) => method.key));
    expect(page('capabilities.md').match(/^\| \[/gm)).toHaveLength(rows.length);
    expect(page('capabilities.md')).toContain('(connectors/pix-instant.md) | `pix` | simulated |  | simulated |');
    expect(page('capabilities.md')).toContain(
      '(connectors/pix-bcb.md) | `pix-charge` | checked |  |  |  |  |  | checked, in parts |  | checked | checked |',
    );
    expect(page('capabilities.md')).toContain(
      '(connectors/card-stripe.md) | `card` | checked |  |  |  | checked, in parts | checked | checked, in parts |',
    );
    expect(page('capabilities.md')).toContain(
      '(connectors/govuk-pay.md) | `card-hosted` | checked |  |  |  | checked | checked | checked, in parts |  |  | checked |',
    );
    expect(page('capabilities.md')).toContain(
      '(connectors/conekta.md) | `cash-voucher` | checked |  |  |  |  |  | checked, in parts |  |  | checked |',
    );
    expect(page('capabilities.md')).toContain(
      '(connectors/paypal.md) | `redirect` | checked |  |  |  | checked, in parts | checked | checked, in parts |',
    );
    expect(page('capabilities.md')).toContain(
      '(connectors/vipps.md) | `wallet-vipps` | checked |  |  |  | checked | checked | checked, in parts |  |  | checked |',
    );
    expect(page('capabilities.md')).toContain(
      '(connectors/bitcoin-btcpay.md) | `bitcoin-btcpay` | checked |  | checked |  |  |  | checked, in parts |  |  | checked |',
    );
    expect(page('capabilities.md')).toContain(
      '(connectors/mobile-money-paystack.md) | `mobile-money-paystack` | checked |  | checked |  |  |  | checked, in parts |  |  | checked |',
    );
  });

  test('a connector shows its calls, words and settings, and no secret', () => {
    const text = page('connectors/pix-instant.md');
    for (const part of ['`POST /v1/charges`', '`REJECTED`', 'API key (secret)', 'verified by hmac'])
      expect(text).toContain(part);
  });

  test('the catalogue has the texts of fields and the refusals with their codes', () => {
    const text = page('errors.md');
    for (const row of [
      '| 400 | `400` | Duplicate request. |',
      '| 400 | `101000` | Payment does not exist. |',
      '| 400 | `208006` | Not acceptable to request the refund for amount bigger than payment amount. |',
      '| 408 | `408` | The request did not arrive in time. |',
      '| 415 | `415` | Send the command as application/x-www-form-urlencoded. |',
      '| 409 | `409` | A request with this … is being handled. Send it again in a moment. |',
      '| This value is too long. It should have … characters or less. |',
    ])
      expect(text).toContain(row);
    expect(text).toMatch(/^\| 429 \| `429` \|/m);
  });

  test('the reference has every export of core, with its comment', () => {
    const text = page('reference/connector.md');
    expect(text).toContain('## defineConnector');
    expect(text).toContain('type SimulatedEffect =');
    expect(page('reference/method.md')).toContain("type InputKind = 'text' | 'digits'");
    expect(page('reference/money.md')).toContain('function parseMoney(');
    expect(page('reference/merchant.md')).toMatch(
      /`@railyard\/core\/merchant`.*[^]*## verifyCallback\n[^]*## verifyCommandCallback\n/,
    );
    expect(page('reference/session.md')).toContain('interface Country {');
  });
});

test('a refusal is read from a call, a table and a body', () => {
  const source = ts.createSourceFile(
    'a.ts',
    `const WHY = 'For a reason.';
     refusedAnswer(WHY, 7); jsonError(c, 404, 'Not here.');
     const rows = { capture: ['Not now.', 8], words: ['no', 'row'] };
     const odd = [408, 'Timeout', 'Too late.']; refusal(415, 'Not so.'); refusal(action, why);
     const body = { http_code: 429, error_code: '429', error_message: \`Wait \${n} s.\` };`,
    ts.ScriptTarget.Latest,
    true,
  );
  expect(refusalsIn(source)).toEqual([
    { status: 400, code: '7', text: 'For a reason.' },
    { status: 404, code: '404', text: 'Not here.' },
    { status: 400, code: '8', text: 'Not now.' },
    { status: 408, code: '408', text: 'Too late.' },
    { status: 415, code: '415', text: 'Not so.' },
    { status: 429, code: '429', text: 'Wait … s.' },
  ]);
});

test('a state diagram is drawn with its states and what leads from one to the other', async () => {
  const draw = await stateDiagrams();
  const drawing = draw('stateDiagram-v2\n  [*] --> open : begun\n  open --> paid : settled');
  for (const part of ['>open<', '>paid<', '>settled<', 'currentColor']) expect(drawing).toContain(part);
  expect(() => draw('flowchart TD')).toThrow('This is no state diagram');
});

test('the simulation page names every member and every effect that the types have', () => {
  const source = ts.createSourceFile('s.ts', read('packages/core/src/connector/simulation.ts'), ts.ScriptTarget.Latest);
  const names = source.statements.flatMap((each) => {
    if (
      ts.isInterfaceDeclaration(each) &&
      /^(Simulation|SimulatedEndpoint|SimulatedNotification)$/.test(each.name.text)
    )
      return each.members.map(({ name }) => name?.getText(source) ?? '');
    if (ts.isTypeAliasDeclaration(each) && each.name.text === 'SimulatedEffect' && ts.isUnionTypeNode(each.type))
      return each.type.types.map((type) => type.getText(source).replaceAll("'", ''));
    return [];
  });
  expect(names.length).toBeGreaterThan(20);
  const text = read('docs/simulation.md');
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test('the contract names every way in which the page may ask', () => {
  const source = ts.createSourceFile('f.ts', read('packages/core/src/method/field.ts'), ts.ScriptTarget.Latest);
  const kinds = source.statements.flatMap((each) =>
    ts.isTypeAliasDeclaration(each) && each.name.text === 'InputKind' && ts.isUnionTypeNode(each.type)
      ? each.type.types.map((type) => type.getText(source).replaceAll("'", ''))
      : [],
  );
  expect(kinds.length).toBeGreaterThan(5);
  const [, table = ''] = read('docs/contract.md').split('| `input` | the payer sees |');
  expect(kinds.filter((kind) => !table.split('\n\n')[0]?.includes(`\`${kind}\``))).toEqual([]);
});

test('the shop and the form on the pages are the examples that are run', () => {
  expect(read('docs/start-shop.md')).toContain(read('examples/merchant-server/server.ts'));
  for (const file of ['form.ts', 'index.html'])
    expect(read('docs/validate.md')).toContain(read(`examples/browser-form/${file}`));
});

test('no page has something between angle brackets, outside of code, that a browser does not know', () => {
  const known = /^<\/?(?:a|br|code|details|div|em|img|kbd|p|strong|sub|summary|sup|table|tbody|td|th|thead|tr)\b|^<!--/;
  const tags: { path: string; tag: string }[] = [];
  for (const { path, text } of pages)
    outsideCode(text, (part) => {
      for (const [tag] of part.replaceAll(/`[^`]*`/g, '').matchAll(/<[!/a-z][^\s>]*/gi)) tags.push({ path, tag });
      return part;
    });
  expect(tags.filter(({ path, tag }) => !known.test(tag) && path !== 'index.md')).toEqual([]);
});
