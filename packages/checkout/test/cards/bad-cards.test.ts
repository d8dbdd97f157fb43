import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { CARD, cardPage, cardService, type CardService, payByCard } from '../support/card-service.ts';

const inputSchema = z.object({
  id: z.string(),
  group: z.string(),
  description: z.string(),
  patch: z.array(z.object({ op: z.string(), name: z.string().optional(), value: z.unknown().optional() })),
  expect: z.object({ page_error: z.string().optional(), accepted: z.boolean().optional() }).loose(),
});

const file = new URL('../../../core/test/fixtures/bad-inputs.json', import.meta.url);
const list = z
  .object({
    base: z.object({ session: z.object({ customer: z.record(z.string(), z.string()) }) }),
    inputs: z.array(z.looseObject({ group: z.string() })),
  })
  .parse(JSON.parse(readFileSync(file, 'utf8')));
const inputs = list.inputs.filter(({ group }) => group === 'hosted-card-form').map((input) => inputSchema.parse(input));
/** The payer of the list's request, whom it names by two words. */
const { customer } = list.base.session;

/** What is done with the page, not with a field of it; each has a test of its own, here or in the browser. */
const DONE = { click_many: 'in-browser.test.ts', post_twice: 'here', clock: 'here' };

const START = Date.parse('2026-11-21T12:00:00Z');
let at = START;
let service: CardService;

beforeAll(async () => {
  service = await cardService({ clock: () => at });
});

afterAll(() => service.stop());

const asked = (page: string) => service.provider.asked.filter(({ return_url }) => return_url.startsWith(page)).length;

const repeated = z.object({ $repeat: z.string(), $times: z.int() });

function valueOf(value: unknown): string {
  const long = repeated.safeParse(value);
  if (long.success) return long.data.$repeat.repeat(long.data.$times);
  return z.string().parse(value).replace('{{last_month}}', '10/26').replace('{{this_month}}', '11/26');
}

const filled = inputs.filter(({ patch }) => patch.every(({ op }) => op === 'fill'));

test('every entry of the list is tried', () => {
  const others = inputs.filter((each) => !filled.includes(each)).flatMap(({ patch }) => patch.map(({ op }) => op));
  expect(others.sort()).toEqual(Object.keys(DONE).sort());
  expect(filled.length).toBe(8);
});

describe('the card form', () => {
  test.each(filled)('$id, $description', async ({ patch, expect: expected }) => {
    const page = await cardPage(service, { customer });
    const fields = Object.fromEntries(patch.map(({ name, value }) => [`card.${name}`, valueOf(value)]));
    const answer = await payByCard(page, { ...CARD, ...fields });
    if (expected.accepted === true) {
      expect(answer.status).toBe(303);
      return expect(asked(page)).toBe(1);
    }
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(expected.page_error);
    return expect(asked(page)).toBe(0);
  });

  test('takes this month’s card on the last day in any time zone', async () => {
    at = Date.parse('2026-12-01T11:59:00Z');
    const page = await cardPage(service);
    expect((await payByCard(page, { ...CARD, 'card.expiry': '11/26' })).status).toBe(303);
    at = START;
  });

  test('says which network it does not take', async () => {
    const page = await cardPage(service);
    const answer = await payByCard(page, { ...CARD, 'card.number': '1111 2222 3333 4444' });
    expect(answer.text).toContain('Cards of this network are not accepted here.');
    expect(asked(page)).toBe(0);
  });

  test('says of each field what is wrong, and shows neither number nor code again', async () => {
    const page = await cardPage(service, { customer });
    const wrong = { 'card.number': '4111111111111112', 'card.expiry': '99', 'card.cvv': '9876', 'card.name': 'Cher' };
    const { status, text } = await payByCard(page, wrong);
    expect(status).toBe(422);
    for (const message of [
      'Invalid card number',
      'The expiration date of card',
      'Invalid security code',
      'first and last name as on the card',
    ])
      expect(text).toContain(message);
    expect(text).not.toMatch(/4111 ?1111|(?<![\w-])9876(?![\w-])/);
    expect(text).toContain('value="Cher"');
    expect((await payByCard(page, {})).text.match(/Please fill in this field\./g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('that is sent twice at once pays once', async () => {
    const page = await cardPage(service);
    const answers = await Promise.all([payByCard(page), payByCard(page), payByCard(page)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    await payByCard(page);
    expect(asked(page)).toBe(1);
  });

  test('that comes a millisecond too late pays nothing and leads to expiry_url', async () => {
    const page = await cardPage(service);
    at = START + 3_600_000 + 1;
    expect((await payByCard(page)).status).toBe(303);
    expect(await (await fetch(page)).text()).toContain('https://shop.example/expiry');
    expect(asked(page)).toBe(0);
    at = START;
  });
});
