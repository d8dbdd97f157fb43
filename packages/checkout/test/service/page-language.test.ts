import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { createPage, pixConfig, sessionBody, startOn } from '../support/service.ts';

let provider: PixProvider;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  provider = await pixProvider();
  service = await startOn((port) => pixConfig(provider, 'http://127.0.0.1:1', port));
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

const look = async (page: string, headers: Record<string, string>) => (await fetch(page, { headers })).text();
const rootOf = (document: string) => /<html [^>]*>/.exec(document)?.[0];

/** Presses a language. @returns where it leads, and the cookie */
async function press(page: string, form: Record<string, string>) {
  const reply = await fetch(`${page}/language`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return { status: reply.status, to: reply.headers.get('location'), cookie: reply.headers.get('set-cookie') };
}

describe('the language of a page', () => {
  test.each([
    ['de-AT, en;q=0.5', '<html lang="de" dir="ltr">', 'Mit Pix zahlen'],
    ['es-AR', '<html lang="es-MX" dir="ltr">', 'Pix'],
    ['nl', '<html lang="en" dir="ltr">', 'Pay with Pix'],
  ])('is the nearest to the browser’s, by %s', async (wish, root, said) => {
    const document = await look(await createPage(service.url, sessionBody()), { 'accept-language': wish });
    expect(rootOf(document)).toBe(root);
    expect(document).toContain(said);
  });

  test('is the merchant’s before the browser’s, and the payer’s before both', async () => {
    const body = sessionBody({ billing_address: { language: 'fr' } });
    const page = await createPage(service.url, body);
    expect(rootOf(await look(page, { 'accept-language': 'pl' }))).toBe('<html lang="fr" dir="ltr">');
    const { status, to, cookie } = await press(page, { language: 'ar', chosen: 'pix' });
    expect([status, to]).toEqual([303, `${new URL(page).pathname}?method=pix#chosen`]);
    expect(cookie).toBe(`language=ar; Path=${new URL(page).pathname}; HttpOnly; SameSite=Lax`);
    const document = await look(page, { 'accept-language': 'pl', cookie: 'language=ar' });
    expect(rootOf(document)).toBe('<html lang="ar" dir="rtl">');
  });

  test.each([{}, { language: '' }, { language: 'xx' }, { language: 'de; Path=/' }])(
    'is not changed by %j',
    async (form) => {
      const page = await createPage(service.url, sessionBody());
      expect(await press(page, form)).toMatchObject({ status: 303, cookie: null });
      const document = await look(page, { cookie: 'language=%E0; language=xx' });
      expect(rootOf(document)).toBe('<html lang="en" dir="ltr">');
    },
  );

  test('can be changed to every other one, each by its own name', async () => {
    const document = await look(await createPage(service.url, sessionBody()), {});
    const offered = [...document.matchAll(/name="language" value="([\w-]+)" lang="([\w-]+)">([^<]+)</g)];
    expect(offered).toHaveLength(16);
    for (const [, value, lang] of offered) expect(lang).toBe(value);
    expect(offered.map(([, , , name]) => name)).toEqual(
      expect.arrayContaining(['Deutsch', 'العربية', '日本語', 'Kiswahili']),
    );
  });

  test('is kept in a frame too, where the page is served over https', async () => {
    const secure = await startOn((port) => ({
      ...pixConfig(provider, 'http://127.0.0.1:1', port),
      publicUrl: 'https://pay.example.com',
    }));
    const page = (await createPage(secure.url, sessionBody())).replace('https://pay.example.com', secure.url);
    const { cookie } = await press(page, { language: 'de' });
    await secure.stop();
    expect(cookie).toContain('Secure; SameSite=None; Partitioned');
  });
});
