import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, post, pressPay, sessionBody, startOn } from '../support/service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let data: Awaited<ReturnType<typeof newDataDir>>;

beforeEach(async () => {
  [provider, shop, data] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
});

afterEach(async () => {
  await Promise.all([provider.close(), shop.close(), data.remove()]);
});

const configOn = (port: number) => pixConfig(provider, shop.url, port, data.place);

describe('a request without methods', () => {
  test('is refused where no method of the merchant takes it, and offers those that do', async () => {
    const service = await startOn(configOn);
    try {
      const { methods: _methods, ...dollars } = sessionBody({}, { currency: 'USD' });
      expect(await post(`${service.url}/api/v1/session`, dollars)).toMatchObject({
        status: 400,
        json: { errors: [{ error_message: expect.stringMatching(/^methods: /) }] },
      });
      const { methods: _none, ...reais } = sessionBody();
      const page = await createPage(service.url, reais);
      expect((await pressPay(page)).status).toBe(303);
      expect(provider.ledger).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });
});

describe('a payment under way', () => {
  test('is settled although its method was taken from the merchant meanwhile', async () => {
    const first = await startOn(configOn);
    const body = sessionBody();
    await pressPay(await createPage(first.url, body));
    await first.stop();

    const second = await startOn((port) => {
      const { merchants, ...rest } = configOn(port);
      return {
        ...rest,
        merchants: merchants.map((each) => ({ ...each, methods: [{ key: 'br-pix', method: 'pix', mid: 'pix-main' }] })),
      };
    });
    try {
      const [charge] = provider.ledger;
      if (charge === undefined) throw new Error('The provider was not called.');
      charge.status = 'PAID';
      expect(await provider.notify(`${second.url}/notify/pix-main`, charge)).toBe(204);
      const { number } = body.order;
      await shop.until(({ fields }) => fields.order_number === number && fields.order_status === 'settled');
    } finally {
      await second.stop();
    }
  });
});
