import { randomBytes } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createSealer, SealError, sealedAt, type Sealer, withTextsInHand } from '../../src/secrets/index.ts';

const key = randomBytes(32);

/** A sealer, and the rows of what it has opened. */
function counted(): { readonly kept: Sealer; readonly opened: string[] } {
  const inner = createSealer([key]);
  const opened: string[] = [];
  const open = (sealed: string, place: Parameters<Sealer['open']>[1]) => {
    opened.push(place.row);
    return inner.open(sealed, place);
  };
  return { kept: { ...inner, open }, opened };
}

/** One with texts in hand, and a call that ends a turn. */
function started({ most = 256 } = {}) {
  const { kept, opened } = counted();
  const turns: (() => void)[] = [];
  const sealer = withTextsInHand(kept, { most, later: (turn) => void turns.push(turn) });
  return { sealer, kept, opened, turns, turn: () => turns.shift()?.() };
}

afterEach(() => {
  vi.useRealTimers();
});

test('a text that was just sealed is given without being opened, once', () => {
  const { sealer, opened } = started();
  const place = sealedAt.callbackBody('c-1');
  const sealed = sealer.seal('{"status":"success"}', place);
  expect(sealer.open(sealed, place)).toBe('{"status":"success"}');
  expect(opened).toEqual([]);
  expect(sealer.open(sealed, place)).toBe('{"status":"success"}');
  expect(opened).toEqual(['c-1']);
});

test('a text that another process has sealed is opened each time', () => {
  const { sealer, kept, opened } = started();
  const place = sealedAt.runInput('r-1');
  const sealed = kept.seal('{}', place);
  expect([sealer.open(sealed, place), sealer.open(sealed, place)]).toEqual(['{}', '{}']);
  expect(opened).toEqual(['r-1', 'r-1']);
});

test('a text that was changed in the database is refused while the true one is in hand', () => {
  const { sealer, opened } = started();
  const place = sealedAt.runInput('r-1');
  const sealed = sealer.seal('{"amount":"1.00"}', place);
  const [version, id, base64 = ''] = sealed.split('.');
  const bytes = Buffer.from(base64, 'base64');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))).toString('base64');
    expect(() => sealer.open(`${version}.${id}.${changed}`, place)).toThrow(SealError);
  }
  opened.length = 0;
  expect(sealer.open(sealed, place)).toBe('{"amount":"1.00"}');
  expect(opened).toEqual([]);
});

test.each([
  ['row', { row: 'r-2' }],
  ['column', { column: 'other' }],
  ['table', { table: 'other' }],
])('a text that was moved to another %s is refused while it is in hand', (_, elsewhere) => {
  const { sealer } = started();
  const place = sealedAt.runInput('r-1');
  const sealed = sealer.seal('{}', place);
  expect(() => sealer.open(sealed, { ...place, ...elsewhere })).toThrow(SealError);
});

test('only the input of a run and the body of a callback are in hand', () => {
  const soon = Object.entries(sealedAt).filter(([, place]) => place('a', 'b').isOpenedSoon === true);
  expect(soon.map(([name]) => name)).toEqual(['runInput', 'callbackBody']);
  const { sealer, opened, turns } = started();
  const place = sealedAt.cardNumber('card-1');
  expect(sealer.open(sealer.seal('4111111111111111', place), place)).toBe('4111111111111111');
  expect(opened).toEqual(['card-1']);
  expect(turns).toEqual([]);
});

test('after two turns a text is no longer in hand, and no turn comes while none is', () => {
  const { sealer, opened, turns, turn } = started();
  const [first, second] = [sealedAt.runInput('r-1'), sealedAt.runInput('r-2')];
  const [one, two] = [sealer.seal('{}', first), sealer.seal('{}', second)];
  turn();
  sealer.open(one, first);
  expect(opened).toEqual([]);
  sealer.open(one, first);
  expect(opened).toEqual(['r-1']);
  turn();
  expect(turns).toHaveLength(0);
  sealer.open(two, second);
  expect(opened).toEqual(['r-1', 'r-2']);
  sealer.seal('{}', first);
  expect(turns).toHaveLength(1);
});

test('a text is in hand for a minute at most', () => {
  vi.useFakeTimers();
  const { kept, opened } = counted();
  const sealer = withTextsInHand(kept);
  const [first, second] = [sealedAt.runInput('r-1'), sealedAt.runInput('r-2')];
  const [one, two] = [sealer.seal('{}', first), sealer.seal('{}', second)];
  vi.advanceTimersByTime(59_999);
  sealer.open(one, first);
  expect(opened).toEqual([]);
  vi.advanceTimersByTime(1);
  sealer.open(two, second);
  expect(opened).toEqual(['r-2']);
  expect(vi.getTimerCount()).toBe(0);
});

test('the texts of two turns at most are in hand, the latest ones', () => {
  const { sealer, opened } = started({ most: 3 });
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((row) => {
    const place = sealedAt.runInput(row);
    return { place, sealed: sealer.seal('{}', place) };
  });
  for (const { place, sealed } of all) sealer.open(sealed, place);
  expect(opened).toEqual(['a', 'b', 'c']);
});

test('a text of more than 4,096 characters, and bytes, are opened', () => {
  const { sealer, opened } = started();
  const place = sealedAt.callbackBody('c-1');
  const [longest, longer] = ['x'.repeat(4096), 'x'.repeat(4097)];
  expect(sealer.open(sealer.seal(longest, place), place)).toBe(longest);
  expect(opened).toEqual([]);
  expect(sealer.open(sealer.seal(longer, place), place)).toBe(longer);
  expect(sealer.open(sealer.seal(Buffer.from('{}'), place), place)).toBe('{}');
  expect(opened).toEqual(['c-1', 'c-1']);
  expect(Buffer.from(sealer.openBytes(sealer.seal('{}', place), place)).toString()).toBe('{}');
});
