import type { AnyEndpoint } from '@railyard/core/driver';
import { type CaseRun, everyWalk } from './runs.ts';
import { exampleReply, type WalkedRequest, walkedRequest } from './walk.ts';

/** More ways than the replies to any look-up need. */
const MOST_WAYS = 100;

/** Which example each endpoint answers with; the first that is read unless given. */
type Chosen = ReadonlyMap<AnyEndpoint, number>;

/** The requests of a flow that are looked up when their reply is lost, one of each endpoint. */
export function foundRequests(each: CaseRun): readonly WalkedRequest[] {
  const requests = everyWalk(each).flatMap((walked) => walked.requests);
  return [...new Map(requests.map((one) => [one.endpoint, one])).values()].filter(({ endpoint }) => endpoint.find);
}

/** Looks a request up with each example of the endpoints that the look-up calls, and of those that it then calls. */
export function lookUpEveryWay(request: WalkedRequest, adapt: CaseRun['options']['adapt']): void {
  const waiting: Chosen[] = [new Map()];
  for (let ways = 0, chosen = waiting.shift(); chosen !== undefined && ways < MOST_WAYS; ways += 1) {
    for (const endpoint of endpointsCalled(request, chosen, adapt))
      if (!chosen.has(endpoint))
        for (const at of endpoint.examples.keys()) waiting.push(new Map([...chosen, [endpoint, at]]));
    chosen = waiting.shift();
  }
}

/** The endpoints that the look-up called. */
function endpointsCalled(
  request: WalkedRequest,
  chosen: Chosen,
  adapt: CaseRun['options']['adapt'],
): ReadonlySet<AnyEndpoint> {
  const { input, key, settings, credential, endpoint } = request;
  const called = new Set<AnyEndpoint>();
  const steps = endpoint.find?.steps(input, { key, settings, credential });
  for (let next = steps?.next(); steps !== undefined && next?.done === false;) {
    const made = walkedRequest(next.value, { step: 'find', settings, key });
    called.add(made.endpoint);
    const reply = exampleReply(made, { at: chosen.get(made.endpoint), adapt });
    if (reply === undefined) break;
    next = steps.next(reply.value);
  }
  return called;
}
