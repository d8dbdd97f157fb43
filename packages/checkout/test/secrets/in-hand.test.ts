import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer, SealError, sealedAt, type Sealer, withTextsInHand } from '../../src/secrets/index.ts';

const key = randomBytes(32);

/** A sealer with texts in hand; how often it really opened one, and what ends a turn. */
function started({ most = 256 } = {}) {
  const kept = createSealer([key]);
  const opened: string[] = [];
  const turns: (() => void)[] = [];
  const counting: Sealer = {
    ...kept,
    open(sealed, place) {
      opened.push(place.row);
      return kept.open(sealed, place);
    },
  };
  const sealer = withTextsInHand(counting, { most, later: (turn) => void turns.push(turn) });
  return { sealer, kept, opened, turns, turn: () => turns.shift()?.() };
}

test('a text that was just sealed is there without being opened', () => {
  const { sealer, opened } = started();
  const place = sealedAt.callbackBody('c-1');
  const sealed = sealer.seal('{"status":"success"}', place);
  expect(sealer.open(sealed, place)).toBe('{"status":"success"}');
  expect(opened).toEqual([]);
});

test('a text that another process has sealed is opened once', () => {
  const { sealer, kept, opened } = started();
  const place = sealedAt.request('s-1');
  const sealed = kept.seal('{"order":{}}', place);
  expect([sealer.open(sealed, place), sealer.open(sealed, place)]).toEqual(['{"order":{}}', '{"order":{}}']);
  expect(opened).toEqual(['s-1']);
});

test('a text that was changed in the database is refused while the true one is in hand', () => {
  const { sealer } = started();
  const place = sealedAt.request('s-1');
  const sealed = sealer.seal('{"amount":"1.00"}', place);
  const [version, id, base64 = ''] = sealed.split('.');
  const bytes = Buffer.from(base64, 'base64');
  for (let at = 12; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))).toString('base64');
    expect(() => sealer.open(`${version}.${id}.${changed}`, place)).toThrow(SealError);
  }
});

test.each([
  ['row', sealedAt.request('s-2')],
  ['column', { ...sealedAt.request('s-1'), column: 'other' }],
  ['table', { ...sealedAt.request('s-1'), table: 'other' }],
])('a text that was moved to another %s is refused while it is in hand', (_, elsewhere) => {
  const { sealer } = started();
  const sealed = sealer.seal('{}', sealedAt.request('s-1'));
  expect(() => sealer.open(sealed, elsewhere)).toThrow(SealError);
});

test('numbers and holders of cards, keys and credentials are never in hand', () => {
  const soon = Object.entries(sealedAt).filter(([, place]) => place('a', 'b').isReadSoon === true);
  expect(soon.map(([name]) => name)).toEqual(['request', 'runInput', 'callbackBody']);
  const { sealer, opened, turns } = started();
  const place = sealedAt.cardNumber('card-1');
  const sealed = sealer.seal('4111111111111111', place);
  expect([sealer.open(sealed, place), sealer.open(sealed, place)]).toEqual(['4111111111111111', '4111111111111111']);
  expect(opened).toEqual(['card-1', 'card-1']);
  expect(turns).toEqual([]);
});

test('after two turns a text is opened again, and no further turn comes while none is in hand', () => {
  const { sealer, opened, turns, turn } = started();
  const place = sealedAt.runInput('r-1');
  const sealed = sealer.seal('{}', place);
  turn();
  sealer.open(sealed, place);
  expect(opened).toEqual([]);
  turn();
  turn();
  expect(turns).toEqual([]);
  sealer.open(sealed, place);
  expect(opened).toEqual(['r-1']);
  expect(turns).toHaveLength(1);
});

test('the texts of two turns at most are in hand, the latest ones', () => {
  const { sealer, opened } = started({ most: 3 });
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((row) => {
    const place = sealedAt.request(row);
    return { place, sealed: sealer.seal('{}', place) };
  });
  for (const { place, sealed } of all.toReversed()) sealer.open(sealed, place);
  expect(opened).toEqual(['c', 'b', 'a']);
});

test('a text of more than 4,096 characters, and bytes, are opened each time', () => {
  const { sealer, opened } = started();
  const place = sealedAt.request('s-1');
  const [longest, longer] = ['x'.repeat(4096), 'x'.repeat(4097)];
  expect(sealer.open(sealer.seal(longest, place), place)).toBe(longest);
  expect(opened).toEqual([]);
  expect(sealer.open(sealer.seal(longer, place), place)).toBe(longer);
  expect(sealer.open(sealer.seal(Buffer.from('{}'), place), place)).toBe('{}');
  expect(opened).toEqual(['s-1', 's-1']);
  expect(Buffer.from(sealer.openBytes(sealer.seal('{}', place), place)).toString()).toBe('{}');
});

test('a text sealed with a key that this process does not have is refused', () => {
  const other = createSealer([randomBytes(32)]);
  const { sealer } = started();
  const place = sealedAt.callbackBody('c-1');
  expect(() => sealer.open(other.seal('{}', place), place)).toThrow(/Sealed data needs the encryption key/);
});
