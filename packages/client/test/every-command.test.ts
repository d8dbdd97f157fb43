import { expect, test } from 'vitest';
import { COMMANDS } from '../../checkout/src/http/commands/routes.ts';
import { createClient } from '../src/index.ts';

/** A value for each field that a call reads itself. */
const ANY = { trans_id: 't', order_id: 'o', order_amount: '1.00', order_currency: 'USD', signedWith: {}, order: {} };

test('the client has a call for every command that the service understands, and for no other', async () => {
  const sent = new Set<unknown>();
  const client = createClient({
    baseUrl: 'https://pay.example.com',
    merchantKey: 'k',
    password: 'p',
    fetch: async (url, { body }) => {
      if (url.endsWith('/post')) sent.add(Reflect.get(Object(JSON.parse(body)), 'action'));
      return Response.json({});
    },
  });
  const calls = Object.entries(client).filter(([name]) => !name.startsWith('verify'));
  // What comes back is no answer of any of them: only what they send is of interest.
  const { onSchedule, ...others } = Object.fromEntries(calls);
  const ofSchedules = [
    'UPDATE_SCHEDULE',
    'PAUSE_SCHEDULE',
    'RUN_SCHEDULE',
    'DESCHEDULE',
    'DELETE_SCHEDULE',
    'SCHEDULE_INFO',
  ];
  await Promise.allSettled([
    ...Object.values(others).map(async (call) => Reflect.apply(call, client, [ANY])),
    ...ofSchedules.map(async (action) => Reflect.apply(onSchedule, client, [action, { schedule_id: 's' }])),
  ]);
  // The short names of the same two commands.
  const long = [...COMMANDS.keys()].filter((action) => action !== 'PAUSE' && action !== 'RUN');
  expect([...sent].toSorted()).toEqual(long.toSorted());
});
