import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { bankTransferAccounts } from '../support/bank-transfer-accounts.ts';
import { familyService } from '../support/family-service.ts';
import { faultsAtEachWidth } from '../support/page-faults.ts';
import { serviceBrowser } from '../support/service-browser.ts';
import { createPage, sessionBody } from '../support/service.ts';

const open = serviceBrowser(() => familyService(bankTransferAccounts));

const LOOKS = [
  {
    width: 320,
    language: 'en',
    button: /^(?:Pay|Continue)/,
    country: 'Country',
    who: 'Who pays',
    type: 'Type of document',
    number: 'Number of the document',
    bank: 'Your bank',
    name: 'Name of the beneficiary',
    account: 'Account of the beneficiary',
    own: 'Your account',
    code: 'Code from your bank',
    leaving: 'Finish with your provider',
    scan: 'Scan to pay',
    done: 'Payment complete',
  },
  {
    width: 1280,
    language: 'pt-BR',
    button: /^(?:Pagar|Continuar)/,
    country: 'País',
    who: 'Quem paga',
    type: 'Tipo de documento',
    number: 'Número do documento',
    bank: 'Seu banco',
    name: 'Nome do beneficiário',
    account: 'Conta do beneficiário',
    own: 'Sua conta',
    code: 'Código do seu banco',
    leaving: 'Conclua com o provedor de pagamento',
    scan: 'Escaneie para pagar',
    done: 'Pagamento concluído',
  },
] as const;

describe.each(LOOKS)('on $width px in $language', ({ width, language, button, ...texts }) => {
  const press = (page: Page) => page.getByRole('button', { name: button }).click();
  /** The page of a session, as wide as it is to be seen. */
  const visit = async (ctx: Parameters<typeof open>[0], key: string, currency: string) => {
    const { page, service, complaints } = await open(ctx, true, language);
    await page.setViewportSize({ width, height: 800 });
    const address = await createPage(service.url, sessionBody({ methods: [key] }, { currency, amount: '15.00' }));
    await page.goto(address);
    const paid = async () => {
      service.simulator.settle(service.simulator.payments().at(-1)?.id ?? '');
      // The page says that it is done and goes on to the shop by itself, so its words are read by another request.
      await page.waitForURL((url) => url.hostname !== '127.0.0.1');
      const read = await fetch(address, { headers: { 'accept-language': language } });
      expect(await read.text()).toContain(texts.done);
      // A page that asks for the fields of the chosen country is answered as one that was not complete.
      expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
    };
    return { page, paid };
  };

  test('a payer in Colombia chooses country, kinds and bank from lists, and goes to the bank', async (ctx) => {
    const { page, paid } = await visit(ctx, 'bank-redirect', 'COP');
    await page.getByLabel(texts.country).selectOption('CO');
    await press(page);
    await page.getByLabel(texts.who).selectOption('individual');
    await page.getByLabel(texts.type).selectOption('CC');
    await page.getByLabel(texts.number).fill('1.020.304.050');
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await press(page);
    await page.getByLabel(texts.bank).waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.getByLabel(texts.bank).selectOption({ label: 'Banco Modelo' });
    await press(page);
    await page.getByRole('heading', { name: texts.leaving }).waitFor();
    await paid();
  });

  test('a payer scans an IPS code, whose text is not offered for copying', async (ctx) => {
    const { page, paid } = await visit(ctx, 'ips-qr', 'RSD');
    await press(page);
    await page.getByRole('heading', { name: texts.scan }).waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    expect(await page.locator('.copyable').count()).toBe(0);
    await paid();
  });

  test('a payer orders a transfer step by step', async (ctx) => {
    const { page, paid } = await visit(ctx, 'bank-beneficiary', 'EUR');
    await press(page);
    await page.getByLabel(texts.name).fill('Example Shop');
    await page.getByLabel(texts.account).fill('1234567890');
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await press(page);
    await page.getByLabel(texts.own).selectOption({ label: 'Savings account' });
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await press(page);
    await page.getByLabel(texts.code).fill('123456');
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await press(page);
    await page.getByLabel(texts.code).waitFor({ state: 'detached' });
    await paid();
  });
});
