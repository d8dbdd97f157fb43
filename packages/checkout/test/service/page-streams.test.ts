import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyMethodService } from '../support/any-method-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

let service: Awaited<ReturnType<typeof anyMethodService>>;

beforeAll(async () => {
  service = await anyMethodService();
});

afterAll(() => service.stop());

/** A tab that listens, once it has been told how the payment stands. */
async function tab(page: string) {
  const { body } = await fetch(`${page}/events`);
  const stream = body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.fail();
  expect((await stream.read()).value).toContain('"final":false');
  return {
    /** What is said from now on. */
    async rest() {
      let heard = '';
      for (;;) {
        const { value, done } = await stream.read();
        if (done) return heard;
        heard += value;
      }
    },
  };
}

test('five tabs of a page get updates: one more ends the oldest, and other pages keep theirs', async () => {
  const newPage = () => createPage(service.url, sessionBody({ methods: ['card'] }, { currency: 'USD' }));
  const [page, other] = [await newPage(), await newPage()];
  const elsewhere = await tab(other);
  const tabs = [];
  for (let count = 0; count < 7; count += 1) tabs.push(await tab(page));
  const [first, second, ...newest] = tabs.map((each) => each.rest());
  expect(await first).not.toContain('"final":true');
  expect(await second).not.toContain('"final":true');
  await Promise.all([pressPay(page, { method: 'card' }), pressPay(other, { method: 'card' })]);
  for (const heard of await Promise.all([...newest, elsewhere.rest()])) expect(heard).toContain('"final":true');
});
