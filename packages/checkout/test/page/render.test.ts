import { currencies } from '@railyard/core';
import * as fc from '../../../../test/support/properties.ts';
import { scannedQr } from '../../../../test/support/scan.ts';
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../src/page/amount.ts';
import { chooseLanguage, type PageModel, type PageState, renderPage } from '../../src/page/index.ts';
import { qrSvg } from '../../src/page/qr-svg.ts';
import type { Decline } from '../../src/page/model.ts';
import { languages } from '../../src/page/texts/index.ts';
import { pageModel, PIX_CODE, stateNames, states } from './support/models.ts';
import { hostile, payloads } from './support/payloads.ts';

const draw = (state: PageState, changes: Partial<PageModel> = {}, language = 'en'): string =>
  renderPage(pageModel(state, changes), { nonce: 'abc', language });

describe.each(payloads)('text $id', ({ text }) => {
  test.each(stateNames)('is escaped wherever it stands on the page %s', (name) => {
    const document = renderPage(hostile(states[name], text), { nonce: 'abc', language: 'en' });
    const clean = renderPage(hostile(states[name], 'x'), { nonce: 'abc', language: 'en' });
    // The same elements and the same number of attributes: nothing of the text has become markup.
    expect(tags(document)).toEqual(tags(clean));
  });
});

/** An override of direction: what stands behind it is read from right to left up to the end of its element. */
const TURNED = 'A\u202eB';

test.each(stateNames)('a text that turns the direction turns nothing but itself on the page %s', (name) => {
  const document = renderPage(hostile(states[name], TURNED), { nonce: 'abc', language: 'en' });
  expect(document).toContain(`<bdi>${TURNED}</bdi>`);
  // Values of attributes, the title of the window and each option are isolated by the browser.
  const beside = document.replaceAll(/<(bdi|title|option|textarea)\b[^>]*>[^]*?<\/\1>/g, '').replaceAll(/<[^>]*>/g, '');
  expect(beside.split('\n').filter((line) => line.includes('\u202e'))).toEqual([]);
});

describe('every page', () => {
  test.each(stateNames)('%s shows merchant, order, description and amount', (name) => {
    const document = draw(states[name]);
    for (const text of ['Loja da Maria', 'A-1042', 'Two tickets, Saturday 20:00', 'BRL\u00a010.00'])
      expect(document).toContain(`<bdi>${text}</bdi>`);
    expect(document).not.toContain('undefined');
    expect(document).not.toContain('[object');
    expect(document).not.toMatch(/\sstyle=|\son[a-z]+=/);
  });

  test.each(['choose', 'amount', 'ask', 'card', 'next-action', 'visit-get', 'qr'] as const)(
    '%s, on which the payer has something to do, says when it closes',
    (name) => {
      const document = draw(states[name]);
      expect(document).toContain('data-session="2026-03-04T12:30:00.000Z"');
      expect(document).toContain('This page is open until Mar 4, 2026');
    },
  );

  test('names the merchant where the provider does not say whose account it is, and once', () => {
    const { beneficiary: _none, ...show } = states.details.show;
    expect(draw({ ...states.details, show })).toMatch(/Name, if your bank asks for one[^]*data-copy="Loja da Maria"/);
    expect(draw(states.details)).toMatch(/Account holder[^]*data-copy="Example Company SA de CV"/);
    const details = [{ label: 'Receiver', value: 'Loja da Maria', copy: true }];
    expect(draw({ ...states.details, show: { ...show, details } })).not.toContain('if your bank asks');
  });

  test.each([
    ['en', '10.00'],
    ['de', '10,00'],
  ])('copies the amount of a slip and of a transfer with the decimal mark of %s', (language, copied) => {
    for (const name of ['voucher', 'details'] as const)
      expect(draw(states[name], {}, language)).toContain(`data-copy="${copied}"`);
  });

  test('copies an amount without the zeros of a smaller unit that its currency has not, and beside an account that contains its digits', () => {
    const amount = { text: '5000.00', currency: 'JPY' };
    const details = [{ label: 'Detail', value: '0715000.00123', copy: true }];
    const document = draw({ ...states.details, show: { ...states.details.show, details } }, { amount });
    expect(document).toContain('data-copy="5000"');
  });

  test('copies a number without the spaces that group it, and a name with its spaces', () => {
    const details = ['RS35 1050 0812 3123 1231 73', 'BANK 24 AG', '97 1234567', 'HR00 1234'].map((value) => ({
      label: 'Detail',
      value,
      copy: true,
    }));
    const document = draw({ ...states.details, show: { ...states.details.show, details } });
    expect(draw(states.voucher)).toContain('data-copy="9300123456789012"');
    expect(draw(states.voucher)).toContain('<bdi>9300 1234 5678 9012</bdi>');
    expect(document).toContain('data-copy="RS35105008123123123173"');
    for (const kept of ['BANK 24 AG', '97 1234567', 'HR00 1234']) expect(document).toContain(`data-copy="${kept}"`);
  });

  test('names another try here only of an attempt that is over before the page closes', () => {
    expect(draw(states.leaving)).toContain('After that, try again here.');
    expect(draw(states['leaving-outlives'])).toMatch(/You can pay until <time [^>]*>Mar 7, 2026/);
    expect(draw(states['leaving-outlives'])).not.toContain('try again here');
  });

  test('says that it is a test only in test mode', () => {
    expect(draw(states.qr, { test: true })).toContain('Test mode');
    expect(draw(states.qr)).not.toContain('Test mode');
  });

  test('names its language and falls back to English', () => {
    expect(draw(states.qr, {}, 'pt-BR')).toContain('<html lang="pt-BR" dir="ltr">');
    expect(draw(states.qr, {}, 'xx')).toContain('<html lang="en" dir="ltr">');
  });

  test.each(stateNames)('%s never says that a payment failed while its outcome is unknown', (name) => {
    if (states[name].kind === 'show' || name === 'checking')
      expect(draw(states[name])).not.toMatch(/declined|failed|refused/i);
  });
});

