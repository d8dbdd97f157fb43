import { describe, expect, test } from 'vitest';
import { familyService } from '../support/family-service.ts';
import { faultsAtEachWidth } from '../support/page-faults.ts';
import { serviceBrowser } from '../support/service-browser.ts';
import { createPage, sessionBody } from '../support/service.ts';
import { walletGatewayAccount } from '../support/wallet-gateway-account.ts';

const open = serviceBrowser(() => familyService([walletGatewayAccount]));

const phone = { billing_address: { phone: '+573001234567' } };

/** A method for each way to pay that the gateway shows, with what a session has to bring. */
const WAYS = [
  { key: 'widget', session: {} },
  { key: 'app', session: {} },
  { key: 'qr', session: {} },
  { key: 'payment-details', session: {} },
  { key: 'phone-prompt', session: phone },
  { key: 'link-sms', session: phone },
  { key: 'link-email', session: { customer: { email: 'ada@example.com' } } },
] as const;

const LOOKS = [
  {
    width: 320,
    language: 'en',
    button: /^(?:Pay|Continue)/,
    shown: {
      widget: 'Finish with your provider',
      app: 'Finish in the app',
      qr: 'Scan to pay',
      'payment-details': 'Send the money with these details',
      'phone-prompt': 'Check your phone',
      'link-sms': 'We sent you a link',
      'link-email': 'We sent you a link',
    },
    done: 'Payment complete',
    country: 'Country',
    number: 'Personal identification number',
  },
  {
    width: 1280,
    language: 'pt-BR',
    button: /^(?:Pagar|Continuar)/,
    shown: {
      widget: 'Conclua com o provedor de pagamento',
      app: 'Conclua no app',
      qr: 'Escaneie para pagar',
      'payment-details': 'Envie o dinheiro com estes dados',
      'phone-prompt': 'Confira seu celular',
      'link-sms': 'Enviamos um link para você',
      'link-email': 'Enviamos um link para você',
    },
    done: 'Pagamento concluído',
    country: 'País',
    number: 'Número de identificação pessoal',
  },
] as const;

describe.each(LOOKS)('on $width px in $language', ({ width, language, button, shown, done, country, number }) => {
  for (const { key, session } of WAYS)
    test(`the payer of ${key} is shown how to pay, and then that it is done`, async (ctx) => {
      const { page, service, complaints } = await open(ctx, true, language);
      await page.setViewportSize({ width, height: 800 });
      const body = sessionBody({ methods: [key], ...session }, { currency: 'USD' });
      const address = await createPage(service.url, body);
      await page.goto(address);
      expect(await faultsAtEachWidth(page)).toEqual([]);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('heading', { name: shown[key] }).waitFor();
      expect(await faultsAtEachWidth(page)).toEqual([]);
      service.simulator.settle(service.simulator.payments().at(-1)?.id ?? '');
      // The page says that it is done and goes on to the shop by itself, so its words are read by another request.
      await page.waitForURL((url) => url.hostname !== '127.0.0.1');
      const read = await fetch(address, { headers: { 'accept-language': language } });
      expect(await read.text()).toContain(done);
      expect(complaints).toEqual([]);
    });

  test('a payer who chooses Brazil is asked for a personal number, and one who chooses France is not', async (ctx) => {
    const { page, service, complaints } = await open(ctx, true, language);
    await page.setViewportSize({ width, height: 800 });
    const address = () => createPage(service.url, sessionBody({ methods: ['country-fields'] }, { currency: 'USD' }));
    await page.goto(await address());
    expect(await page.getByLabel(number).count()).toBe(0);
    await page.getByLabel(country).selectOption('BR');
    await page.getByRole('button', { name: button }).click();
    await page.getByLabel(number).waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.getByLabel(number).fill('529.982.247-25');
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('heading', { name: shown.widget }).waitFor();
    await page.goto(await address());
    await page.getByLabel(country).selectOption('FR');
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('heading', { name: shown.widget }).waitFor();
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
  });
});
