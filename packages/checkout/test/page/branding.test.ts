import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { brandingOf, inkOn } from '../../src/page/branding.ts';
import { browserTests } from './support/browser.ts';
import { pageModel, states } from './support/models.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const open = browserTests();

/** A picture of one point. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const channel = (value: number) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

test('the text on any colour has a contrast of 4.5 or more (WCAG 2.2, 1.4.3)', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, (red, green, blue) => {
      const colour = `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
      const of = 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
      const contrast = inkOn(colour) === '#ffffff' ? 1.05 / (of + 0.05) : (of + 0.05) / 0.05;
      expect(contrast).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a form replaces the merchant’s settings one by one, and a form that is gone changes nothing', () => {
  const config = {
    branding: { button: '#111111', summary: 'above' },
    forms: { '57fddecf-17b9-4d38-9320-a670f0c29ec0': { button: '#222222' } },
  } as const;
  expect(brandingOf(config, undefined)).toEqual(config.branding);
  expect(brandingOf(config, '57FDDECF-17b9-4d38-9320-a670f0c29ec0')).toEqual({ button: '#222222', summary: 'above' });
  expect(brandingOf(config, '00000000-0000-4000-8000-000000000000')).toEqual(config.branding);
});

const vat = { rate: '19', amount: { text: '1.60', currency: 'BRL' } };

test.for([
  { colorScheme: 'light', button: '#ffe600', background: '#202040' },
  { colorScheme: 'dark', button: '#4b0082', background: '#fafafa' },
] as const)('a page with the colours $button and $background can be read, $colorScheme', async (colours, ctx) => {
  const { colorScheme, button, background } = colours;
  const { page, server, complaints } = await open(ctx, { colorScheme, width: 1280 });
  await page.addInitScript(axe);
  const branding = { button, background, logo: LOGO, summary: 'above' } as const;
  await page.goto(server.url(server.serve(pageModel(states.card, { branding, vat }))));
  expect(await page.evaluate('axe.run(document).then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
  const seen = await page.evaluate(() => ({
    button: getComputedStyle(document.querySelector('.primary') ?? document.body).backgroundColor,
    background: getComputedStyle(document.documentElement).backgroundColor,
    logo: document.querySelector('img')?.naturalWidth,
  }));
  const rgb = (colour: string) =>
    `rgb(${[1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`;
  expect(seen).toEqual({ button: rgb(button), background: rgb(background), logo: 1 });
  const [order, main] = [await page.locator('.order').boundingBox(), await page.locator('main').boundingBox()];
  expect((order?.y ?? 0) + (order?.height ?? 0)).toBeLessThanOrEqual(main?.y ?? 0);
  expect(complaints).toEqual([]);
});

test('the tax that the amount contains is said in the payer’s language, with its rate', async (ctx) => {
  const { page, server } = await open(ctx);
  const model = pageModel(states.card, { vat: { ...vat, rate: '12.5' } });
  await page.goto(server.url(server.serve(model)));
  expect(await page.locator('.vat').textContent()).toBe('Includes 12.5% VAT: BRL\u00a01.60');
  await page.goto(server.url(server.serve(model, { language: 'pt-BR' })));
  expect(await page.locator('.vat').textContent()).toBe('Inclui IVA de 12,5%: BRL\u00a01,60');
});
