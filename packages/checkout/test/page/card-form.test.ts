import { describe, expect, test } from 'vitest';
import { browserTests } from './support/browser.ts';
import { pageModel, states } from './support/models.ts';

const open = browserTests();

describe.each([320, 1280])('the card form on %i px', (width) => {
  test.for(['card', 'card-refused'] as const)('has boxes of one height for date and code: %s', async (name, ctx) => {
    const { page, server } = await open(ctx, { width });
    await page.goto(server.url(server.serve(pageModel(states[name]))));
    const boxes = await Promise.all(
      ['card.number', 'card.expiry', 'card.cvv'].map((each) => page.locator(`[name="${each}"]`).boundingBox()),
    );
    const [number, expiry, code] = boxes;
    expect(boxes.map((box) => box?.height)).toEqual(boxes.map(() => number?.height));
    if (width > 400) expect(code?.y).toBe(expiry?.y);
  });
});

describe('the address of a payer', () => {
  test('asks for the state of a country that has one, by name, and for none elsewhere', async (ctx) => {
    const { page, server, complaints } = await open(ctx, { width: 320 });
    const served = server.serve(pageModel(states['card-address']));
    await page.goto(server.url(served));
    const [country, state] = [page.getByLabel('Country'), page.getByLabel('State/Region')];
    expect(await state.isVisible()).toBe(false);
    await country.selectOption('United States');
    await state.selectOption('California');
    expect(await state.locator('option').count()).toBe(60);
    await country.selectOption('Brazil');
    expect([await state.isVisible(), await state.inputValue()]).toEqual([false, '']);
    await country.selectOption('Canada');
    await page.getByRole('button', { name: /^Pay/ }).click();
    expect(await page.locator('[id="field-billing_address.state-problem"]').innerText()).toContain(
      'Please fill in this field.',
    );
    expect(served.seen.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('offers the states of every country by groups without scripts', async (ctx) => {
    const { page, server } = await open(ctx, { javaScriptEnabled: false });
    await page.goto(server.url(server.serve(pageModel(states['card-address']))));
    expect(await page.getByLabel('State/Region').isVisible()).toBe(true);
    expect(await page.locator('optgroup').count()).toBe(5);
  });
});

test('an amount to send is copied without its unit', async (ctx) => {
  const { page, server } = await open(ctx);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  await page.goto(server.url(server.serve(pageModel(states['address-part']))));
  expect(await page.locator('dd', { hasText: '0.003125000000000001 ETH' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Copy: Amount to send' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('0.003125000000000001');
});
