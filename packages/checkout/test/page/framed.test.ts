import { expect, test } from 'vitest';
import { browserTests } from './support/browser.ts';
import { pageModel, states } from './support/models.ts';

const open = browserTests();

test('in a frame the provider’s page opens a new window, and the payment page stays', async (ctx) => {
  const { page, server } = await open(ctx);
  const served = server.serve(pageModel(states.redirect), { leaves: true, framed: true });
  await page.goto(server.url(served).replace('/auth/', '/frame/auth/'));
  const frame = page.frameLocator('iframe');
  await frame.getByText('Press Continue to finish in a new window.').waitFor();
  // A window needs something to show.
  await page.context().route('https://bank.example/**', (route) => route.fulfill({ body: 'bank' }));
  const opened = page.context().waitForEvent('page');
  await frame.getByRole('link', { name: 'Continue' }).click();
  await opened;
  expect(await frame.getByRole('heading').innerText()).toBe('Finish with your provider');
});

test('a page that its frame keeps promises no way back by itself', async (ctx) => {
  const { page, server } = await open(ctx);
  const served = server.serve(pageModel(states.success, { urlTarget: '_top' }), { leaves: true, framed: true });
  await page.goto(server.url(served).replace('/auth/', '/frame/auth/'));
  const frame = page.frameLocator('iframe');
  await frame.getByRole('link', { name: 'Back to Loja da Maria' }).waitFor();
  await expect.poll(() => frame.getByText('You will be taken back in a moment.').count()).toBe(0);
});