describe('a request on the payer’s phone', () => {
  test('names the phone by its last digits, and how long it waits', () => {
    const document = draw(states.device);
    expect(document).toContain('We sent a request to the phone +••••678. Enter your PIN there to confirm.');
    expect(document).toContain('data-countdown');
    expect(draw(states.device, {}, 'pt-BR')).toContain('Enviamos uma solicitação para o celular +••••678.');
  });

  test('names no phone that is not known', () => {
    const show = { kind: 'confirm-on-device', channel: 'stk' } as const;
    expect(draw({ kind: 'show', renewable: false, show })).toContain('We sent a request to your phone.');
  });

  test('offers another try only after a final answer', () => {
    expect(draw(states.device)).not.toContain('again=1');
    expect(draw(states.checking)).not.toContain('again=1');
    expect(draw({ kind: 'declined', decline: { code: 'wrong_pin', reason: '' }, mayRetry: true })).toContain('again=1');
  });

  test('that is declined says why by the code, in the page’s language, whatever the merchant reads', () => {
    const drawn = (decline: Decline, language = 'en') =>
      draw({ kind: 'declined', decline, mayRetry: true }, {}, language);
    const told = { code: 'insufficient_funds', reason: 'R51: NSF' } as const;
    expect(drawn(told)).toContain('There is not enough money in your account.');
    expect(drawn(told, 'pt-BR')).toContain('Não há saldo suficiente na sua conta.');
    expect(drawn(told) + drawn(told, 'pt-BR')).not.toContain('R51');
  });

  test('that was declined before there were codes shows the reason that was stored', () => {
    expect(draw({ kind: 'declined', decline: { reason: 'The bank said no.' }, mayRetry: true })).toContain(
      'The bank said no.',
    );
  });
});

