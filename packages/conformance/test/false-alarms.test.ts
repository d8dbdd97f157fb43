import { type Connector, money, pending, redirect, settled, unknown } from '@railyard/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkConformance, type ConformanceOptions } from '../src/index.ts';
import { bank, goldens, options, simulation } from './support/bank.ts';
import { endpoints, refundOutcomes } from './support/planted.ts';

type Notifications = NonNullable<Connector['notifications']>;

const failedOf = async (connector: Connector, given: ConformanceOptions = options) =>
  (await checkConformance(connector, given)).results
    .filter(({ status }) => status === 'failed')
    .map(({ id, why }) => `${id}: ${why}`);

/** The bank with other notifications. */
function notifying(change: (notifications: Notifications) => Notifications): Connector {
  const { notifications, ...connector } = bank();
  if (notifications === undefined) throw new Error('The bank of these tests sends notifications.');
  return { ...connector, notifications: change(notifications) };
}

const source = 'the manual of the bank of these tests, chapter 3';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('credentials that are composed of two settings are a proof, and a golden can name them', async () => {
  const value = (settings: unknown) => {
    const { api_key, webhook_secret } = z.object({ api_key: z.string(), webhook_secret: z.string() }).parse(settings);
    return `Basic ${base64(`${api_key}:${webhook_secret}`)}`;
  };
  const connector = notifying((notifications) => ({
    ...notifications,
    verify: { scheme: 'shared-secret', header: 'authorization', value },
  }));
  expect(await failedOf(connector)).toEqual([]);
  const named = goldens.map((golden) => {
    const { 'x-api-key': _key, ...headers } = golden.request.headers ?? {};
    const authorization = 'Basic {base64:{settings.api_key}:{settings.webhook_secret}}';
    return { ...golden, request: { ...golden.request, headers: { ...headers, authorization } } };
  });
  expect(await failedOf(bank('basic credentials'), { ...options, goldens: named })).toEqual([]);
});

test('a literal of the schema, or another field that holds a word of the table, is no status', async () => {
  const typed = z.looseObject({ type: z.literal('OPEN').optional() });
  const connector = notifying(({ examples = [], ...notifications }) => ({
    ...notifications,
    body: z
      .unknown()
      .refine((body) => typed.safeParse(body).success)
      .pipe(notifications.body),
    examples: examples.map(({ body }) => ({
      body: { ...z.looseObject({}).parse(body), type: 'OPEN', mode: 'PAID' },
      source,
    })),
  }));
  expect(await failedOf(connector)).toEqual([]);
});

test('a payment and a refund of another one in one notification are both read', async () => {
  const connector = notifying(({ body, events, examples = [], ...notifications }) => {
    const batch = z.object({ batch: z.array(body) });
    return {
      ...notifications,
      body: z.union([batch, body]),
      events: (read, context) => {
        const several = batch.safeParse(read);
        if (!several.success) return events(read, context);
        // The payment is known by a second reference of its own.
        return several.data.batch
          .flatMap((each) => events(each, context))
          .map((event) =>
            event.kind === 'payment'
              ? { ...event, outcome: { ...event.outcome, providerReference: 'end-to-end-1' } }
              : event,
          );
      },
      examples: [...examples, { body: { batch: examples.map((each) => each.body) }, source }],
    };
  });
  expect(await failedOf(connector)).toEqual([]);
});

test('a notification that holds an id alone may say that the payment is pending', async () => {
  const connector = notifying((notifications) => ({
    ...notifications,
    verify: { scheme: 'unsigned', confirm: 'status' },
    body: z.object({ id: z.string() }),
    events: (body) => {
      const { id } = z.object({ id: z.string() }).parse(body);
      return [{ kind: 'payment', id, providerReference: id, outcome: pending(id) }];
    },
    examples: [{ body: { id: 'ch-1' }, source }],
  }));
  const notification = { body: ({ id }: { readonly id: string }) => ({ id }), url: 'body.notify' };
  const failed = await failedOf(connector, { ...options, simulation: { ...simulation, notification } });
  expect(failed.filter((each) => each.startsWith('notification'))).toEqual([]);
});

test('an id of the form of the provider is one that the kit reads', async () => {
  const named = z.looseObject({ id: z.string().regex(/^ch-/) });
  const formed = endpoints((endpoint) => ({
    ...endpoint,
    variants: Object.fromEntries(
      Object.entries(endpoint.variants).map(([name, variant]) => {
        const isCharge = name === 'created' || name === 'found';
        const body = z
          .unknown()
          .refine((given) => named.safeParse(given).success)
          .pipe(variant.body);
        return [name, isCharge ? { ...variant, body } : variant] as const;
      }),
    ),
  }));
  const id = (uuid: string) => `ch-${uuid}`;
  expect(await failedOf(formed(bank()), { ...options, simulation: { ...simulation, id } })).toEqual([]);
});

