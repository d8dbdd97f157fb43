import { signRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import { askService, SERVICE_OPTIONS } from '../connectors/ask-service.ts';
import type { Io } from '../output/io.ts';
import { askPassword, PASSWORD_OPTIONS } from '../signatures/ask-password.ts';
import { type Answer, type Command, type Given, textOf, UsageError } from './command.ts';

const answerSchema = z.object({
  now: z.string(),
  today: z.string(),
  seconds_ahead: z.number(),
  is_complete: z.boolean().default(true),
});

export const clock: Command = {
  usage: 'clock --advance 40d --merchant TEST_KEY',
  help: 'Moves the time of a merchant’s test payments forward, so that schedules charge, sessions expire, callbacks are tried again and payments are looked up now. Live payments and other merchants are not affected.',
  options: {
    advance: { type: 'string', hint: 'LENGTH', says: 'how far: minutes (30min), hours (6h) or days (40d)' },
    merchant: { type: 'string', hint: 'KEY', says: 'the test key of the merchant' },
    ...SERVICE_OPTIONS,
    ...PASSWORD_OPTIONS,
  },
  words: [0, 0],
  run: move,
};

async function move(given: Given, io: Io): Promise<Answer> {
  const [advance, merchant_key] = [textOf(given, 'advance'), textOf(given, 'merchant')];
  if (advance === undefined)
    throw new UsageError('How far is the clock moved? Give --advance with minutes, hours or days: 30min, 6h, 40d.');
  if (merchant_key === undefined) throw new UsageError('Whose clock is moved? Give --merchant with the test key.');
  const password = await askPassword(given, io, 'password of the test key', true);
  const hash = signRequest('test_clock', { advance }, password);
  const answer = await askService(given, '/api/v1/test/clock', { merchant_key, advance, hash });
  const moved = answerSchema.safeParse(answer.body);
  if (!moved.success)
    return {
      code: 1,
      json: answer.body,
      text: (look) => look.paint('red', `${answer.status} ${JSON.stringify(answer.body)}`),
    };
  const { now, today, is_complete } = moved.data;
  const said = `For test payments it is ${now} UTC, and for schedules ${today}.`;
  return { code: 0, json: moved.data, text: () => (is_complete ? said : `${said} ${REST}`) };
}

const REST = 'More waits than one request moves: the service is moving the rest.';