describe('what the payer may do', () => {
  test('pays the amount that the button names', () => {
    expect(draw(states.ask)).toMatch(/<button[^>]*>\s*Pay BRL\u00a010\.00\s*<\/button>/);
    expect(draw(states.ask, { operation: 'credit' })).toMatch(/<button[^>]*>\s*Receive BRL\u00a010\.00\s*<\/button>/);
    expect(draw(states.ask, { amount: undefined })).toMatch(/<button[^>]*>\s*Continue\s*<\/button>/);
  });

  test('sees why an entry was refused, tied to its input', () => {
    const document = draw(states.ask);
    const input = /<input[^>]*id="field-customer\.email"[^>]*>/.exec(document)?.[0];
    expect(input).toContain('aria-invalid="true"');
    expect(input).toContain('aria-describedby="field-customer.email-problem"');
    expect(input).toContain('autocomplete="email"');
    expect(input).toContain('value="maria@shop"');
    expect(document).toContain('<title>Error: ');
    expect(document).toContain('href="#field-customer.email"');
  });

  test('answers the step that was asked, or asks for a new code', () => {
    const document = draw(states['next-action']);
    expect(document.match(/name="step" value="otp"/g)).toHaveLength(2);
    expect(document).toContain('name="resend" value="1"');
    expect(document).toContain('autocomplete="one-time-code"');
  });

  test('chooses a method without beginning a payment', () => {
    expect(draw(states.choose)).toContain('href="/auth/token-1?method=voucher#chosen"');
  });

  test('reads the names by which a method is known below its title', () => {
    expect(draw(states.choose)).toContain('<bdi>Cash at a shop</bdi> <bdi class="known">OXXO</bdi>');
  });

  test('pays from the list by a method with nothing to enter, and by no other', () => {
    const document = draw(states.choose);
    expect(document.match(/action="\/auth\/token-1\/pay"/g)).toHaveLength(1);
    expect(document).toContain('name="method" value="pix"');
  });

  test('gets a new code only where there is one', () => {
    expect(draw(states['qr-over'])).toContain('action="/auth/token-1/renew"');
    expect(draw({ ...states['qr-over'], renewable: false })).not.toContain('/renew');
  });

  test('is not sent to an address that is none', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'not an address', 'vbscript:x']) {
      const redirect = { kind: 'redirect', url, surface: 'app' } as const;
      expect(draw({ kind: 'show', renewable: false, show: redirect })).not.toContain(`href="${url}"`);
      expect(draw({ kind: 'success', continueUrl: url })).not.toContain(`href="${url}"`);
      expect(draw({ kind: 'visit', nextAction: { ...states['visit-post'].nextAction, url } })).not.toContain(url);
    }
  });

  test('keeps the query of an address that is visited with more fields', () => {
    expect(draw(states['visit-get'])).toContain('href="https://bank.example/start?a=1&amp;b=2"');
  });
});

