import { describe, expect, test } from 'vitest';
import { createLog, guardedLog, type LogLine } from '../../src/log/log.ts';

/** What is written of an event. */
function written(line: LogLine, secrets: readonly string[] = []): { text: string; fields: Record<string, unknown> } {
  const lines: string[] = [];
  guardedLog(createLog({ write: (each) => lines.push(each) }), new Set(secrets)).info(line);
  const [text = ''] = lines;
  return { text, fields: JSON.parse(text) };
}

const of = (line: Omit<LogLine, 'event'>, secrets?: readonly string[]) =>
  written({ event: 'tested', ...line }, secrets).fields;

describe('a line of the log', () => {
  test('shows the fields that are named, in their form', () => {
    const id = '3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63';
    const line = {
      payment: id,
      from: 'pending',
      to: 'settled',
      unknown: false,
      tries: 2,
      why: 'The provider said no.',
    };
    expect(of(line)).toMatchObject(line);
  });

  test('masks what is not named, and what is not of its form', () => {
    const strange = { event: 'tested', cardNumber: '1', headers: { authorization: 'x' } };
    expect(written(strange).fields).toMatchObject({ cardNumber: '•••', headers: '•••' });
    expect(of({ tries: '2', test: 'yes', state: { a: 1 }, why: ['x'], status: '200' })).toMatchObject({
      tries: '•••',
      test: '•••',
      state: '•••',
      why: '•••',
      status: '•••',
    });
  });

  test.each([
    ['20261128-093015-0000123456', '20261128-093015-0000123456'],
    ['ORDER_a81f00d2b7c94e61aa35', 'ORDER_a81f00d2b7c94e61aa35'],
    ['4111111111111111', '•••'],
    ['4111-1111-1111-1111', '•••'],
    ['ana@example.com', '•••'],
    ['hush-hush', '•••'],
  ])('shows the order number %j as %j', (order, shown) => {
    expect(of({ order }, ['hush-hush'])).toMatchObject({ order: shown });
  });

  test.each([
    ['card 4111 1111 1111 1111 refused', 'card ••• refused'],
    ['4111-1111-1111-1111', '•••'],
    ['card4111111111111111x', 'card•••x'],
    ['two\r\nlines \u001b[31mred\u001b[0m\u2028end', 'two lines  [31mred [0m end'],
    ['token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', 'token •••'],
    ['of ana@example.com', 'of •••'],
    ['GET https://user:pass@api.example/v1/pay?key=1 failed', 'GET https://api.example/… failed'],
    ['the password is hush-hush', 'the password is •••'],
    ['hush-hush', '•••'],
    ['not.hush-hush_not', 'not.•••_not'],
    ['settled', 'settled'],
    ['payment 3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63', 'payment 3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63'],
    ['also by 12345678-1234-4123-8123-123456789012.', 'also by 12345678-1234-4123-8123-123456789012.'],
    ['of 10 12345678-1234-4123-8123-123456789012 4111', 'of 10 12345678-1234-4123-8123-123456789012 4111'],
    ['12345678-1234-4123-8123-1234567890123', '•••'],
    ['callback msg_3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63', 'callback msg_3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63'],
  ])('says %j as %j', (why, shown) => {
    expect(of({ why }, ['hush-hush'])).toMatchObject({ why: shown });
  });

  test('is one line, whatever stands in it', () => {
    const { text } = written({ event: 'tested', why: 'a\nb', request: { 'x\ny': ['c\r\nd'] } });
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });

  test('leaves out what an error quotes', () => {
    expect(of({ error: 'invalid input syntax for type uuid: "4f-hidden"' })).toMatchObject({
      error: 'invalid input syntax for type uuid: "•••"',
    });
  });

  test('shows of a provider’s words what its connector made visible, without cards and secrets', () => {
    const e2e = 'E00416968202611211200abcdefghijk';
    const reply = { id: e2e, pan: '4111111111111111', number: 4111111111111111, echo: 'key=hush-hush', ok: true };
    expect(of({ reply }, ['hush-hush'])).toMatchObject({
      reply: { id: e2e, pan: '•••', number: '•••', echo: 'key=•••', ok: true },
    });
  });

  test('is cut where it is long', () => {
    expect(String(of({ why: 'word '.repeat(1000) }).why).length).toBeLessThanOrEqual(500);
  });
});
