import { describe, expect, test } from 'vitest';
import { inPounds, realService } from '../support/real-providers.ts';
import { serviceBrowser } from '../support/service-browser.ts';
import { createPage } from '../support/service.ts';

const open = serviceBrowser(() => realService('ob-uk', {}, { settings: { response: 'id_token' } }));

describe('a bank whose answer stands behind the # of the address', () => {
  test('is read where the payer agrees, and the payment is settled', async (ctx) => {
    const { page, service, complaints, addresses } = await open(ctx);
    await page.goto(await createPage(service.url, inPounds()));
    await page.locator('button.primary').click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await service.shop.until(({ fields }) => fields.type === 'sale' && fields.order_status === 'settled');
    const backs = addresses.filter((each) => new URL(each).pathname.endsWith('/back'));
    expect(backs.map((each) => [...new URL(each).searchParams.keys()])).toEqual([[], ['code', 'state', 'id_token']]);
    expect(complaints).toEqual([]);
  });

  test('is shown again to a payer without scripts, whose payment is not lost', async (ctx) => {
    const { page, service } = await open(ctx, false);
    await page.goto(await createPage(service.url, inPounds()));
    await page.locator('button.primary').click();
    const way = (await page.getByRole('link', { name: 'Continue' }).getAttribute('href')) ?? '';
    await page.goto(`${page.url()}/back`);
    await page.getByRole('link', { name: 'Continue' }).click();
    expect(await page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toContain(new URL(way).origin);
  });
});
