import { readdirSync, readFileSync } from 'node:fs';
import { build, type Metafile } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { timeZoneOf } from '../../src/http/page/show.ts';
import { type PageModel, renderPage, ticketOf } from '../../src/page/index.ts';
import { ticketPdf } from '@railyard/ticket';
import { readPdf } from '../../../../test/support/read-pdf.ts';
import { scanned } from '../../../../test/support/scan.ts';
import { pageModel, type StateName, stateNames, states } from './support/models.ts';

const NOW = new Date('2026-03-07T02:00:00Z');
const CODE = '338104672259000010';
const itf = (text: string) => ({ barcode: { symbology: 'itf', text } as const });

/** The page of a voucher with a bar code and without a document of its provider. */
function model(change: Partial<PageModel> = {}, show: object = {}): PageModel {
  const { document: _, ...voucher } = states.voucher.show;
  return pageModel({ kind: 'show', renewable: false, show: { ...voucher, ...itf(CODE), ...show } }, change);
}

async function drawn(of: PageModel, language = 'en') {
  const ticket = ticketOf(of, language);
  if (ticket === undefined) throw new Error('The page has no ticket.');
  return readPdf(await ticketPdf(ticket, NOW));
}

describe('the ticket of a voucher', () => {
  test('says in English who is paid, what for, how much, by which number and until when', async () => {
    const { lines } = await drawn(model());
    expect(lines).toEqual([
      'Your payment slip',
      'Loja da Maria',
      'Two tickets, Saturday 20:00',
      'Order A-1042',
      'BRL 10.00',
      'Reference',
      '9300 1234 5678 9012',
      'Shop',
      'Any corner shop',
      CODE,
      'Use this reference to pay in cash or in your bank’s app.',
      'Valid until Saturday, March 7 at 03:00 AM UTC',
    ]);
  });

  test('ends with the last day in Mexico for a slip of Mexico, as the page does', async () => {
    const timeZone = timeZoneOf('MX');
    const show = { validUntil: '2026-03-10T05:59:59.000Z' };
    const slip = model({ ...(timeZone !== undefined && { timeZone }) }, show);
    const outliving = { ...slip, state: { ...slip.state, outlives: true } } as const;
    expect((await drawn(slip)).lines.at(-1)).toBe('Valid until Monday, March 9');
    expect((await drawn(outliving)).lines.at(-1)).toBe('Pay by Monday, March 9.');
    expect(renderPage(outliving, { nonce: 'n', language: 'en' })).toContain('Pay by Monday, March 9.');
  });

  test('says the same in Portuguese, with the amount as it is written there', async () => {
    const amount = { text: '1234.50', currency: 'BRL' };
    const { lines, everything } = await drawn(model({ amount, description: 'Dois ingressos, sábado' }), 'pt-BR');
    expect(lines).toEqual([
      'Seu boleto',
      'Loja da Maria',
      'Dois ingressos, sábado',
      'Pedido A-1042',
      'BRL 1.234,50',
      'Referência',
      '9300 1234 5678 9012',
      'Shop',
      'Any corner shop',
      CODE,
      'Use esta referência para pagar em dinheiro ou no app do seu banco.',
      'Válido até sábado, 7 de março às 03:00 UTC',
    ]);
    expect(everything).toContain('/Lang (pt-BR)');
  });

  test('says in its first lines that a payment is a test', async () => {
    const { lines } = await drawn(model({ test: true }));
    expect(lines.slice(0, 2)).toEqual(['Your payment slip', expect.stringMatching(/test/i)]);
  });

  test('says no more than the page beside it', async () => {
    const of = model();
    const html = renderPage(of, { nonce: 'n', language: 'en' });
    const page = html.replaceAll(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');
    const { lines } = await drawn(of);
    for (const line of lines) expect(page).toContain(line);
  });

  test.each(['12', '1234', CODE, '00'.repeat(24), '9876543210'.repeat(4)])(
    'has the digits %s as bars that a scanner reads, within the page',
    async (text) => {
      const { bars } = await drawn(model({}, itf(text)));
      expect(scanned(bars, 'itf')).toBe(text);
      expect(Math.min(...bars.map(({ x }) => x))).toBeGreaterThan(56);
      expect(Math.max(...bars.map(({ x, width }) => x + width))).toBeLessThan(595 - 56);
    },
  );

  test.each([0, 8, 10, 11, 12, 14, 40])('has its bars on a page, whole, below %i details', async (count) => {
    const details = Array.from({ length: count }, (_, at) => ({ label: 'Shop', value: `Shop ${at}` }));
    const { bars, lines } = await drawn(model({}, { details }));
    expect(scanned(bars, 'itf')).toBe(CODE);
    expect(Math.max(...bars.map(({ y, height }) => y + height))).toBeLessThan(842 - 56);
    expect(lines.filter((line) => line.startsWith('Shop '))).toHaveLength(count);
  });

  test.each(['AB-1234', '33810467', 'a b/C.7'])('has the text %s as Code 128 that a scanner reads', async (text) => {
    const { bars } = await drawn(model({}, { barcode: { symbology: 'code-128', text } }));
    expect(scanned(bars, 'code-128')).toBe(text);
  });

  test('is not made of a text that the symbology cannot write', async () => {
    await expect(drawn(model({}, itf('12a4')))).rejects.toThrow(/digits/);
  });

  test.each([
    ['Greek', 'Μαγαζί «Αθήνα», ἀρχή'],
    ['Cyrillic', 'Магазин Ґанок № 5 — Қазақ, Љубав'],
    ['Vietnamese', 'Cửa hàng Việt Nam, số lượng ₫ 5'],
    ['Polish, Czech, Turkish and Romanian', 'Łódź, Žižkov, Şişli, Iași'],
    ['all of them', 'Café Łódź Αθήνα Магазин Việt ₺ ₴ ₽'],
    ['what the standard fonts have', 'Café “Zoë” – 5 €'],
  ])('prints %s, in each place and weight', async (_, text) => {
    const { lines } = await drawn(
      model({ merchantName: text, description: text }, { details: [{ label: text, value: text }] }),
    );
    expect(lines.filter((line) => line === text)).toHaveLength(4);
    expect(lines.join('')).not.toContain('□');
    expect(lines.join('')).not.toContain('cannot be printed');
  });

  test('prints a letter that is sent in two parts, and leaves out what has no ink', async () => {
    const { lines } = await drawn(
      model({ merchantName: 'Tiê\u0301ng\u00a0Viê\u0323t\nCafé', description: '\ufeffБез\u00adопасно' }),
    );
    expect(lines.slice(1, 3)).toEqual(['Tiếng Việt Café', 'Безопасно']);
  });

  test.each([
    ['Thai', 'ร้านค้า'],
    ['Chinese', '二本の本 €'],
    ['Arabic, which is joined and runs from right to left', 'متجر'],
    ['Hebrew, of which the font has letters and no order', 'חנות'],
    ['Devanagari', 'दुकान'],
    ['a mark that no letter of its own has', 'ẹ\u0301'],
    ['an emoji', 'Shop 🎟'],
    ['half of a character', 'Shop \ud83c'],
    ['a control', 'Shop \u0007'],
    ['a change of direction', 'Shop \u202egnp'],
    ['a letter for private use', 'Shop \ue000'],
  ])('leaves out %s, and says so', async (_, text) => {
    const lacks = 'Some words cannot be printed here. The page of your payment shows them.';
    const { lines } = await drawn(model({ merchantName: text, description: 'Two books' }));
    expect(lines.slice(0, 3)).toEqual(['Your payment slip', 'Two books', 'Order A-1042']);
    expect(lines.at(-1)).toBe(lacks);
    expect(lines.join('')).not.toContain('□');
  });

  test('leaves out a detail whole, where its value or its label cannot be printed', async () => {
    const shop = { label: 'Shop', value: 'ร้านค้า' };
    const { lines } = await drawn(
      model({}, { details: [shop, { label: 'ร้าน', value: '17' }, { label: 'Till', value: '4' }] }),
      'pt-BR',
    );
    expect(lines.slice(5, 11)).toEqual(['Referência', '9300 1234 5678 9012', 'Till', '4', CODE, expect.any(String)]);
    expect(lines.at(-1)).toMatch(/^Algumas palavras não podem ser impressas/);
  });

  test('fits the longest text of a session, in letters and in one word, on its pages', async () => {
    for (const letter of ['W', 'ш']) {
      const { lines, bars } = await drawn(model({ description: letter.repeat(1024) }));
      expect(lines.join('').split(letter)).toHaveLength(1025);
      expect(scanned(bars, 'itf')).toBe(CODE);
    }
  });

  test('is read aloud: it is tagged, has a title and a language, and its bars have a name', async () => {
    const { everything } = await drawn(model());
    for (const fact of ['/Marked true', '/Lang (en)', '/DisplayDocTitle true', '/S /H1', '/S /Figure'])
      expect(everything).toContain(fact);
    expect(everything).toContain(`/Alt (Bar code: ${CODE})`);
  });

  test('knows nothing of the address of its page', async () => {
    const { everything } = await drawn(model());
    expect(everything).not.toContain('token-1');
    expect(everything).not.toContain('/URI');
  });
});

describe('no ticket', () => {
  test.each(stateNames)('is made of the page %s of a payment that has none', (name: StateName) => {
    expect(ticketOf(pageModel(states[name]), 'en')).toBeUndefined();
  });

  test('is made where the provider has a document of its own', () => {
    expect(ticketOf(model({}, { document: 'https://slips.example/1.pdf' }), 'en')).toBeUndefined();
  });

  test('is made or linked where the package that prints it is not installed', () => {
    const without = model({ printsTickets: false });
    expect(ticketOf(without, 'en')).toBeUndefined();
    const html = renderPage(without, { nonce: 'n', language: 'en' });
    expect(html).not.toContain('/ticket');
    expect(html).toContain(CODE);
  });

  test('is made once the voucher can no longer be paid', () => {
    expect(ticketOf(model({ now: '2026-03-07T02:59:59.999Z' }), 'en')).toBeDefined();
    expect(ticketOf(model({ now: '2026-03-07T03:00:00.000Z' }), 'en')).toBeUndefined();
  });
});

const LIBRARIES = ['@railyard/ticket', '@electric-sql/pglite'];

/** The packages that a file loads before it can be used. */
function loadedBy(outputs: Metafile['outputs'], path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  return (outputs[path]?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .flatMap(({ path: next, external }) => (external === true ? [next] : loadedBy(outputs, next, seen)));
}

test('the printer of tickets and the embedded database are loaded when they are needed, not when the service starts', async () => {
  const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
  const { metafile } = await build({
    entryPoints: [source('bin.ts'), source('index.ts')],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const entry = (name: string) =>
    loadedBy(metafile.outputs, Object.keys(metafile.outputs).find((path) => path.endsWith(name)) ?? '');
  for (const name of ['/bin.js', '/index.js']) {
    expect(entry(name)).toContain('node:fs');
    expect(entry(name).filter((each) => LIBRARIES.includes(each))).toEqual([]);
  }
});

test('no script of a page loads them', () => {
  const assets = new URL('../../src/page/assets/', import.meta.url);
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  for (const name of scripts)
    expect(readFileSync(new URL(name, assets), 'utf8')).not.toMatch(/pdfkit|fontkit|arimo|bwip/);
});

test('the reader of these tests takes a stream whole, also one whose last byte is a carriage return', () => {
  const streamOf = (line: string) =>
    deflateSync(`/F1 10 Tf\n[<${Buffer.from(line).toString('hex')}> 0] TJ`).toString('latin1');
  // Each letter adds an odd number to the sum at a stream's end, whose last byte is every byte within 256 letters.
  const line = Array.from({ length: 256 }, (_, at) => 'A'.repeat(at + 1)).find((each) => streamOf(each).endsWith('\r'));
  if (line === undefined) throw new Error('No stream ends with a carriage return.');
  const stream = streamOf(line);
  const file = `%PDF-1.7\n1 0 obj\n<<\n/Length ${stream.length}\n>>\nstream\n${stream}\nendstream\nendobj\n`;
  expect(readPdf(Buffer.from(file, 'latin1')).lines).toEqual([line]);
});
