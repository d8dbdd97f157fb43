import type { AnyEndpoint } from '@railyard/core/driver';
import type { SimulatedEndpoint } from '@railyard/core/simulation';
import { readReply } from '@railyard/runtime';
import { cannotRun, type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { outcomesOf, runsOf } from '../runs.ts';
import { textOfBody, walk, type WalkedRequest } from '../walk.ts';

type Used = NonNullable<SimulatedEndpoint['used']>;

/** The refusals of one endpoint as a flow gets them; one that the endpoint does not describe is none: no flow concludes anything from it. */
function refusalsOf(endpoint: AnyEndpoint, { used, cases = [] }: SimulatedEndpoint): readonly { value: unknown }[] {
  const own = [used, ...cases.map((each) => each.used)].filter((each): each is Used => each !== undefined);
  return own.flatMap(({ status, body }) => {
    const read = readReply(endpoint, { kind: 'reply', status, headers: {}, body: textOfBody(endpoint.codec, body) });
    return read.kind === 'known' ? [{ value: read.value }] : [];
  });
}

const NONE: SimulatedEndpoint = { effect: 'read', request: {}, reply: {} };
const NOT_DECLARED = notApplicable('The simulation declares no such refusal (`used`) that its endpoint reads.');
const ADVICE =
  'Name its code among takenBefore of the provider, so that the outcome is unknown and the provider is asked.';

export const takenBeforeChecks: readonly Check[] = [
  {
    id: 'taken-before-is-no-decline',
    level: 'required',
    title: 'the refusal of a request that the provider has already decides nothing, also where it was sent once',
    run({ cases, options: { simulation, provider } }) {
      if (simulation === undefined)
        return provider === undefined
          ? cannotRun('Only a simulation says how the provider refuses a request that it has. Give one.')
          : notApplicable('Only a simulation says how the provider refuses a request that it has.');
      const found = new Map<string, Finding>();
      let read = 0;
      for (const { name, run, options } of cases.flatMap((one) => runsOf(one)))
        for (const { endpoint } of walk(run, options).requests)
          for (const refusal of refusalsOf(endpoint, simulation.endpoints[endpoint.name] ?? NONE)) {
            const reply = (request: WalkedRequest) => (request.endpoint === endpoint ? refusal : undefined);
            const walked = walk(run, { ...options, reply });
            // Where the flow goes on to a lookup, the conclusion is the lookup's.
            if (walked.requests.at(-1)?.endpoint !== endpoint) continue;
            read += 1;
            const decided = outcomesOf(walked).find(({ status }) => status !== 'unknown' && status !== 'pending');
            if (decided !== undefined)
              found.set(endpoint.name, {
                path: `endpoints.${endpoint.name}`,
                says: `${name}: the provider refuses the request because it has it already, and the outcome is ${decided.status}: what became of the first one is not known. ${ADVICE}`,
              });
          }
      return read === 0 ? NOT_DECLARED : [...found.values()];
    },
  },
];
