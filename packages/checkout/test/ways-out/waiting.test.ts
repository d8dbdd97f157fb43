import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARD } from '../support/card-service.ts';
import { type ManyMethodsService, manyMethodsService, sessionOf } from '../support/many-methods-service.ts';
import { look, press } from '../support/plain-payer.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T12:00:00Z');
let at = START;
let service: ManyMethodsService;

beforeAll(async () => {
  service = await manyMethodsService({}, { clock: () => at });
  service.pix.clock = () => at;
});

afterAll(() => service.stop());

test('a code that cannot be taken back has no button to give it up; the payer may use another method, and reads to pay once', async () => {
  const { page } = await sessionOf(service, ['pix', 'card']);
  const seen = await press(page, 'pay', { method: 'pix' });
  expect(seen.heading).toBe('Scan to pay');
  expect(seen.forms).not.toContain('change');
  expect(seen.forms).toContain('cancel');
  const others = await look(new URL(seen.links.get('Use another method') ?? '', page).href);
  expect(others.said).toContain('Your payment with Pix is still open. Pay only once.');
  const paid = await press(page, 'pay', { method: 'card', beside: '1', ...CARD });
  expect(paid.heading).toBe('Payment complete');
});

test('who pays by card in another tab while a Pix code waits reads that the card was not charged', async () => {
  const { page } = await sessionOf(service, ['pix', 'card']);
  await press(page, 'pay', { method: 'pix' });
  const before = service.card.asked.length;
  const seen = await press(page, 'pay', { method: 'card', ...CARD });
  expect(seen.heading).toBe('Scan to pay');
  expect(seen.said).toContain('Card was not charged. This order is waiting for your payment with Pix.');
  expect(service.card.asked).toHaveLength(before);
  expect((await look(`${page}?unpaid=none`)).said).not.toContain('was not charged');
});

test('a code that is valid longer than the session says until when, in the time of its country', async () => {
  at = START;
  service.pix.lifetimeMs = 72 * HOUR;
  const { page } = await sessionOf(service, ['pix'], { session_expiry: 5 });
  const seen = await press(page, 'pay', { method: 'pix' });
  expect(seen.said).toContain('Pay by Tuesday, November 24');
  expect(seen.said).toContain('09:00 AM GMT-3');
  expect(seen.text).not.toContain('data-countdown');
  at = START + HOUR;
  const later = await look(page);
  expect(later.said).toContain('You can still pay until Tuesday, November 24');
  expect(later.said).not.toContain('A payment that you have already made still counts');
  at = START + 73 * HOUR;
  expect((await look(page)).said).not.toContain('You can still pay');
  at = START;
});

test('the language of the session comes before that of the browser', async () => {
  const { page } = await sessionOf(service, ['pix', 'card'], { billing_address: { country: 'BR', language: 'pt' } });
  expect((await look(page, 'en')).text).toContain('<html lang="pt-BR" dir="ltr">');
  const { page: other } = await sessionOf(service, ['pix', 'card']);
  expect((await look(other, 'en')).text).toContain('<html lang="en" dir="ltr">');
});
