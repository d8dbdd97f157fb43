import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { bankTransferPage, lastOf, openBankingPage, openBankingService } from '../support/open-banking-service.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const open = serviceBrowser(openBankingService);

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const pay = (page: Page) => page.getByRole('button', { name: /^Pay/ }).click();
const press = (page: Page, name: string) => page.getByRole('link', { name }).click();

/** From the page to the bank that the payer chooses there. */
async function toBank(page: Page, bank: string, scripts = true) {
  await pay(page);
  await page.getByLabel('Your bank').selectOption({ label: bank });
  await page.getByRole('button', { name: 'Continue' }).click();
  // Without scripts the page does not go on by itself, so that it can be left.
  if (!scripts) await page.getByRole('link', { name: 'Continue' }).click();
  await heading(page, 'Pay 10.00 GBP?');
}

describe('open banking', () => {
  test.for([true, false])('goes by way of the bank that the payer chose, with scripts: %s', async (scripts, ctx) => {
    const { page, service, complaints } = await open(ctx, scripts);
    await page.goto(await openBankingPage(service));
    await toBank(page, 'South Bank', scripts);
    expect(lastOf(service.initiation).sent).toMatchObject({
      bank_id: 'bank_south',
      amount: '10.00',
      payee: {
        name: 'Ann Lee',
        country: 'GB',
        identifications: [
          { type: 'SORT_CODE', identification: '040004' },
          { type: 'ACCOUNT_NUMBER', identification: '12345678' },
        ],
      },
    });
    await press(page, 'Approve');
    await heading(page, 'Payment complete');
    expect(complaints).toEqual([]);
  });

  test('that the payer cancels at the bank is declined, in his own words, and can be tried again', async (ctx) => {
    const { page, service } = await open(ctx);
    await page.goto(await openBankingPage(service));
    await toBank(page, 'North Bank');
    await press(page, 'Cancel');
    await heading(page, 'Payment declined');
    await page.getByText('You cancelled the payment.').waitFor();
    await page.getByRole('link', { name: 'Try again' }).click();
    await toBank(page, 'North Bank');
    await press(page, 'Approve');
    await heading(page, 'Payment complete');
  });

  test('whose payer stays at the bank is settled by its provider’s notification alone', async (ctx) => {
    const { page, service } = await open(ctx);
    const address = await openBankingPage(service);
    await page.goto(address);
    await toBank(page, 'North Bank');
    const entry = lastOf(service.initiation);
    expect(await service.initiation.tell(entry, { status: 'ACSC', secret: 'somebody-elses-secret' })).toBe(401);
    entry.status = 'ACSC';
    expect(await service.initiation.tell(entry)).toBe(204);
    await page.goto(address);
    await heading(page, 'Payment complete');
  });
});

describe('bank transfer at a gateway', () => {
  test('goes by way of the bank', async (ctx) => {
    const { page, service, complaints } = await open(ctx);
    service.gateway.state.approved = 'PAID';
    await page.goto(await bankTransferPage(service, { customer: { name: 'Sokrates' } }));
    await pay(page);
    await heading(page, 'Pay 10.00 EUR?');
    expect(lastOf(service.gateway).sent).toMatchObject({ firstname: 'Sokrates', lastname: 'Sokrates' });
    await press(page, 'Approve');
    await heading(page, 'Payment complete');
    expect(complaints).toEqual([]);
  });

  test('asks for the name, and waits on the page for what the bank still works on', async (ctx) => {
    const { page, service } = await open(ctx);
    service.gateway.state.approved = 'PROCESSING';
    await page.goto(await bankTransferPage(service));
    await page.getByLabel('Name').fill('Ada King Lovelace');
    await pay(page);
    await heading(page, 'Pay 10.00 EUR?');
    const entry = lastOf(service.gateway);
    expect(entry.sent).toMatchObject({ firstname: 'Ada King', lastname: 'Lovelace', payment_methods: 'OBT' });
    await press(page, 'Approve');
    await heading(page, 'Checking your payment');
    entry.status = 'PAID';
    expect(await service.gateway.tell(entry, 'somebody-elses-secret')).toBe(401);
    expect(await service.gateway.tell(entry)).toBe(200);
    await heading(page, 'Payment complete');
  });
});
