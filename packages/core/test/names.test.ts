import { describe, expect, it } from 'vitest';
import { createRegistry } from '../src/method/registry.ts';
import { parseSession } from '../src/session/parse-session.ts';

/** Names as their owners write them, by language. */
const REAL: Readonly<Record<string, readonly string[]>> = {
  Spanish: ['José Núñez', 'María-José Íñiguez', 'Begoña Peña de la Cruz'],
  Portuguese: ['João Conceição', 'Antônio Araújo Filho', "Luís d'Ávila"],
  Catalan: ['Núria Gal·la', 'Martí Puig i Cadafalch', 'Àlex Pla'],
  French: ['Anaïs L’Hôte', 'François-Xavier Cœur', 'M. Noël'],
  German: ['Jürgen Groß', 'Dr. Käthe Müller-Lüdenscheidt', 'Götz'],
  Polish: ['Łukasz Żółć', 'Grażyna Brzęczyszczykiewicz', 'Józef Wąs'],
  Czech: ['Jiří Dvořák', 'Růžena Šťastná', 'Žofie Ň'],
  Turkish: ['İbrahim Çağlar', 'Işıl Özgür', 'Şükrü Gündoğdu'],
  Icelandic: ['Þór Ægisson', 'Björk Guðmundsdóttir', 'Össur'],
  Dutch: ["Jan van 't Hoff", '’t Hooft', 'IJsbrand de Groot'],
  Irish: ["Sinéad O'Connor", 'Séamus Ó Sé', 'Máire Nic Eoin'],
  Vietnamese: ['Nguyễn Thị Hương', 'Đặng Văn Ý', 'Trần Ngọc Ánh'],
  Indonesian: ['Suharto', 'Sukarno', 'Siti Nur’aini'],
  English: ['Henry Ford 3rd', 'ACME & CO LTD', 'Smith, John (Jr.)'],
  Ukrainian: ['Іван Петренко', 'Мар’яна Ґудзь', 'Їжакевич'],
  Greek: ['Γιώργος Παπαδόπουλος', 'Ελένη', 'Νίκος Ξ.'],
  Arabic: ['محمد علي', 'عبد الرحمن', 'فاطمة الزهراء'],
  Persian: ['علی‌رضا رضایی', 'زهرا حسینی', 'می‌ترا'],
  Hindi: ['राम प्रसाद', 'अनुष्का शर्मा', 'कृष्ण'],
  Japanese: ['山田 太郎', 'ジョン・スミス', 'さくら'],
};

const body = (names: { readonly customer: string; readonly payee?: string }) => ({
  merchant_key: 'key',
  operation: names.payee === undefined ? 'purchase' : 'transfer',
  success_url: 'https://shop.example/done',
  hash: 'f'.repeat(40),
  order: { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Tea' },
  customer: { name: names.customer },
  ...(names.payee !== undefined && { payee: { name: names.payee } }),
});

const today = '2026-11-21';

describe('a name in a session', () => {
  const cases = Object.entries(REAL).flatMap(([language, names]) => names.map((name) => ({ language, name })));

  it('is tried in twenty languages', () => {
    expect([Object.keys(REAL).length, new Set(cases.map(({ name }) => name)).size]).toEqual([20, 60]);
  });

  it.each(cases)('is kept as it is written: $name ($language)', ({ name }) => {
    const parsed = parseSession(body({ customer: name }), { today });
    expect(parsed.ok ? parsed.session.customer?.name : parsed.issues).toEqual(name);
  });

  it.each(['John 2', '12345', '...', '<b>Ada</b>', 'Ada\nKing', '😀 Ada', 'a@b', 'Ada {{7*7}}'])(
    'is refused: %j',
    (name) => {
      const parsed = parseSession(body({ customer: name }), { today });
      expect(parsed.ok ? [] : parsed.issues.map(({ path }) => path)).toEqual(['customer.name']);
    },
  );
});

describe('the name of who is paid', () => {
  it.each([
    ['José Núñez', []],
    ['Đặng Văn Ý', []],
    ['山田 太郎', ['payee.name']],
    ['Іван Петренко', ['payee.name']],
  ])('is in Latin letters, with marks or without: %s', (payee, refused) => {
    const parsed = parseSession(body({ customer: 'Ada', payee }), { today });
    expect(parsed.ok ? [] : parsed.issues.map(({ path }) => path)).toEqual(refused);
  });
});

describe('a mapping with names in Latin letters', () => {
  const profile = { methods: {}, names: 'latin' } as const;
  const issuesOf = (input: object, by: typeof profile | undefined) => {
    const registry = createRegistry([]);
    const parsed = registry.parse(input, { today });
    const found = parsed.ok ? registry.validateParsed(parsed.session, { today, ...(by && { profile: by }) }) : parsed;
    return found.ok ? [] : found.issues.map(({ path, message }) => `${path}: ${message}`);
  };

  it('refuses other letters, for the payer and for who is paid', () => {
    const expected = ['customer.name: This value is not valid.', 'payee.name: This value is not valid.'];
    expect(issuesOf(body({ customer: 'José Núñez', payee: 'José Núñez' }), profile)).toEqual(expected);
    expect(issuesOf(body({ customer: 'José Núñez', payee: 'José Núñez' }), undefined)).toEqual([]);
  });

  it('says so beside what else is wrong', () => {
    const input = { ...body({ customer: 'José' }), success_url: 'no' };
    const found = createRegistry([]).validate(input, { today, profile });
    expect(found.ok ? [] : found.issues.map(({ path }) => path)).toEqual(['success_url', 'customer.name']);
  });
});