describe('a link to the payer’s app', () => {
  const eth = states['address-ethereum'].show;
  const btc = states['address-bitcoin'].show;
  test.each([
    ['Bitcoin', btc, `bitcoin:${btc.address}?amount=0.00025`],
    ['Bitcoin without an amount', { ...btc, amount: undefined }, `bitcoin:${btc.address}`],
    ['Ethereum', eth, `ethereum:${eth.address}@1?value=3125000000000001`],
    ['Ethereum without an amount', { ...eth, amount: undefined }, `ethereum:${eth.address}@1`],
  ])('has address and amount for %s', (_name, { amount, ...show }, href) => {
    const document = draw({
      kind: 'show',
      renewable: false,
      show: { ...show, ...(amount !== undefined && { amount }) },
    });
    expect(document).toContain(`href="${href}"`);
  });

  test.each([
    ['a token', { ...eth, asset: 'USDT' }],
    ['a coin on another network', { ...btc, network: 'BNB Smart Chain (BEP20)' }],
    ['a coin on no known network', { address: eth.address, asset: 'ETH', kind: 'address' as const }],
    ['an amount that is none', { ...btc, amount: '1e-3' }],
    ['an address that is none', { ...btc, address: 'bc1?amount=9' }],
  ])('is left out for %s', (_name, show) => {
    expect(draw({ kind: 'show', renewable: false, show })).not.toMatch(/href="(?:bitcoin|ethereum):/);
  });

  test('leads a test to no main chain', () => {
    for (const name of ['address-ethereum', 'address-bitcoin'] as const) {
      const document = draw(states[name], { test: true });
      expect(document).not.toContain('on-phone');
    }
    const code = { ...states.qr, show: { kind: 'qr', content: `bitcoin:${btc.address}?amount=1` } } as const;
    expect(draw(code, { test: true })).not.toContain('on-phone');
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
    const tried = { kind: 'show', renewable: false, show: { ...btc, address } } as const;
    expect(draw(tried, { test: true })).toContain(`href="bitcoin:${address}?amount=0.00025"`);
  });

  test('names no amount where a part has come already', () => {
    const received = { text: '4.00', currency: 'BRL' };
    expect(draw({ ...states['address-bitcoin'], received })).toContain(`href="bitcoin:${btc.address}"`);
    expect(draw({ ...states['address-ethereum'], received })).toContain(`href="ethereum:${eth.address}@1"`);
  });

  test('opens the app of a UPI code, and nothing for a code that is no address of such an app', () => {
    expect(draw(states['qr-upi'])).toContain('href="upi://pay?pa=shop@bank&amp;am=10.00&amp;cu=INR"');
    for (const content of [PIX_CODE, 'https://bank.example/qr', 'javascript:alert(1)', `ethereum:${eth.address}@137`])
      expect(draw({ ...states.qr, show: { kind: 'qr', content } })).not.toContain('on-phone');
  });
});

describe('an amount', () => {
  const all = [...currencies.values()];
  test('keeps every digit in every language and currency', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,25})(?:\.\d{1,18})?$/);
    fc.assert(
      fc.property(digits, fc.constantFrom(...all), fc.constantFrom(...languages.keys()), (text, { code }, language) => {
        const shown = formatAmount({ text, currency: code }, language);
        expect(shown.replaceAll(/\D/g, '')).toBe(text.replaceAll('.', ''));
        expect(shown).toContain(code);
      }),
    );
  });

  test.each([
    ['en', '1234.50', 'BRL', 'BRL\u00a01,234.50'],
    ['pt-BR', '1234.50', 'BRL', 'BRL\u00a01.234,50'],
    ['en', '9007199254740993.01', 'USD', 'USD\u00a09,007,199,254,740,993.01'],
    ['en', '1000', 'JPY', 'JPY\u00a01,000'],
    ['en', '0.00000001', 'USDT', 'USDT 0.00000001'],
    ['en', 'abc', 'USD', 'USD abc'],
  ])('reads in %s for %s %s: %s', (language, text, currency, shown) => {
    expect(formatAmount({ text, currency }, language)).toBe(shown);
  });
});

describe('the QR code', () => {
  test.each([PIX_CODE, 'x', 'ção ✓ 漢字', 'a\r\nb ', 'A'.repeat(1000)])('holds %j byte for byte', (content) => {
    expect(decode(qrSvg(content, 'code').toString())).toBe(content);
  });
});

describe('languages', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT,pt;q=0.9', 'pt-PT'],
    ['pt-AO', 'pt-PT'],
    ['en;q=0.5, pt;q=0.8', 'pt-BR'],
    ['zh, de;q=0.9', 'de'],
    ['nl, ko;q=0.9', 'en'],
    ['es-AR', 'es-MX'],
    ['es', 'es'],
    ['sr-RS', 'sr-Latn'],
    ['sr-Cyrl, en;q=0.3', 'sr-Latn'],
    ['pt;q=0, en', 'en'],
    ['EN-gb', 'en'],
    [`${'x,'.repeat(5000)}pt`, 'en'],
    ['*', 'en'],
    ['pt;q=9', 'en'],
    ['es-419', 'es-MX'],
    ['in', 'id'],
    ['sw-TZ-x-anything', 'sw'],
    ['e, -, a-b-c-d, xx-Latn-XX', 'en'],
  ])('%j is read as %s', (header, language) => {
    expect(chooseLanguage(header)).toBe(language);
  });
});

/** Every tag with the names of its attributes. */
function tags(document: string): string[] {
  return [...document.matchAll(/<([a-z!/][^\s>]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/gi)]
    .filter(([, name]) => name !== 'path' && name !== 'rect' && name !== 'svg')
    .map(
      ([, name, attributes = '']) =>
        `${name} ${attributes
          .replaceAll(/="[^"]*"/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim()}`,
    );
}

/** Draws the path of the code, eight pixels for one module, and reads it like a scanner. */
function decode(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const width = size * 8;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, run] of svg.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let row = Number(y) * 8; row < Number(y) * 8 + 8; row += 1)
      for (let column = Number(x) * 8; column < (Number(x) + Number(run)) * 8; column += 1)
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  return scannedQr(pixels, width, width);
}
