import { askedBesidePayments } from '../asked-beside-payments.ts';
import { replyValue } from '@railyard/runtime';
import { cannotRun, type Check, NO_SAMPLE, notApplicable, over, textOf } from '../check.ts';
import type { Finding } from '../finding.ts';
import { everyWay, runsOf } from '../runs.ts';
import { answering, asArrives, walk } from '../walk.ts';

export const exampleChecks: readonly Check[] = [
  {
    id: 'examples-are-read',
    level: 'required',
    title: 'every example of an endpoint is a reply that the endpoint reads',
    run({ connector }) {
      return over(connector.endpoints, 'The connector declares no endpoint.', (endpoint) => {
        const path = `endpoints.${endpoint.name}`;
        if (endpoint.examples.length === 0)
          return [{ path, says: 'It has no example. Give at least the reply of success.' }];
        return endpoint.examples.flatMap(({ is, status, body, headers }, index): Finding[] => {
          const name = is ?? Object.keys(endpoint.variants)[0] ?? '';
          const variant = endpoint.variants[name];
          if (variant === undefined)
            return [{ path, says: `Example ${index + 1} is called "${name}", which is no reply of it.` }];
          if (status !== undefined && ![variant.status].flat().includes(status))
            return [{ path, says: `Example ${index + 1} has the status ${status}, which is not "${name}".` }];
          const read = replyValue(endpoint, name, asArrives(endpoint, body), headers);
          if (read.ok) return [];
          return [
            { path, says: `Example ${index + 1} is refused by the schema of "${name}" at ${read.at.join(', ')}.` },
          ];
        });
      });
    },
  },
  {
    id: 'examples-have-a-source',
    level: 'recommended',
    title: 'every example says where it is written down',
    run: ({ connector }) =>
      over(
        connector.endpoints.flatMap(({ name, examples }) =>
          examples.map(({ source }, index) => ({ name, source, number: index + 1 })),
        ),
        'No endpoint has an example.',
        ({ name, source, number }) =>
          source.trim().length < 4
            ? [
                {
                  path: `endpoints.${name}`,
                  says: `Example ${number} has no source. Name the document and its chapter.`,
                },
              ]
            : [],
      ),
  },
  {
    id: 'examples-for-every-reply',
    level: 'recommended',
    title: 'every reply of an endpoint that moves money has an example',
    run({ connector }) {
      const moving = connector.endpoints.filter(
        ({ repeat, lifetimeSeconds }) => repeat !== 'safe' && lifetimeSeconds === undefined,
      );
      return over(moving, 'No endpoint moves money.', ({ name, variants, examples }) => {
        const shown = new Set(examples.map(({ is }) => is ?? Object.keys(variants)[0] ?? ''));
        return Object.keys(variants)
          .filter((each) => !shown.has(each))
          .map((each) => ({ path: `endpoints.${name}`, says: `The reply "${each}" has no example.` }));
      });
    },
  },
  {
    id: 'every-reply-is-handled',
    level: 'required',
    title: 'no flow throws at any reply that its endpoints describe',
    run({ cases }) {
      if (cases.length === 0) return NO_SAMPLE;
      return cases
        .flatMap((one) => runsOf(one))
        .flatMap(({ name, run, options }) => {
          const { requests, end } = walk(run, options);
          if (end.kind === 'threw')
            return [{ path: `sessions.${name}`, says: `The flow throws: ${textOf(end.error)}` }];
          return [...new Set(requests.map(({ endpoint }) => endpoint))].flatMap((endpoint) =>
            endpoint.examples.flatMap((_example, index): Finding[] => {
              const { end: after } = walk(run, answering(options, endpoint, { at: index }));
              return after.kind === 'threw'
                ? [
                    {
                      path: `endpoints.${endpoint.name}`,
                      says: `${name} throws at example ${index + 1}: ${textOf(after.error)}`,
                    },
                  ]
                : [];
            }),
          );
        });
    },
  },
  {
    id: 'flows-come-to-an-end',
    level: 'required',
    title: 'every flow comes to an end with the replies of the examples',
    run({ cases }) {
      if (cases.length === 0) return NO_SAMPLE;
      return cases
        .flatMap((one) => runsOf(one))
        .flatMap(({ name, path, run, options }): Finding[] => {
          const { end } = walk(run, options);
          return end.kind === 'stopped' ? [{ path, says: `${name}: ${end.why}` }] : [];
        });
    },
  },
  {
    id: 'endpoints-are-met',
    level: 'excellent',
    title:
      'every endpoint is called by a flow of a sample, by the check of an account or by the proof of a notification, or finds what another one lost',
    run(subject) {
      const { connector, cases } = subject;
      if (cases.length === 0) return NO_SAMPLE;
      const called = cases.flatMap((one) => runsOf(one)).flatMap(everyWay);
      const met = new Set([
        ...called,
        ...askedBesidePayments(subject),
        ...connector.endpoints.flatMap(({ find }) => (find?.endpoints ?? []).map(({ name }) => name)),
      ]);
      return connector.endpoints
        .filter(({ name }) => !met.has(name))
        .map(({ name }) => ({
          path: `endpoints.${name}`,
          says: 'No sample leads to it, so it was not checked. Give a sample that does, or remove it.',
        }));
    },
  },
  {
    id: 'simulation-covers-the-endpoints',
    level: 'recommended',
    title: 'the simulation plays every endpoint',
    run({ connector, options: { simulation, provider } }) {
      if (simulation === undefined)
        return provider === undefined
          ? cannotRun('There is no simulation. Give one.')
          : notApplicable('A provider of its own is used.');
      return connector.endpoints
        .filter(({ name }) => simulation.endpoints[name] === undefined)
        .map(({ name }) => ({ path: `endpoints.${name}`, says: 'The simulation says nothing of it.' }));
    },
  },
];
