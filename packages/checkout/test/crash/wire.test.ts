import { describe, expect, test } from 'vitest';
import { Gate } from './gate.ts';
import { foundSomething, Frames, rowsIn, Statements } from './wire.ts';

function frame(type: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

const cut = (bytes: Buffer) => new Frames().push(bytes);

describe('the stream of a database connection', () => {
  test('is cut into messages wherever its packets end', () => {
    const stream = Buffer.concat([frame('P', 'a\0select 1\0'), frame('B', '\0a\0'), frame('S', '')]);
    for (let at = 0; at <= stream.length; at += 1) {
      const frames = new Frames();
      const found = [...frames.push(stream.subarray(0, at)), ...frames.push(stream.subarray(at))];
      expect(found.map(({ type }) => type)).toEqual(['P', 'B', 'S']);
      expect(Buffer.concat(found.map(({ bytes }) => bytes))).toEqual(stream);
    }
  });

  test('says the statement of a request, also of one that was prepared before', () => {
    const statements = new Statements();
    expect(statements.read(cut(frame('P', 'a\0select\n  1\0')))).toBe('select 1');
    expect(statements.read(cut(frame('P', '\0select 2\0')))).toBe('select 2');
    expect(statements.read(cut(frame('B', '\0a\0')))).toBe('select 1');
    expect(statements.read(cut(frame('Q', 'BEGIN\0')))).toBe('BEGIN');
    expect(statements.read(cut(frame('S', '')))).toBe('sync');
  });

  test('says the same of a list however long it is', () => {
    const read = (text: string) => new Statements().read(cut(frame('Q', `${text}\0`)));
    expect(read('select * from a where id in ($1) and b = $2')).toBe('select * from a where id in (…) and b = $2');
    expect(read('select * from a where id in ($1, $2)')).toBe(read('select * from a where id in ($1)'));
  });

  test.each([
    ['D', '\0\0', true],
    ['C', 'UPDATE 1\0', true],
    ['C', 'INSERT 0 20\0', true],
    ['C', 'UPDATE 0\0', false],
    ['C', 'BEGIN\0', false],
    ['Z', 'I', false],
  ])('an answer with %s %j found something: %s', (type, body, found) => {
    expect(foundSomething(cut(frame(type, body)))).toBe(found);
  });

  test('counts the rows of an answer', () => {
    const answer = Buffer.concat([frame('D', 'one'), frame('D', 'two'), frame('C', 'SELECT 2\0'), frame('Z', 'I')]);
    expect([rowsIn(cut(answer)), rowsIn(cut(frame('C', 'INSERT 0 1\0')))]).toEqual([2, 0]);
  });
});

describe('the gate', () => {
  const background = { quiet: ['look'], busy: ['beat'] };

  test('numbers each exchange by what it is, and the look for work only when it finds some', () => {
    const gate = new Gate();
    gate.mark(background);
    for (const what of ['a', 'b', 'a', 'beat', 'look', 'look']) {
      const ask = gate.arrive('database', what);
      gate.effect(ask, what === 'beat');
    }
    gate.effect(gate.arrive('database', 'look'), true);
    expect(gate.seen.map(({ what, nth }) => `${what} ${nth}`)).toEqual(['a 1', 'b 1', 'a 2', 'look 1']);
  });

  test('opens once, at its point and its moment', () => {
    const gate = new Gate();
    gate.mark(background, { link: 'provider', what: 'a', nth: 2, moment: 'done' });
    const asks = [gate.arrive('provider', 'a'), gate.arrive('merchant', 'a'), gate.arrive('provider', 'a')];
    expect(asks.map((ask) => gate.isNow(ask, 'before'))).toEqual([false, false, false]);
    expect(asks.map((ask) => gate.isNow(ask, 'done'))).toEqual([false, false, true]);
    expect(asks.map((ask) => gate.isNow(ask, 'done'))).toEqual([false, false, false]);
    expect(gate.fired).toMatchObject({ what: 'a', nth: 2 });
  });
});
