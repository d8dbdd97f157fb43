import { expect, test } from 'vitest';
import * as z from 'zod';
import { acceptedSchema, defineCommand, signedFields } from '../../src/http/commands/command.ts';
import { SENT_BARE } from '../../src/signatures.ts';
import { cardConfig } from '../support/card-config.ts';
import { useDatabase } from '../support/database.ts';
import { merchant } from '../support/pix-config.ts';
import { serviceContext } from '../support/service-context.ts';

const database = useDatabase();
const { order_id, trans_id } = { order_id: z.string(), trans_id: z.string() };
const parts = { parameters: z.record(z.string(), z.string()) };

/** Two releases of a command: the later one has its fields in another order. */
const releases = [
  z.object({ ...signedFields, order_id, trans_id, ...parts }),
  z.object({ trans_id, ...parts, order_id, ...signedFields }),
].map((schema) =>
  defineCommand({
    action: 'CAPTURE',
    schema,
    answer: acceptedSchema,
    signedBy: () => ({
      verify: () => ({ ok: true, digest: 'md5', dialect: 'either' }),
      isIssued: () => Promise.resolve(false),
    }),
    handle: async (_context, _asker, fields, { resourceId }) => ({
      status: 200,
      body: { action: 'CAPTURE', result: 'ACCEPTED', order_id: fields.order_id, trans_id: resourceId },
    }),
  }),
);

test('a repeat is the same request where its fields, and those of its schema, are in another order', async () => {
  const given = cardConfig({ providerUrl: 'http://127.0.0.1:1', callbackUrl: 'http://127.0.0.1:1', port: 0 });
  const { context, close } = serviceContext(database.db, given, Date.now);
  const fields = { client_key: merchant.key, hash: 'a'.repeat(32), order_id: 'order-1', trans_id: 'tx-1' };
  const bodies = [
    { ...fields, parameters: { one: '1', other: '2' } },
    { parameters: { other: '2', one: '1' }, ...fields },
  ];
  const answers = [];
  for (const [at, release] of releases.entries())
    answers.push(await release.run(context, { body: bodies[at], idempotencyKey: 'key-1', sent: SENT_BARE }));
  await close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
});
