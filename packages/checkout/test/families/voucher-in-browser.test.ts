import { describe, expect, test } from 'vitest';
import { familyService } from '../support/family-service.ts';
import { faultsAtEachWidth } from '../support/page-faults.ts';
import { readPdf } from '../../../../test/support/read-pdf.ts';
import { serviceBrowser } from '../support/service-browser.ts';
import { createPage, sessionBody } from '../support/service.ts';
import { voucherAccounts } from '../support/voucher-accounts.ts';

const open = serviceBrowser(() => familyService(voucherAccounts));

const LOOKS = [
  {
    width: 320,
    language: 'en',
    pin: 'Voucher PIN',
    pay: /^Pay/,
    done: 'Payment complete',
    wrong: 'This value should have exactly 16 characters.',
    document: 'Document number',
    slip: /^Open the slip/,
    code: 'Bar code',
    amount: 'COP 10.00',
  },
  {
    width: 1280,
    language: 'pt-BR',
    pin: 'PIN do voucher',
    pay: /^Pagar/,
    done: 'Pagamento concluído',
    wrong: 'Número exato de caracteres: 16.',
    document: 'Número do documento',
    slip: /^Abrir o boleto/,
    code: 'Código de barras',
    amount: 'COP 10,00',
  },
];

describe.each(LOOKS)('on $width px in $language', ({ width, language, pin, pay, done, wrong, ...ticket }) => {
  test('a PIN is typed unseen, is not kept when it is wrong, and pays', async (ctx) => {
    const { page, service, complaints } = await open(ctx, true, language);
    service.simulator.setRule({ connector: 'voucher-gateway', scenario: 'settled' });
    await page.setViewportSize({ width, height: 800 });
    const address = await createPage(service.url, sessionBody({ methods: ['pin-voucher'] }, { currency: 'USD' }));
    await page.goto(address);
    const input = page.getByLabel(pin);
    expect(await input.getAttribute('type')).toBe('password');
    expect(await input.getAttribute('inputmode')).toBe('numeric');
    expect(await input.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await input.fill('123');
    await page.getByRole('button', { name: pay }).click();
    await page.getByText(wrong).first().waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await input.fill('1234 5678 9012 3456');
    await page.getByRole('button', { name: pay }).click();
    // The page goes on to the shop by itself, so it is read by another request.
    await page.getByRole('heading', { name: done }).waitFor();
    const leading = await (await fetch(address)).text();
    const receipt = await (await fetch(`${address}?receipt=1`)).text();
    expect(leading + receipt).not.toMatch(/1234 ?5678/);
    expect(leading).toMatch(/data-leave[^]*\?receipt=1"/);
    expect(receipt).not.toMatch(/data-leave|http-equiv/);
    expect(receipt).toMatch(/Payment method<[^]*Voucher with PIN<[^]*Payment number<[^]*data-copy="[\da-f-]{36}"/);
    const [, paidAt = ''] = /<time datetime="([^"]+)" data-local="year"/.exec(receipt) ?? [];
    expect(Math.abs(Date.now() - Date.parse(paidAt))).toBeLessThan(600_000);
    const spoken = new URLSearchParams({ language: 'pt-BR', receipt: '1' });
    const switched = await fetch(`${address}/language`, { method: 'POST', body: spoken, redirect: 'manual' });
    expect(switched.headers.get('location')).toMatch(/\?receipt=1$/);
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
  });

  test('a document is asked for, and its ticket is opened beside words that say the same', async (ctx) => {
    const { page, service, complaints } = await open(ctx, true, language);
    service.simulator.setRule({ connector: 'voucher-gateway', scenario: 'manual' });
    await page.setViewportSize({ width, height: 800 });
    const address = await createPage(service.url, sessionBody({ methods: ['cash-ticket'] }, { currency: 'COP' }));
    await page.goto(address);
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.getByLabel(ticket.document).fill('1020304050');
    await page.getByRole('button', { name: pay }).click();
    const link = page.getByRole('link', { name: ticket.slip });
    await link.waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.getByText(ticket.code).waitFor();
    await page.getByText('338104672259000010', { exact: true }).waitFor();
    // Chromium without a window has no viewer of PDF: the page fetches the file, and it is read here.
    const file = await page.evaluate(
      async (href) => {
        const reply = await fetch(href);
        const bytes = [...new Uint8Array(await reply.arrayBuffer())];
        return { type: reply.headers.get('content-type'), language: reply.headers.get('content-language'), bytes };
      },
      (await link.getAttribute('href')) ?? '',
    );
    expect(file).toMatchObject({ type: 'application/pdf', language });
    const { lines } = readPdf(Uint8Array.from(file.bytes));
    expect(lines).toEqual(expect.arrayContaining([ticket.amount, '3381 0467 2259', '338104672259000010']));
    expect(complaints).toEqual([]);
  });
});
