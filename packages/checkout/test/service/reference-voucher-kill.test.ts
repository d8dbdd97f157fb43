import { referenceVoucherConnector } from '@railyard/connector-voucher';
import { referenceVoucherSimulation } from '@railyard/connector-voucher/simulation';
import { createSimulator } from '@railyard/simulator';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dyingService, type Point } from '../support/dying-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const TOKEN = /^POST \/authre$/;
const REFERENCE = /^POST \/references$/;
const PAYMENT = /^POST \/references\/.*\/payment$/;

/** The provider, where payers pay when a test says so. */
const played = (serviceUrl: string) =>
  createSimulator({
    scenario: 'manual',
    connectors: [
      {
        connector: referenceVoucherConnector,
        simulation: referenceVoucherSimulation,
        settings: referenceVoucherConnector.settings.parse({
          base_url: 'http://127.0.0.1:1',
          private_key: 'the-private-key',
          gateway_id: 'gateway-1',
        }),
        notifyUrl: `${serviceUrl}/notify/vouchers`,
      },
    ],
  });

let counter: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  counter = await dyingService('reference-voucher', referenceVoucherConnector.id, played);
});
afterEach(() => counter.close());

/** On a server the run of a dead process is taken over after its lease, which is a minute. */
const PATIENCE = { timeout: 120_000 };

test.each<Point>([
  [TOKEN, 'arrives'],
  [TOKEN, 'has-acted'],
  [REFERENCE, 'arrives'],
  [REFERENCE, 'has-acted'],
  [PAYMENT, 'arrives'],
  [PAYMENT, 'has-acted'],
])(
  'a service that is killed when %s %s makes one reference, shows it to the payer and settles it',
  async (...point) => {
    const body = sessionBody({ methods: ['cash-reference'] }, { currency: 'USD' });
    const { number } = body.order;
    const page = await createPage(counter.url(), body);
    await counter.dyingAt(point, () => pressPay(page, { method: 'cash-reference' }));
    const { id } = await vi.waitUntil(() => counter.simulator.payments()[0], PATIENCE);
    await vi.waitUntil(async () => (await (await fetch(page)).text()).includes(id), PATIENCE);
    counter.simulator.settle(id);
    await counter.until(number, 'sale success settled');
    expect(counter.simulator.payments()).toHaveLength(1);
    expect(counter.shop.received.filter(({ fields }) => fields.order_status === 'decline')).toEqual([]);
  },
);
