import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { lastEntry, mobileMoneyPage, mobileMoneyService } from '../support/mobile-money-service.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const open = serviceBrowser(mobileMoneyService);

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function payFrom(page: Page, number: string) {
  await page.getByLabel('Mobile number').fill(number);
  await page.getByRole('button', { name: /^Pay/ }).click();
}

describe('mobile money', () => {
  test.for([true, false])('is confirmed on the phone, with scripts: %s', async (scripts, ctx) => {
    const { page, service, complaints } = await open(ctx, scripts);
    service.provider.state.auth = 'STK_PROMPT';
    await page.goto(await mobileMoneyPage(service));
    await payFrom(page, '+254 712 345 678');
    await heading(page, 'Check your phone');
    const text = await page.locator('main').innerText();
    expect(text).toContain('We sent a request to the phone +254 •••••-5678. Enter your PIN there to confirm.');
    // The page's script begins a moment after its words are there.
    await page
      .getByText(scripts ? 'Time left' : 'Valid until')
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: 'Try again' }).count()).toBe(0);
    const entry = lastEntry(service);
    expect(entry.sent).toMatchObject({ mobile_money: { number: '254712345678' }, merchant_bears_cost: false });
    entry.status = 'success';
    expect(await service.provider.tell(entry)).toEqual([200]);
    if (!scripts) await page.reload();
    await heading(page, 'Payment complete');
    expect(complaints).toEqual([]);
  });

  test.for([
    ['KES', '0712 345 678', '254712345678'],
    ['GHS', '055-123 4987', '233551234987'],
  ] as const)(
    'in %s from a number as its owner writes it, %s, reaches that phone',
    async ([currency, typed, number], ctx) => {
      const { page, service } = await open(ctx);
      service.provider.state.auth = 'STK_PROMPT';
      await page.goto(await mobileMoneyPage(service, '100.00', currency));
      await payFrom(page, '12');
      await page.getByText('or with the country code, as +').first().waitFor();
      await page.getByLabel('Mobile number').fill('');
      await page.getByLabel('Mobile number').pressSequentially(typed);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await heading(page, 'Check your phone');
      expect(await page.locator('main').innerText()).toContain(
        `the phone +${number.slice(0, 3)} •••••-${number.slice(-4)}.`,
      );
      expect(lastEntry(service).sent).toMatchObject({ mobile_money: { number } });
    },
  );

  test('is confirmed by a code: a wrong one, a new one, the right one, and then the phone', async (ctx) => {
    const { page, service } = await open(ctx);
    Object.assign(service.provider.state, { auth: 'OTP', afterCode: 'STK_PROMPT' });
    await page.goto(await mobileMoneyPage(service, '100.00', 'GHS'));
    await payFrom(page, '233240000000');
    await page.getByLabel('Code from the text message').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This code is not right. Check the last message that you got.').first().waitFor();
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await expect.poll(() => lastEntry(service).resends).toBe(1);
    await page.getByLabel('Code from the text message').fill('123456');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Check your phone');
    const entry = lastEntry(service);
    Object.assign(entry, { status: 'failed', failure_code: 'insufficient_funds' });
    await service.provider.tell(entry);
    await heading(page, 'Payment declined');
    await page.getByText('There is not enough money in your account.').waitFor();
    await page.getByRole('link', { name: 'Try again' }).waitFor();
  });

  test('is confirmed on the provider’s page', async (ctx) => {
    const { page, service } = await open(ctx);
    service.provider.state.auth = 'REDIRECT';
    await page.goto(await mobileMoneyPage(service, '1000.00', 'XOF'));
    await payFrom(page, '+2250123456789');
    const link = page.getByRole('link', { name: 'Continue' });
    expect(await link.getAttribute('href')).toBe(`${service.provider.url}/pages/${lastEntry(service).id}`);
  });

  test.for([
    ['success', 'Payment complete'],
    ['timed_out', 'Payment declined'],
  ] as const)('that is told to have timed out is looked up, and found to be %s', async ([status, title], ctx) => {
    const { page, service } = await open(ctx);
    service.provider.state.auth = 'STK_PROMPT';
    await page.goto(await mobileMoneyPage(service));
    await payFrom(page, '254712345678');
    await heading(page, 'Check your phone');
    const entry = lastEntry(service);
    entry.status = status;
    await service.provider.tell(entry, { status: 'timed_out' });
    await heading(page, title);
    if (status === 'timed_out') await page.getByText('The payment was not confirmed in time.').waitFor();
  });

  test('is reported by its provider alone: a notification under another secret is refused every time', async (ctx) => {
    const { page, service } = await open(ctx);
    service.provider.state.auth = 'STK_PROMPT';
    await page.goto(await mobileMoneyPage(service));
    await payFrom(page, '254712345678');
    await heading(page, 'Check your phone');
    const answers = await service.provider.tell(lastEntry(service), { status: 'success', secret: 'somebody-else' });
    expect(answers).toEqual(answers.map(() => 401));
    await page.reload();
    await heading(page, 'Check your phone');
  });
});
