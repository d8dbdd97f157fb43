import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { familyService } from '../support/family-service.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';
import { voucherAccounts } from '../support/voucher-accounts.ts';

interface Row {
  readonly key: string;
  readonly currency: string;
  /** More fields of the session. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** What the page asks for, and the payer's entry that is taken. */
  readonly asked: Readonly<Record<string, string>>;
  /** Entries that are refused beside their field. */
  readonly wrong?: Readonly<Record<string, string>>;
  /** What the payer sees while the payment waits; nothing where the reply is the result. */
  readonly shown?: RegExp;
}

/** The keys of methods-catalogue.md that belong to this package and are served by no real provider. */
const ROWS: readonly Row[] = [
  {
    key: 'pin-voucher',
    currency: 'USD',
    asked: { 'parameters.pin-voucher.pin': '1234 5678 9012 3456' },
    wrong: { 'parameters.pin-voucher.pin': '123456789012345' },
  },
  {
    key: 'voucher-redirect',
    currency: 'EUR',
    asked: {},
    shown: /href="[^"]*\?payment=/,
  },
  {
    key: 'cash-reference',
    currency: 'USD',
    asked: {},
    // The simulated provider numbers its references with a UUID.
    shown: /Reference[^]*[0-9a-f]{8}-[0-9a-f]{4}-/,
  },
  {
    key: 'cash-ticket',
    currency: 'COP',
    asked: { 'parameters.cash-ticket.document_number': '1020304050' },
    wrong: { 'parameters.cash-ticket.document_number': '1'.repeat(256) },
    shown: /3381 0467 2259[^]*href="[^"]*\/ticket"/,
  },
];

let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService(voucherAccounts);
}, 60_000);
afterAll(() => service.stop());

const sessionOf = (
  { key, currency, session }: Row,
  more: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
) => sessionBody({ methods: [key], ...session, ...more }, { currency, ...order });

const parametersOf = (key: string, entries: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([path, value]) => {
      const [, of, name] = path.split('.');
      return of === key && name !== undefined ? [[name, value]] : [];
    }),
  );

test('has a row for every key that the catalogue sends here', () => {
  expect(ROWS.map(({ key }) => key).toSorted()).toEqual(keysPaidIn('families/voucher.test.ts'));
});

describe.each(ROWS)('$key', (row) => {
  const { key, asked, shown } = row;
  beforeAll(() => {
    const scenario = shown === undefined ? 'settled' : 'manual';
    service.simulator.setRule({ connector: 'voucher-gateway', scenario });
  });

  /** Pays what was begun. */
  async function settles(number: string, page: string) {
    if (shown !== undefined) {
      expect(await (await fetch(page)).text()).toMatch(shown);
      const held = service.simulator.payments().at(-1);
      service.simulator.settle(held?.id ?? '');
    }
    const { fields, signed } = await service.shop.until(
      (each) => each.fields['order_number'] === number && each.fields['order_status'] === 'settled',
    );
    expect(signed).toBe(true);
    expect(fields).toMatchObject({ order_amount: '10.00', order_currency: row.currency });
    expect(await (await fetch(page)).text()).toContain('Payment complete');
  }

  test('is paid, from the session over HTTP to the final callback, with what the payer is asked for', async () => {
    const body = sessionOf(row);
    const page = await createPage(service.url, body);
    const form = await (await fetch(page)).text();
    for (const name of Object.keys(asked)) expect(form).toContain(`name="${name}"`);
    expect((await pressPay(page, { method: key, ...asked })).status).toBe(303);
    await settles(body.order.number, page);
  });

  test('is paid with what the session brings, and asks for none of it', async () => {
    const body = sessionOf(row, { parameters: { [key]: parametersOf(key, asked) } });
    const page = await createPage(service.url, body);
    const form = await (await fetch(page)).text();
    for (const name of Object.keys(asked).filter((each) => each.startsWith('parameters.')))
      expect(form).not.toContain(`name="${name}"`);
    const left = Object.fromEntries(Object.entries(asked).filter(([name]) => !name.startsWith('parameters.')));
    expect((await pressPay(page, { method: key, ...left })).status).toBe(303);
    await settles(body.order.number, page);
  });

  test('is sold by command', async () => {
    await expectSold(service, sessionOf(row), asked);
  });

  test('is refused in another country, currency and operation', async () => {
    await expectRefusals(service.url, key, (change, order) => sessionOf(row, change, order));
  });
});

describe.each(ROWS.flatMap((row) => (row.wrong === undefined ? [] : [{ ...row, wrong: row.wrong }])))(
  '$key, of which something is wrong',
  (row) => {
    const { key, wrong } = row;

    test('says beside the field what is wrong, and asks no provider', async () => {
      const before = service.simulator.payments().length;
      const reply = await pressPay(await createPage(service.url, sessionOf(row)), { method: key, ...wrong });
      expect(reply.status).toBe(422);
      const form = await reply.text();
      for (const name of Object.keys(wrong)) expect(form).toContain(`id="field-${name}-problem"`);
      expect(form).toContain('aria-invalid="true"');
      const parameters = { [key]: parametersOf(key, wrong) };
      const refused = await post(`${service.url}/api/v1/session`, sessionOf(row, { parameters }));
      expect(refused.status).toBe(400);
      expect(service.simulator.payments()).toHaveLength(before);
    });
  },
);