test('a payment that nothing but the id of its reply finds stays in doubt where that reply is lost', async () => {
  const sentOnce = endpoints((endpoint) =>
    endpoint.name === 'create-charge' ? { ...endpoint, repeat: 'once' } : endpoint,
  );
  const charge = simulation.endpoints['create-charge'];
  if (charge === undefined) throw new Error('The bank of these tests makes charges.');
  const byName = {
    ...simulation,
    endpoints: {
      ...simulation.endpoints,
      'create-charge': { ...charge, namedByReply: true as const },
      'find-charge': {
        effect: 'read' as const,
        request: { id: 'params.id' },
        reply: {},
        absent: { status: 404, body: { error: 'unknown' } },
      },
    },
  };
  const failed = await failedOf(sentOnce(bank()), { ...options, simulation: byName });
  expect(failed.filter((each) => each.startsWith('timeout-after-charge'))).toEqual([]);
});

test('a word that a refund reads by a table of its own is none of its payment', async () => {
  const { statuses, ...connector } = bank();
  const rows = { ...statuses.rows, REFUNDED: { later: 'reported-by-its-modification' } as const };
  const own = refundOutcomes((outcome) =>
    outcome.provider?.status === 'REFUNDED' ? settled('rf-1', money('25.00', 'USD')) : outcome,
  );
  const failed = await failedOf(own({ ...connector, statuses: { ...statuses, rows } }));
  expect(failed.filter((each) => each.startsWith('status-rows'))).toEqual([]);
});

test('a word that means one thing of a payment and another of a refund is declared in two tables', async () => {
  const played: ConformanceOptions = {
    ...options,
    goldens: goldens.map((golden) =>
      golden.endpoint === 'create-refund'
        ? { ...golden, reply: { ...golden.reply, body: { id: 'rf-1', status: 'OPEN' } } }
        : golden,
    ),
    simulation: { ...simulation, effectWords: { refund: { settled: 'OPEN', pending: 'WAIT' } } },
  };
  expect(await failedOf(bank('words of refunds'), played)).toEqual([]);
  const { effectStatuses: _tables, ...oneTable } = bank('words of refunds');
  expect((await failedOf(oneTable, played)).join('\n')).toMatch(
    /status-rows-decide: .*"OPEN" means pending by the table, and the flow ends settled/,
  );
});

/** The bank with a page on which the payer pays, and which it opens for whoever asks. */
const withPage = (connector: Connector): Connector => ({
  ...connector,
  serves: connector.serves.map(({ method, flows }) => ({
    method,
    flows: {
      ...flows,
      *purchase(context: unknown) {
        const outcome = yield* flows.purchase?.(context) ?? [];
        return outcome?.status === 'pending' && outcome.show?.kind === 'qr'
          ? pending(
              outcome.providerReference,
              redirect({ url: `https://payer.example/?payment=${outcome.show.content}` }),
            )
          : (outcome ?? unknown('The bank has no purchases.'));
      },
    },
  })),
});

test('a page on which nothing is paid before the payer confirms may be opened twice, without a key', async () => {
  const charge = simulation.endpoints['create-charge'];
  if (charge === undefined) throw new Error('The bank of these tests makes charges.');
  const { key: _key, ...asked } = charge.request;
  const opened = { ...charge, request: asked, prepares: true as const };
  const paged: ConformanceOptions = {
    ...options,
    simulation: {
      ...simulation,
      endpoints: { ...simulation.endpoints, 'create-charge': opened },
      course: ({ endpoint }) =>
        endpoint === 'create-charge' ? { starts: 'challenged', leadsTo: 'settled' } : undefined,
      words: { ...simulation.words, challenged: 'OPEN' },
    },
  };
  const safe = endpoints((endpoint) =>
    endpoint.name === 'create-charge' ? { ...endpoint, repeat: 'safe' } : endpoint,
  );
  const failed = await failedOf(withPage(safe(bank())), paged);
  expect(failed.filter((each) => /^(?:safe-|reply-|crash-|notification-settles)/.test(each))).toEqual([]);
  const unprepared = {
    ...paged.simulation,
    endpoints: { ...simulation.endpoints, 'create-charge': { ...charge, request: asked } },
  };
  const twice = await failedOf(withPage(safe(bank())), { ...paged, simulation: { ...simulation, ...unprepared } });
  expect(twice.join('\n')).toMatch(/safe-requests-change-nothing: .*2 times/);
});
