import { kyTransport, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARD, cardBody, type CardService, cardService, payByCard } from '../support/card-service.ts';
import { createPage } from '../support/service.ts';

let http: ReturnType<typeof kyTransport>;
let service: CardService;
let failures = 0;

beforeAll(async () => {
  http = kyTransport();
  const transport: Transport = {
    send(request) {
      if (request.method !== 'POST' || failures === 0) return http.send(request);
      failures -= 1;
      return Promise.resolve({ kind: 'reply', status: 503, headers: {}, body: 'Service unavailable' });
    },
  };
  service = await cardService({ transport });
});

afterAll(async () => {
  await service.stop();
  await http.close();
});

test('a payment whose provider answers 503 is sent again by the process that still holds its security code', async () => {
  failures = 1;
  const body = cardBody();
  await payByCard(await createPage(service.url, body), CARD);
  await service.shop.until(({ fields }) => fields.order_number === body.order.number && fields.status === 'success');
  expect(service.provider.asked.map(({ card }) => card.cvv)).toEqual(['123']);
});
