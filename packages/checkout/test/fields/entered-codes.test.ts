import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isSealed } from '../../src/secrets/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { allColumns } from '../support/all-columns.ts';
import { cardCanary } from '../support/card-canary.ts';
import { cardService } from '../support/card-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { hostedFields } from '../support/hosted-fields.ts';

const GONE =
  'card.cvv: The security code is not there any more. Have the payer enter it again, and send this request again.';

describe('a security code of a process that is gone', () => {
  let directory: DataDir;

  beforeEach(async () => {
    directory = await newDataDir();
  });
  afterEach(() => directory.remove());

  test('is asked for once more, with the card that is kept, and how often is counted', async () => {
    const before = await cardService({ place: directory.place });
    const token = await hostedFields(before.url).token();
    await hostedFields(before.url).enter(token);
    await before.stop();

    const service = await cardService({ place: directory.place });
    const fields = hostedFields(service.url);
    expect((await fields.described(token)).json).toMatchObject({
      entered: { brand: 'visa', last_four: '1111' },
    });
    expect(await fields.pay(token)).toMatchObject({ status: 400, lines: [GONE] });
    expect(service.provider.asked).toHaveLength(0);
    expect(service.lines.filter((line) => line.includes('"security-code-gone"'))).toHaveLength(1);

    expect((await fields.enter(token, { cvv: '12' })).status).toBe(422);
    expect((await fields.enter(token, { cvv: '321' })).status).toBe(200);
    expect(Object((await fields.pay(token)).json).result).toBe('success');
    expect(service.provider.asked).toMatchObject([{ card: { number: '4111111111111111', cvv: '321' } }]);
    await service.stop();
  });
});

test('a card that was entered and not yet paid with is sealed, and its code is nowhere', async () => {
  const { number, code, hasNumber, hasCode } = cardCanary();
  const directory = await newDataDir();
  onTestFinished(() => directory.remove());
  const service = await cardService({ place: directory.place });
  const fields = hostedFields(service.url);
  const token = await fields.token();
  expect((await fields.enter(token, { number, expiry: '01/38', cvv: code })).status).toBe(200);
  await service.stop();
  const { databaseUrl } = directory.place;
  const { db, close } = await openDatabase(databaseUrl === undefined ? directory.place : { url: databaseUrl });
  const columns = await allColumns(db);
  await close();
  const [entry] = columns.filter(({ place }) => place === 'sessions.entry_text');
  expect(isSealed(entry?.text ?? '')).toBe(true);
  const texts = [...columns.map(({ text }) => text), ...service.lines];
  expect(texts.filter((text) => hasNumber(text) || hasCode(text))).toEqual([]);
});
