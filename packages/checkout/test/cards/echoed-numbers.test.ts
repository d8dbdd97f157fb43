import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog, startCheckout } from '../../src/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { allColumns } from '../support/all-columns.ts';
import { cardConfig } from '../support/card-config.ts';
import { NOTIFY_TOKEN } from '../support/card-connector.ts';
import { cardProvider, type CardProvider } from '../support/card-provider.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { createPage } from '../support/service.ts';

const HOUR = 3_600_000;
/** Not among the numbers that documents and other tests name. */
const NUMBER = '5200828282828210';
const inGroups = NUMBER.replaceAll(/(\d{4})(?=\d)/g, '$1-');

let provider: CardProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let made: DataDir;
let lines: string[];
let now: number;

beforeEach(async () => {
  provider = await cardProvider();
  shop = await receiver();
  made = await newDataDir();
  lines = [];
  now = Date.now();
});

afterEach(async () => {
  await Promise.all([provider.close(), shop.close(), made.remove()]);
});

/** A new process, as far as memory goes. */
async function start() {
  const port = await freePort();
  const config = cardConfig({ providerUrl: provider.url, callbackUrl: shop.url, port, place: made.place });
  return startCheckout(config, { clock: () => now, log: createLog({ write: (line) => lines.push(line) }) });
}

test.each([
  ['the day after', 24 * HOUR],
  ['long after its number was taken away', 60 * 24 * HOUR],
])(
  'a provider that repeats a card in its lookup, %s and in another process, is written down without it',
  async (_name, later) => {
    const first = await start();
    const body = cardBody();
    await payByCard(await createPage(first.url, body), { ...CARD, 'card.number': NUMBER, 'card.expiry': '05 / 38' });
    await first.stop();
    // The payer was at his bank and never came back; the provider knows how it ended.
    for (const payment of provider.asked) payment.status = 'PAID';
    provider.state.adds = ({ card: { number } }) => ({
      token: number,
      cvv: CARD['card.cvv'],
      message: `Card ${inGroups}, or ${number}, CVV ${CARD['card.cvv']}, was charged.`,
    });
    now += later;
    const second = await start();
    await shop.until(({ fields }) => fields.order_number === body.order.number && fields.order_status === 'settled');
    await second.stop();
    expect(lines.join('')).toContain('Card •••, or •••, CVV •••, was charged.');
    const { databaseUrl } = made.place;
    const { db, close } = await openDatabase(databaseUrl === undefined ? made.place : { url: databaseUrl });
    const columns = await allColumns(db);
    await close();
    const kept = columns.filter(({ place }) => /^payments\.(agreement|connector_state)_text$/.test(place));
    expect(kept.map(({ text }) => text).filter((text) => text !== '{}')).toEqual(['{"token":"•••","cvv":"•••"}']);
    for (const text of [...lines, ...columns.map((each) => each.text), ...shop.received.map((each) => each.body)])
      expectNoCard(text);
  },
);

test.each([
  ['settles the payment', { status: 'PAID' }],
  [
    'repeats the code alone and settles the payment',
    { status: 'PAID', event: 'e-1', message: `CVV ${CARD['card.cvv']} fits.`, token: 't-1', [NUMBER]: undefined },
  ],
  ['is set aside, because the amount is another', { status: 'PAID', amount: '11.00' }],
  ['is not understood', { status: 'PAID', amount: undefined }],
])(
  'a signed notification that repeats the card and its code as values and the number as a name is written down without it where it %s',
  async (_name, change) => {
    const service = await start();
    await payByCard(await createPage(service.url, cardBody()), {
      ...CARD,
      'card.number': NUMBER,
      'card.expiry': '05 / 38',
    });
    const [{ id, amount, currency } = expect.fail()] = provider.asked;
    const repeats = `Card ${inGroups}, or ${NUMBER}, CVV ${CARD['card.cvv']}, was charged.`;
    const told = {
      id,
      amount,
      currency,
      event: `e-${NUMBER}`,
      message: repeats,
      token: NUMBER,
      cvv: CARD['card.cvv'],
      [NUMBER]: { [inGroups]: 1 },
    };
    const reply = await fetch(`${service.url}/notify/cards`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-token': NOTIFY_TOKEN },
      body: JSON.stringify({ ...told, ...change }),
    });
    expect(reply.status).toBe(200);
    if ('amount' in change && change.amount === undefined) expect(lines.join('')).toContain('"needs-attention"');
    else if ('amount' in change) expect(lines.join('')).toContain('"quarantined"');
    else await shop.until(({ fields }) => fields.order_status === 'settled');
    await service.stop();
    for (const text of [...lines, ...(await everyColumn()), ...shop.received.map(({ body }) => body)])
      expectNoCard(text);
  },
);

/** The digits of a code alone stand in ids and times as well: it is told by the name before it. */
function expectNoCard(text: string): void {
  const code = new RegExp(`cvv\\W+${CARD['card.cvv']}\\b`, 'i');
  expect([text.includes(NUMBER), text.includes(inGroups), code.test(text)], text).toEqual([false, false, false]);
}

async function everyColumn(): Promise<string[]> {
  const { databaseUrl } = made.place;
  const { db, close } = await openDatabase(databaseUrl === undefined ? made.place : { url: databaseUrl });
  const columns = await allColumns(db);
  await close();
  return columns.map(({ text }) => text);
}
