import { describe, expect, test } from 'vitest';
import { acquirerService } from '../support/acquirer-service.ts';
import { pay, typeCard } from '../support/card-browser.ts';
import { cardPage } from '../support/card-service.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const open = serviceBrowser(() =>
  acquirerService({ methods: [{ key: 'card', mid: 'cards', required: ['customer.email'] }] }),
);

/** A browser takes it for an address, and the protocol does not. */
const WRONG = 'ada@example';

describe('an entry that the service refuses', () => {
  test('costs the payer nothing else that was entered', async (ctx) => {
    const { page, service, complaints } = await open(ctx);
    const address = await cardPage(service);
    await page.goto(address);
    await typeCard(page, { expiry: '01/38' });
    await page.getByLabel('E-mail').fill(WRONG);
    await pay(page);
    const email = page.getByLabel('E-mail');
    await page.getByText('Enter an e-mail address such as ada@example.com.').waitFor();
    expect(await email.evaluate((one) => [one === document.activeElement, one.getAttribute('aria-invalid')])).toEqual([
      true,
      'true',
    ]);
    expect(await page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111');
    expect(await page.getByLabel('Security code').inputValue()).toBe('123');
    expect(await page.content()).not.toMatch(/4111 ?1111|value="123"/);
    expect(service.asked.filter(({ body }) => String(body).includes(address))).toEqual([]);
    await email.fill('ada@example.com');
    await pay(page);
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    // The browser's console says of itself that an answer was a refusal.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  test('is shown without scripts too, where number and code are asked again', async (ctx) => {
    const { page, service } = await open(ctx, false);
    await page.goto(await cardPage(service));
    await typeCard(page);
    await page.getByLabel('E-mail').fill(WRONG);
    await pay(page);
    await page.getByRole('link', { name: /Enter an e-mail address such as/ }).waitFor();
    expect(await page.getByLabel('Name on card').inputValue()).toBe('Ada Example');
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    expect(await page.content()).not.toMatch(/4111 ?1111|value="123"/);
  });

  test('stays on the page, and nothing is sent, where the check cannot be reached', async (ctx) => {
    const { page, context, service } = await open(ctx);
    await context.route('**/check', (route) => route.abort());
    await page.goto(await cardPage(service));
    await typeCard(page);
    await page.getByLabel('E-mail').fill(WRONG);
    await pay(page);
    await page.getByRole('alert').filter({ hasText: 'Nothing was sent.' }).first().waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(WRONG);
    expect(await page.getByLabel('Card number').inputValue()).not.toBe('');
  });
});
