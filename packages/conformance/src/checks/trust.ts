import { namesOf } from '../adapt.ts';
import { cannotRun, type Check, notApplicable, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { concluder, outcomesOf, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { answering, walk } from '../walk.ts';

const STRANGER = 'of-another-payment';

export const trustChecks: readonly Check[] = [
  {
    id: 'reply-of-another-payment',
    level: 'required',
    title: 'a reply that names another payment settles nothing',
    run(subject) {
      const { simulation, provider } = subject.options;
      if (simulation === undefined)
        return provider === undefined
          ? cannotRun('Only a simulation says where a reply names its payment. Give one.')
          : notApplicable('Only a simulation says where a reply names its payment.');
      return strangersTrusted(subject, simulation);
    },
  },
];

type Simulation = NonNullable<Subject['options']['simulation']>;

function strangersTrusted(subject: Subject, simulation: Simulation): Verdict {
  const found = new Map<string, Finding>();
  let taken = 0;
  for (const each of subject.cases.flatMap((one) => runsOf(one))) {
    const { name, run, options } = each;
    const concludes = concluder(each, subject.connector);
    for (const request of walk(run, options).requests) {
      const { endpoint } = request;
      const declared = simulation.endpoints[endpoint.name];
      if (declared === undefined || declared.effect === 'credential' || found.has(endpoint.name)) continue;
      const { modificationStatus, status } = declared.reply;
      const places = Object.keys(namesOf(declared, request));
      if (places.length === 0) continue;
      const paid = (body: unknown) => put(body, modificationStatus ?? status, simulation.words.settled);
      const strange = (body: unknown) =>
        places.reduce<unknown>((data, place) => withValue(data, place, STRANGER), paid(body));
      const [own, trusted] = [paid, strange].map((change) => {
        const walked = walk(run, answering(options, endpoint, { change }));
        return (
          concludes(walked, endpoint) &&
          outcomesOf(walked).some((outcome) => outcome.status === 'settled' || outcome.status === 'authorized')
        );
      });
      if (own === true) taken += 1;
      if (own !== true || trusted !== true) continue;
      const says = `${name}: the reply is of another payment (${places.join(', ')}), and money is taken for moved by it. Name such a field in the reply's schema and compare it with what was asked.`;
      found.set(endpoint.name, { path: `endpoints.${endpoint.name}`, says });
    }
  }
  return taken === 0 ? notApplicable('No reply names its payment and settles it.') : [...found.values()];
}

function put(body: unknown, place: string | undefined, value: string): unknown {
  return place === undefined || !leavesOf(body).some((leaf) => leaf.place === place)
    ? body
    : withValue(body, place, value);
}
