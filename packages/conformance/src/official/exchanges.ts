import type { Connector } from '@railyard/core';
import type { AnyEndpoint } from '@railyard/core/driver';
import { baseUrlOf, type HttpRequest, type HttpResult, readBody, type Transport } from '@railyard/runtime';
import { SUBJECTS } from '../checks.ts';
import { goldenChecks } from '../checks/goldens.ts';
import { endpointOf } from '../play/traffic.ts';
import { runCheck } from '../run-checks.ts';
import { type Subject, subjectOf } from '../subject.ts';
import type { ConformanceOptions } from '../types.ts';
import { type GivenReply, type OfficialCheck, type SentRequest } from './check.ts';

/** A contradiction between a connector and the official descriptions of its provider's API. */
export interface Contradiction {
  readonly endpoint: string;
  /** `request`: a golden, or a request that the kit played. `reply`: a golden one, or an example of the endpoint. */
  readonly of: 'request' | 'reply';
  readonly says: string;
}

export interface OfficialReport {
  /** Requests and replies that were compared, each once. */
  readonly requests: number;
  readonly replies: number;
  readonly problems: readonly Contradiction[];
  /** Samples of sessions that cannot be played, and why. */
  readonly notPlayed: readonly string[];
}

export interface OfficialOptions extends ConformanceOptions {
  /** Checks against the official descriptions. An endpoint is compared with each that has its operation. */
  readonly officials: readonly OfficialCheck[];
  /** Endpoints that no description has, by name. */
  readonly except?: readonly string[];
}

/** One request of an endpoint, or one of its replies. */
interface Exchange {
  readonly endpoint: AnyEndpoint;
  readonly sent: SentRequest;
  /** Where the provider's documentation gives it; what a simulated provider answers proves nothing. */
  readonly reply?: GivenReply;
  /** The whole path, with that of the base URL. */
  readonly whole: string;
}

/**
 * Plays a connector and holds every golden, every request that it sends and every example of its endpoints against official descriptions.
 *
 * @throws Error for settings that the connector's schema refuses
 */
export async function checkOfficial(
  connector: Connector,
  { officials, except = [], ...options }: OfficialOptions,
): Promise<OfficialReport> {
  const subject = subjectOf(connector, options);
  const notPlayed = subject.caseProblems.map(({ path = '', says }) => `${path}: ${says}`);
  const played = await exchangesOf(subject);
  const examples = examplesOf(subject);
  const compared = [...played, ...examples].filter(({ endpoint }) => !except.includes(endpoint.name));
  const seen = { request: new Set<string>(), reply: new Set<string>() };
  const problems = new Map<string, Contradiction>();
  const tell = (endpoint: AnyEndpoint, of: 'request' | 'reply', says: readonly string[]) => {
    for (const each of says) problems.set(`${endpoint.name} ${each}`, { endpoint: endpoint.name, of, says: each });
  };
  for (const { endpoint, sent, reply, whole } of compared) {
    const paths = [sent.path, whole];
    const path = paths.find((each) => officials.some((official) => official.has({ ...sent, path: each })));
    if (path === undefined) {
      tell(endpoint, 'request', [`${endpoint.method} ${endpoint.path}: no description has this operation.`]);
      continue;
    }
    const at = { ...sent, path };
    const having = officials.filter((official) => official.has(at));
    const text = JSON.stringify([endpoint.name, at, reply]);
    const of = reply === undefined ? 'request' : 'reply';
    if (seen[of].has(text)) continue;
    seen[of].add(text);
    for (const official of having)
      tell(endpoint, of, reply === undefined ? official.request(at, isMadeUp) : official.excerpt(at, reply));
  }
  return { requests: seen.request.size, replies: seen.reply.size, problems: [...problems.values()], notPlayed };
}

/** Names that the kit gives to payments and modifications in place of the provider. */
const isMadeUp = (text: string): boolean => /^(?:provider|modification)-\d+$/.test(text);

/** Everything that the connector sends while the kit plays it, and the replies of its goldens. */
async function exchangesOf({ connector, options, settings }: Subject): Promise<readonly Exchange[]> {
  const found: Exchange[] = [];
  const note = (request: HttpRequest, result?: HttpResult) => {
    const endpoint = endpointOf({ connector, settings }, request);
    if (endpoint === undefined) return;
    const asked = requestOf(request, baseUrlOf(connector, endpoint, settings));
    found.push({ endpoint, ...asked });
    if (result?.kind !== 'reply') return;
    const body = result.body === '' ? undefined : bodyOf(result.body, endpoint.codec);
    found.push({ endpoint, ...asked, reply: { status: result.status, body } });
  };
  const golden = subjectOf(connector, options, { transport: (network) => noting(network, note) });
  for (const check of goldenChecks) await runCheck(golden, 'goldens', check);
  const played = subjectOf(connector, options, { transport: (network) => noting(network, (request) => note(request)) });
  for (const [about, checks] of Object.entries(SUBJECTS))
    for (const check of checks) if (!goldenChecks.includes(check)) await runCheck(played, about, check);
  return found;
}

function noting(network: Transport, note: (request: HttpRequest, result: HttpResult) => void): Transport {
  return {
    async send(request) {
      const result = await network.send(request);
      note(request, result);
      return result;
    },
  };
}

function examplesOf({ connector, settings }: Subject): readonly Exchange[] {
  return connector.endpoints.flatMap((endpoint) => {
    const { method, variants } = endpoint;
    // An example is of no request: any text stands for a place.
    const path = endpoint.path.replaceAll(/\{\w+\}/g, 'x');
    const whole = new URL(baseUrlOf(connector, endpoint, settings)).pathname.replace(/\/$/, '') + path;
    return endpoint.examples.map(({ is = Object.keys(variants)[0] ?? '', status, body }) => {
      const [first = 200] = [variants[is]?.status ?? 200].flat();
      return { endpoint, sent: { method, path, headers: {} }, whole, reply: { status: status ?? first, body } };
    });
  });
}

function requestOf({ method, url, headers, body }: HttpRequest, base: string): Pick<Exchange, 'sent' | 'whole'> {
  const { origin, pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  const codec = headers['content-type']?.includes('urlencoded') === true ? 'form' : 'json';
  const written = body === undefined || body === '' ? {} : { body: bodyOf(body, codec) };
  const path = `${origin}${pathname}`.slice(base.length);
  return { sent: { method, path, query, headers, ...written }, whole: pathname };
}

/** Of JSON the numbers are numbers here: schemas say how large they are. */
function bodyOf(text: string, codec: AnyEndpoint['codec']): unknown {
  if (codec !== 'json') return readBody(text, codec);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
