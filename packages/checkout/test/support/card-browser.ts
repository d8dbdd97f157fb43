import type { Page } from 'playwright-core';
import { type CardService, cardService } from './card-service.ts';
import { serviceBrowser, type ServiceWindow } from './service-browser.ts';

export type CardWindow = ServiceWindow<CardService>;

/** A browser, and a service with a card account. */
export const cardBrowser = () => serviceBrowser(cardService);

/** Types a card as a payer does. */
export async function typeCard(page: Page, card: Partial<Record<'number' | 'expiry' | 'cvv' | 'name', string>> = {}) {
  const { number = '4111111111111111', expiry = '0138', cvv = '123', name = 'Ada Example' } = card;
  await page.getByLabel('Card number').pressSequentially(number);
  await page.getByLabel('Expiry Date').pressSequentially(expiry);
  await page.getByLabel('Security code').fill(cvv);
  await page.getByLabel('Name on card').fill(name);
}

/** Presses the button of the open method: a row of the list may have one too, such as `PayPal: Pay $10.00`. */
export const pay = (page: Page) =>
  page.locator('main form:not(.methods > li:not(.open) > form)').getByRole('button', { name: /^Pay/ }).click();
