import * as fc from '../../../../test/support/properties.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payoutFields, sendCommand, statusFields } from '../support/commands.ts';
import { mutatedTexts } from '../support/mutations.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { startService } from '../support/service.ts';

/** `npm run test:soak` asks for more. */
const RUNS = Number(process.env.RAILYARD_SOAK ?? 300);
const SECONDS_EACH = 0.5;

let provider: PixProvider;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  provider = await pixProvider();
  service = await startService(provider, 'http://127.0.0.1:9');
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

const PAYEE = {
  payee_first_name: 'Ann',
  payee_last_name: 'Lee',
  payee_email: 'ann@example.com',
  payer_ip: '192.0.2.1',
};
const MULTIPART = 'multipart/form-data; boundary=edge';
const parts = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(
    ([name, value]) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );

/** Good commands as they are sent, and how. */
const payout = payoutFields({ ...PAYEE, 'custom_data[a][b]': 'c', callback_url: 'http://127.0.0.1:9/own' });
const forms = [payout, statusFields('22222222-3333-4444-8555-666666666666')];
const corpora: readonly (readonly [type: string, texts: readonly string[]])[] = [
  ['application/x-www-form-urlencoded', forms.map((fields) => new URLSearchParams(fields).toString())],
  [MULTIPART, forms.map((fields) => `${parts(fields).join('')}--edge--\r\n`)],
  ['application/json', forms.map((fields) => JSON.stringify(fields))],
];
const request = fc.oneof(...corpora.map(([type, texts]) => mutatedTexts(texts).map((body) => ({ type, body }))));

test(
  `${RUNS} commands at random around good ones are answered, none with 5xx, and a good one after them`,
  { timeout: 60_000 + RUNS * SECONDS_EACH * 1000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.constantFrom('post', 'post-va'), async ({ type, body }, path) => {
        const reply = await fetch(`${service.url}/${path}`, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        const json: unknown = await reply.json();
        expect([200, 400, 413]).toContain(reply.status);
        if (reply.status !== 200) expect(json).toMatchObject({ http_code: reply.status, result: 'ERROR' });
      }),
      { numRuns: RUNS },
    );
    expect((await sendCommand(service.url, payoutFields())).json).toMatchObject({ result: 'SUCCESS' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
  },
);
