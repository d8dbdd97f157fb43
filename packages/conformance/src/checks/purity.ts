import { allProofs, rawNotification } from '@railyard/core/driver';
import { BEGINNING } from '../host/world.ts';
import { type Check, NO_SAMPLE, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { touchProof } from '../proof.ts';
import { shared } from '../play/judge.ts';
import { runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { type Trapped, trapped, type World } from '../traps.ts';
import { answering, asArrives, walk } from '../walk.ts';

interface Touched {
  readonly path: string;
  readonly name: string;
  readonly touched: readonly Trapped[];
}

/** The accesses of the connector's own code beyond its inputs: flows, builders, finders, notifications, base URL. */
function touches(subject: Subject): Promise<readonly Touched[]> {
  return shared(subject, 'touches', async () => {
    const { connector, settings } = subject;
    const runs = subject.cases.flatMap((one) => runsOf(one));
    const found = runs.map(({ name, path, run, options }) => ({
      path,
      name,
      touched: trapped(() => void walk(run, options)),
    }));
    const replies = runs.flatMap(({ name, path, run, options }) =>
      connector.endpoints.flatMap((endpoint) =>
        endpoint.examples.map((_example, index) => {
          return { path, name, touched: trapped(() => void walk(run, answering(options, endpoint, { at: index }))) };
        }),
      ),
    );
    const { notifications } = connector;
    const notified = (notifications?.examples ?? []).map(({ body }) => ({
      path: 'notifications',
      name: 'The reading of notifications',
      touched: trapped(() => {
        const parsed = notifications?.body.safeParse(body);
        const raw = rawNotification({ body: '{}', headers: { 'x-timestamp': String(BEGINNING) } });
        if (parsed?.success) notifications?.events(parsed.data, { settings, raw });
        for (const proof of notifications === undefined ? [] : allProofs(notifications))
          touchProof(proof, settings, raw);
      }),
    }));
    const read = connector.endpoints.map((endpoint) => ({
      path: `endpoints.${endpoint.name}`,
      name: 'The reading of replies',
      touched: trapped(() => {
        for (const { is, body } of endpoint.examples)
          endpoint.variants[is ?? Object.keys(endpoint.variants)[0] ?? '']?.body.safeParse(asArrives(endpoint, body));
      }),
    }));
    const base = { path: 'baseUrl', name: 'baseUrl', touched: trapped(() => void connector.baseUrl(settings)) };
    return [...found, ...replies, ...notified, ...read, base];
  });
}

const purityCheck = (world: World, id: string, title: string, instead: string): Check => ({
  id,
  level: 'required',
  title,
  async run(subject): Promise<Verdict> {
    if (subject.cases.length === 0) return NO_SAMPLE;
    const found = new Map<string, Finding>();
    for (const { path, name, touched } of await touches(subject))
      for (const each of touched.filter((one) => one.world === world))
        found.set(`${name} ${each.name}`, { path, says: `${name} uses ${each.name}. ${instead}` });
    return [...found.values()];
  },
});

export const purityChecks: readonly Check[] = [
  purityCheck(
    'clock',
    'no-clock',
    'the connector reads no clock',
    'Take the time from now in the context: a flow is run again after a crash.',
  ),
  purityCheck(
    'randomness',
    'no-randomness',
    'the connector uses no randomness',
    'Take ids from the context: key, payment.reference and id are unique and stay the same.',
  ),
  purityCheck('environment', 'no-environment', 'the connector reads no environment', 'Declare a setting.'),
  purityCheck(
    'network',
    'no-network',
    'the connector makes no request of its own',
    'Declare an endpoint and yield* call(…).',
  ),
  purityCheck('files', 'no-files', 'the connector touches no file', 'Carry data in the package as code.'),
  purityCheck(
    'timers',
    'no-timers',
    'the connector sets no timer',
    'Give show.validUntil, or a renew flow: the host keeps the time.',
  ),
];
