import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { familyService } from '../support/family-service.ts';
import { faultsAtEachWidth } from '../support/page-faults.ts';
import { serviceBrowser } from '../support/service-browser.ts';
import { createPage, sessionBody } from '../support/service.ts';
import { walletGatewayAccount } from '../support/wallet-gateway-account.ts';
import { linkPayoutAccount, signedDepositAccount } from '../support/wallet-payer-accounts.ts';

const open = serviceBrowser(() => familyService([signedDepositAccount, walletGatewayAccount, linkPayoutAccount]));

const SECURITY = { SecurityQuestion: 'Where did we meet first?', SecurityQuestionAnswer: 'At the sea' };

const LOOKS = [
  {
    width: 320,
    language: 'en',
    button: /^(?:Pay|Continue|Receive)/,
    name: 'First and last name',
    born: 'Date of birth',
    tooShort: 'This value is too short. It should have 2 characters or more.',
    payer: {
      'E-mail': 'ana@example.com',
      'Phone number': '+385911234567',
      'Address line': 'Ilica 1',
      City: 'Zagreb',
      'Zip code': '10000',
    },
    country: 'Country',
    leaving: 'Finish with your provider',
    done: 'Payment complete',
    checking: 'Checking your payout',
    received: 'Payout complete',
  },
  {
    width: 1280,
    language: 'pt-BR',
    button: /^(?:Pagar|Continuar|Receber)/,
    name: 'Nome e sobrenome',
    born: 'Data de nascimento',
    tooShort: 'Texto curto demais. Mínimo de caracteres: 2.',
    payer: {
      'E-mail': 'ana@example.com',
      Telefone: '+385911234567',
      Endereço: 'Ilica 1',
      Cidade: 'Zagreb',
      CEP: '10000',
    },
    country: 'País',
    leaving: 'Conclua com o provedor de pagamento',
    done: 'Pagamento concluído',
    checking: 'Verificando seu recebimento',
    received: 'Recebimento concluído',
  },
] as const;

describe.each(LOOKS)('on $width px in $language', ({ width, language, button, name, born, ...texts }) => {
  const press = (page: Page) => page.getByRole('button', { name: button }).click();
  /** The page of a session, as wide as it is to be seen. */
  const visit = async (
    ctx: Parameters<typeof open>[0],
    key: string,
    order: Readonly<Record<string, string>>,
    session: Readonly<Record<string, unknown>> = {},
  ) => {
    const { page, service, complaints } = await open(ctx, true, language);
    await page.setViewportSize({ width, height: 800 });
    const address = await createPage(service.url, sessionBody({ methods: [key], ...session }, order));
    await page.goto(address);
    expect(await faultsAtEachWidth(page)).toEqual([]);
    const ends = async (said: string) => {
      service.simulator.settle(service.simulator.payments().at(-1)?.id ?? '');
      // The page says that it is done and goes on to the shop by itself, so its words are read by another request.
      await page.waitForURL((url) => url.hostname !== '127.0.0.1');
      const read = await fetch(address, { headers: { 'accept-language': language } });
      expect(await read.text()).toContain(said);
      // A page whose entries were wrong is answered as one that was not complete.
      expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
    };
    return { page, ends };
  };

  test('a payer says who they are, and deposits from a wallet', async (ctx) => {
    const parameters = { 'cash-wallet-deposit': { payer_id: 'user-7781' } };
    const { page, ends } = await visit(
      ctx,
      'cash-wallet-deposit',
      { currency: 'EUR' },
      { parameters, customer: undefined },
    );
    await page.getByLabel(name).fill('A');
    await page.getByLabel(born).fill('1990-04-23');
    await press(page);
    await page.getByText(texts.tooShort).first().waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.getByLabel(name).fill('Ana Horvat');
    await press(page);
    await page.getByRole('heading', { name: texts.leaving }).waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await ends(texts.done);
  });

  test('a payer says all that the wallet wants to know, and goes to its page after a challenge', async (ctx) => {
    const { page, ends } = await visit(ctx, 'wallet-payin', { currency: 'USD' }, { customer: undefined });
    await page.getByLabel(name).fill('Ana Horvat');
    for (const [label, value] of Object.entries(texts.payer)) await page.getByLabel(label).fill(value);
    await page.getByLabel(texts.country).selectOption('HR');
    await press(page);
    await page.getByRole('heading', { name: texts.leaving }).waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await ends(texts.done);
  });

  test('a receiver of a link is told to wait, and then that the money is sent, and never reads the answer', async (ctx) => {
    const { page, ends } = await visit(
      ctx,
      'link-payout',
      { currency: 'CAD' },
      {
        operation: 'credit',
        payee: { name: 'Ivo Novak' },
        customer: { name: 'Ana Horvat', email: 'ana@example.com' },
        parameters: { 'link-payout': SECURITY },
      },
    );
    expect(await page.content()).not.toContain(SECURITY.SecurityQuestionAnswer);
    await press(page);
    await page.getByRole('heading', { name: texts.checking }).waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    expect(await page.content()).not.toContain(SECURITY.SecurityQuestionAnswer);
    await ends(texts.received);
  });
});
