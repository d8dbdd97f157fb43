import { describe, expect, test } from 'vitest';
import { logWriter } from '../../src/log/log-writer.ts';

type Done = (error: Error | null, written: number) => void;

/** A file whose answers the test gives, and retries that the test lets happen. */
function stubborn() {
  const asked: { readonly text: string; readonly done: Done }[] = [];
  const retries: (() => void)[] = [];
  const now: string[] = [];
  const sink = {
    write: (bytes: Buffer, done: Done) => void asked.push({ text: bytes.toString(), done }),
    writeNow: (bytes: Buffer) => void now.push(bytes.toString()),
  };
  const writer = logWriter(sink, (retry) => void retries.push(retry));
  return {
    writer,
    asked,
    now,
    /** Answers the write under way: all of it, a part, or an error. */
    answer(how: 'all' | number | Error = 'all') {
      const last = asked.at(-1);
      if (last === undefined) throw new Error('Nothing is being written.');
      const length = Buffer.byteLength(last.text);
      if (how instanceof Error) last.done(how, 0);
      else last.done(null, how === 'all' ? length : how);
    },
    retry: () => retries.splice(0).forEach((each) => each()),
  };
}

const MIB = 1024 * 1024;
const full = new Error('ENOSPC: no space left on device');

describe('the writer of the log', () => {
  test('writes one batch at a time, in order, and goes on where a write was cut short', () => {
    const { writer, asked, answer } = stubborn();
    for (const line of ['one\n', 'two\n', 'three\n']) writer.write(line);
    expect(asked.map(({ text }) => text)).toEqual(['one\n']);
    answer(2);
    expect(asked.at(-1)?.text).toBe('e\ntwo\nthree\n');
    answer();
    expect([asked.length, writer.state()]).toEqual([2, { lost: 0, isStuck: false }]);
  });

  test('keeps lines while the disk is full, and writes them once there is room', () => {
    const { writer, asked, answer, retry } = stubborn();
    writer.write('one\n');
    answer(full);
    writer.write('two\n');
    expect(writer.state()).toEqual({ lost: 0, isStuck: true });
    retry();
    answer();
    answer();
    expect(
      asked
        .slice(1)
        .map(({ text }) => text)
        .join(''),
    ).toContain('one\ntwo\n');
    expect(writer.state().isStuck).toBe(false);
  });

  test('loses lines beyond 4 MiB, counts them, and says so in the first line that is written again', () => {
    const { writer, asked, answer, retry } = stubborn();
    writer.write('x'.repeat(MIB));
    answer(full);
    for (let line = 0; line < 10; line += 1) writer.write('x'.repeat(MIB));
    expect(writer.state()).toEqual({ lost: 7, isStuck: true });
    retry();
    while (!asked.at(-1)?.text.includes('log-lost')) answer();
    expect(JSON.parse(asked.at(-1)?.text ?? '')).toMatchObject({ level: 'warn', event: 'log-lost', rows: 7 });
    answer();
    expect(writer.state()).toEqual({ lost: 7, isStuck: false });
  });

  test('is stuck, too, when a write never ends, and waits at the end no longer than its limit', async () => {
    const { writer, now } = stubborn();
    for (let line = 0; line < 5; line += 1) writer.write('x'.repeat(MIB));
    expect(writer.state()).toEqual({ lost: 1, isStuck: true });
    expect(await writer.flush(0)).toBe(false);
    writer.last();
    expect(now).toEqual([]);
  });

  test('flushes: resolves once everything is written', async () => {
    const { writer, answer } = stubborn();
    await writer.flush(60_000);
    writer.write('one\n');
    const flushed = writer.flush(60_000);
    answer();
    expect(await flushed).toBe(true);
  });
});
