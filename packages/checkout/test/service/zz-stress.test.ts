import { expect, test } from 'vitest';
import { anyMethodService } from '../support/any-method-service.ts';
import { errorOf, merchantActs, payByCard } from '../support/merchant-acts.ts';

test('stress', { timeout: 300_000 }, async () => {
  const service = await anyMethodService(undefined, {});
  const merchant = merchantActs(service.url);
  const out: string[] = [];
  let over = false;
  const stall = () => {
    const until = performance.now() + Math.random() * 120;
    while (performance.now() < until);
    if (!over) setTimeout(stall, Math.random() * 40);
  };
  stall();
  const one = async (i: number) => {
    const step = async (name: string, work: () => Promise<unknown>) => {
      try {
        const r = await work();
        return r;
      } catch (e) {
        out.push(`${i} ${name}: ${String(e)} ${String(Object(e).cause)}`);
        return undefined;
      }
    };
    const number = await payByCard(service.url, { auth: true });
    const { fields } = await service.shop.until((each) => each.fields.order_number === number);
    const id = fields.id ?? '';
    if (fields.order_status !== 'pending')
      out.push(`${i} first ${fields.type} ${fields.status} ${fields.order_status}`);
    const a = await step('capture', () => merchant.capture(id, '4.00'));
    if (Object(a).status !== 200) out.push(`${i} capture ${JSON.stringify(a)}`);
    if (i % 2 === 0)
      await service.shop.until(({ fields: f }) => f.id === id && f.type === 'capture' && f.order_status === 'settled');
    else while ((await merchant.status(id)) !== 'settled');
    const b = errorOf(await merchant.capture(id, '6.00'));
    if (!b.startsWith('208003')) out.push(`${i} second ${b}`);
    const c = errorOf(await merchant.refund(id, '4.01'));
    if (!c.startsWith('208006')) out.push(`${i} too much ${c}`);
    const d = await merchant.refund(id, '4.00');
    if (d.status !== 200) out.push(`${i} refund ${JSON.stringify(d)}`);
    await service.shop.until(({ fields: f }) => f.id === id && f.type === 'refund' && f.order_status === 'refund');
  };
  let next = 0;
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      while (next < 120) await one(next++);
    }),
  );
  over = true;
  const bad = service.lines.filter((line) => /"level":"(error|warn)"/.test(line)).slice(0, 10);
  await service.stop();
  expect([out, bad]).toEqual([[], []]);
});
