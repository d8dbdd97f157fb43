import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { deliver, takeCallbacks } from '../../src/callbacks/deliver.ts';
import { callbackOperator } from '../../src/callbacks/deliver.ts';
import { RETRY_PLAN_SECONDS } from '../../src/callbacks/deliver.ts';
import { createLog } from '../../src/log/log.ts';
import { createSealer, sealedAt } from '../../src/secrets/index.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment } from '../support/rows.ts';
import { serviceContext } from '../support/service-context.ts';

const database = useDatabase();
const url = 'https://a.example/callbacks';
const [kept, lost] = [randomBytes(32), randomBytes(32)];
const DAMAGED = 'msg_damaged';

/** A payment whose first callback is sealed so, and a second one that opens. */
async function setUp(first: string) {
  const time = testClock();
  const lines: string[] = [];
  const sent: string[] = [];
  const given = anyMethodConfig({ providerUrl: 'https://p.example', callbackUrl: url, port: 0 });
  const context: ServiceDeps = {
    ...serviceContext(database.db, given, () => time.now().getTime()).context,
    sealer: createSealer([kept]),
    log: createLog({ write: (line) => lines.push(line) }),
    callbackSender: {
      send: async ({ headers }) => {
        sent.push(headers['webhook-id'] ?? '');
        return { kind: 'reply', status: 200, retryAfter: undefined };
      },
      close: async () => undefined,
    },
  };
  const { payment } = await insertPayment(database.db, time.clock);
  const told = { url, contentType: 'application/json' };
  const second = createSealer([kept]).seal('{}', sealedAt.callbackBody('msg_second'));
  await context.stores.payments.applyTransition({
    paymentId: payment.id,
    expectedVersion: 1,
    change: { state: 'pending', unknown: false },
    event: { kind: 'told', data: {} },
    callbacks: [
      { ...told, id: DAMAGED, body: first },
      { ...told, id: 'msg_second', body: second },
    ],
  });
  return {
    context,
    sent,
    advance: time.advance,
    lines: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    dead: () =>
      callbackOperator({ store: context.stores.callbacks, sealer: () => context.sealer }).list({ dead: true }),
    async work(working = context) {
      for (
        let due = await takeCallbacks(working, 10, { keys: [], ids: [] });
        due.length > 0;
        due = await takeCallbacks(working, 10, { keys: [], ids: [] })
      )
        for (const each of due) await deliver(working, each);
    },
  };
}

it('a callback whose key is lost is tried along the plan, says which key it needs, is then dead and blocks nothing', async () => {
  const sealer = createSealer([lost]);
  const { work, advance, sent, dead, lines } = await setUp(sealer.seal('{}', sealedAt.callbackBody(DAMAGED)));
  await work();
  expect(lines()).toContainEqual(
    expect.objectContaining({
      event: 'needs-attention',
      callback: DAMAGED,
      why: expect.stringContaining(sealer.keyId),
    }),
  );
  for (const wait of RETRY_PLAN_SECONDS) {
    expect([sent, await dead()]).toEqual([[], []]);
    advance(wait * 1000);
    await work();
  }
  expect(await dead()).toMatchObject([{ id: DAMAGED, lastError: expect.stringContaining(sealer.keyId) }]);
  expect(sent).toEqual(['msg_second']);
});

it('a callback whose key is given again is delivered', async () => {
  const { work, advance, sent, dead, context } = await setUp(
    createSealer([lost]).seal('{}', sealedAt.callbackBody(DAMAGED)),
  );
  await work();
  advance(5000);
  await work({ ...context, sealer: createSealer([kept, lost]) });
  expect([sent, await dead()]).toEqual([[DAMAGED, 'msg_second'], []]);
});

it('a callback that was changed is dead at once, and says so', async () => {
  const elsewhere = createSealer([kept]).seal('{}', sealedAt.callbackBody('msg_other'));
  const { work, sent, dead, lines } = await setUp(elsewhere);
  await work();
  expect(await dead()).toMatchObject([{ id: DAMAGED, attempts: 1 }]);
  expect(sent).toEqual(['msg_second']);
  expect(lines()).toContainEqual(
    expect.objectContaining({
      event: 'needs-attention',
      callback: DAMAGED,
      why: expect.stringContaining('does not open: it was changed or belongs to another row'),
    }),
  );
});
