import { voucherGatewayConnector } from '@railyard/connector-voucher';
import { voucherGatewaySimulation } from '@railyard/connector-voucher/simulation';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { familyService } from '../support/family-service.ts';
import { readPdf } from '../../../../test/support/read-pdf.ts';
import { scanned } from '../../../../test/support/scan.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const DOCUMENT = '1020304050';
/** The number and the bar code of the simulated provider. */
const NUMBER = '3381 0467 2259';
const CODE = '338104672259000010';
const THREE_DAYS = 3 * 24 * 60 * 60_000;

let ahead = 0;
let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService(
    [
      {
        connector: voucherGatewayConnector,
        simulation: voucherGatewaySimulation,
        settings: { api_key: 'the-api-key', api_secret: 'the-api-secret' },
      },
    ],
    () => Date.now() + ahead,
  );
}, 60_000);
beforeEach(() => {
  ahead = 0;
});
afterAll(() => service.stop());

async function begun() {
  const body = sessionBody({ methods: ['cash-ticket'], parameters: { 'cash-ticket': { document_number: DOCUMENT } } });
  const page = await createPage(service.url, body);
  const before = await fetch(`${page}/ticket`);
  expect((await pressPay(page, { method: 'cash-ticket' })).status).toBe(303);
  return { page, before, number: body.order.number, id: service.simulator.payments().at(-1)?.id ?? '' };
}

const ticketAt = async (page: string, language = 'en') => {
  const reply = await fetch(`${page}/ticket`, { headers: { 'accept-language': language } });
  return { reply, bytes: new Uint8Array(await reply.arrayBuffer()) };
};

describe('the ticket', () => {
  test('is a PDF under the address of the page, which no other site may frame or keep', async () => {
    const { page } = await begun();
    expect(await (await fetch(page)).text()).toContain(`href="${new URL(page).pathname}/ticket"`);
    const { reply, bytes } = await ticketAt(page);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="ticket.pdf"',
      'content-language': 'en',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    const { lines, bars } = readPdf(bytes);
    expect(lines).toEqual(expect.arrayContaining(['BRL 10.00', NUMBER, CODE, 'Corner shop', 'Important gift']));
    expect(scanned(bars, 'itf')).toBe(CODE);
  });

  test('is in the language of the payer', async () => {
    const { page } = await begun();
    const { reply, bytes } = await ticketAt(page, 'pt-BR,pt;q=0.9');
    expect(reply.headers.get('content-language')).toBe('pt-BR');
    expect(readPdf(bytes).lines).toEqual(expect.arrayContaining(['Seu boleto', 'BRL 10,00']));
  });

  test('says nothing of the payer, of the page or of the account', async () => {
    const { page, id } = await begun();
    const { everything } = readPdf((await ticketAt(page)).bytes);
    const token = new URL(page).pathname.split('/').at(-1) ?? '';
    expect(token.length).toBeGreaterThan(20);
    for (const secret of [token, DOCUMENT, id, 'the-api-key', '127.0.0.1']) expect(everything).not.toContain(secret);
  });

  test('is at no other address', async () => {
    const { page } = await begun();
    const wrong = page.replace(/.(?=.$)/, (letter) => (letter === 'a' ? 'b' : 'a'));
    const { reply } = await ticketAt(wrong);
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
    expect((await fetch(`${page}/ticket`, { method: 'POST' })).status).toBe(404);
  });

  test('is there from the press of the button until the payment is made', async () => {
    const { page, before, number, id } = await begun();
    expect(before.status).toBe(404);
    expect((await ticketAt(page)).reply.status).toBe(200);
    service.simulator.settle(id);
    await service.shop.until(({ fields }) => fields['order_number'] === number && fields['order_status'] === 'settled');
    expect((await ticketAt(page)).reply.status).toBe(404);
  });

  test('is not there once it can no longer be paid', async () => {
    const { page } = await begun();
    ahead = THREE_DAYS + 60_000;
    expect((await ticketAt(page)).reply.status).toBe(404);
  });
});
