import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { qrOnScreen } from '../../../../test/support/scan.ts';
import { arrive, SAMPLES } from '../support/crypto-provider.ts';
import { cryptoBody, type CryptoService, cryptoService, lastAddress } from '../support/crypto-service.ts';
import { faultsAtEachWidth } from '../support/page-faults.ts';
import { createPage } from '../support/service.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const open = serviceBrowser(cryptoService);
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function pay(page: Page, service: CryptoService, asked: Parameters<typeof cryptoBody>[0] = {}) {
  await page.goto(await createPage(service.url, cryptoBody(asked)));
  await page.getByRole('button', { name: /^(Pay|Continue)/ }).click();
}

describe('an address', () => {
  test('is scanned, copied and warned of, and what arrives is seen at once', async (ctx) => {
    const { page, context, service, complaints } = await open(ctx);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await pay(page, service, { currency: 'USDT', amount: '25.000000', parameters: { network_type: 'tron' } });
    await heading(page, 'Send USDT to this address');
    const text = await page.locator('main').innerText();
    expect(text).toContain('Send only USDT over the network TRON (TRC20). Anything else will be lost.');
    expect(text).toContain(SAMPLES.tron);
    expect(await qrOnScreen(page)).toBe(SAMPLES.tron);
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(SAMPLES.tron);
    const to = lastAddress(service);
    arrive(to, '10.000000');
    expect(await service.provider.tell(to)).toBe(204);
    await page.getByText('Received so far: USDT 10.000000 of USDT 25.000000.').waitFor();
    arrive(to, '15.000000');
    await service.provider.tell(to);
    await heading(page, 'Payment complete');
    expect(complaints).toEqual([]);
  });

  test('takes what the payer chooses, without scripts too', async (ctx) => {
    const { page, service, complaints } = await open(ctx, false);
    await pay(page, service, { more: { crypto: { network: '<img src=x onerror=window.__xss=1>' } } });
    await heading(page, 'Send BTC to this address');
    const text = await page.locator('body').innerText();
    expect(text).toContain('You choose the amount');
    expect(text).toContain('Bitcoin, <img src=x onerror=window.__xss=1>');
    const to = lastAddress(service);
    arrive(to, '0.12345678');
    await service.provider.tell(to);
    await page.reload();
    await heading(page, 'Payment complete');
    expect((await page.locator('.amount').innerText()).replaceAll('\u00a0', ' ')).toContain('BTC 0.12345678');
    expect(complaints).toEqual([]);
  });
});

const LOOKS = [
  {
    width: 320,
    language: 'en',
    button: /^(?:Pay|Continue)/,
    send: 'Send BCH to this address',
    arrived: 'Received so far:',
  },
  {
    width: 1280,
    language: 'pt-BR',
    button: /^(?:Pagar|Continuar)/,
    send: 'Envie BCH para este endereço',
    arrived: 'Recebido até agora:',
  },
] as const;

describe.each(LOOKS)('on $width px in $language', ({ width, language, button, send, arrived }) => {
  test.for(['light', 'dark'] as const)('an address can be used by everyone: %s', async (colorScheme, ctx) => {
    const { page, service, complaints } = await open(ctx, true, language);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(
      await createPage(service.url, cryptoBody({ method: 'crypto-receive', currency: 'BCH', amount: '1.00000000' })),
    );
    expect(await faultsAtEachWidth(page)).toEqual([]);
    await page.getByRole('button', { name: button }).click();
    await heading(page, send);
    arrive(lastAddress(service), '0.40000000');
    await service.provider.tell(lastAddress(service));
    await page.getByText(arrived).waitFor();
    expect(await faultsAtEachWidth(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('a deposit to a trading account goes to the provider’s page', async (ctx) => {
  const { page, service } = await open(ctx);
  const parameters = { paymentGatewayName: 'main', paymentCurrency: 'BTC', tradingAccountLogin: '10021' };
  await pay(page, service, { method: 'trading-deposit', currency: 'USD', amount: '40.00', parameters });
  await heading(page, 'Finish with your provider');
  const href = await page.getByRole('link', { name: 'Continue' }).getAttribute('href');
  expect(href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pages\/txn_/);
});
