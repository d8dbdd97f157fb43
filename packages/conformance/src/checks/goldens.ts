import { moneyOfMinor, type Outcome, readPath } from '@railyard/core';
import type { AnyEndpoint, CardHandle } from '@railyard/core/driver';
import {
  baseUrlOf,
  type drive,
  type HttpRequest,
  memoryCredentials,
  memoryJournal,
  readBody,
  type NextAction,
} from '@railyard/runtime';
import { type Check, notApplicable, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { filler } from '../golden-places.ts';
import { goldensOf, readGoldens } from '../goldens.ts';
import { BEGINNING, partOf } from '../host/world.ts';
import { asText, leavesOf } from '../leaves.ts';
import { shared } from '../play/judge.ts';
import { endpointOf } from '../play/traffic.ts';
import { type CaseRun, everyWalk, everyWay, runsOf } from '../runs.ts';
import type { Case, Subject } from '../subject.ts';
import type { Golden } from '../types.ts';
import { textOfBody, walk, type WalkedRequest } from '../walk.ts';

/** A golden exchange after the flow was run against it. */
interface Exchanged {
  readonly golden: Golden;
  readonly path: string;
  readonly request?: HttpRequest;
  readonly end?: Outcome | { readonly nextAction: unknown } | { readonly events: readonly unknown[] };
  readonly problem?: string;
  /** Where the request carries signatures that are others each time. */
  readonly signatures?: readonly string[];
  readonly fill: (value: unknown) => unknown;
}

function exchanges(subject: Subject): Promise<readonly Exchanged[]> {
  return shared(subject, 'exchanges', async () => {
    const goldens = await readGoldens(subject.options);
    const found: Exchanged[] = [];
    for (const [index, golden] of goldens.entries())
      found.push(await exchange(subject, goldens, golden, `goldens.${index} (${golden.endpoint}, ${golden.when})`));
    return found;
  });
}

/** The flow that leads to a golden's endpoint. */
function leadingTo(
  subject: Subject,
  { endpoint: name, by = {} }: Golden,
): { readonly one: Case; readonly each: CaseRun } | undefined {
  for (const one of subject.cases) {
    if (
      (by.method !== undefined && by.method !== one.method.key) ||
      (by.sample !== undefined && by.sample !== one.name)
    )
      continue;
    for (const each of runsOf(one)) {
      if (by.flow !== undefined && by.flow !== each.flow) continue;
      if (everyWay(each).includes(name)) return { one, each };
    }
  }
  return undefined;
}

async function exchange(
  subject: Subject,
  goldens: readonly Golden[],
  golden: Golden,
  path: string,
): Promise<Exchanged> {
  const nothing = { golden, path, fill: (value: unknown) => value };
  const endpoint = subject.connector.endpoints.find(({ name }) => name === golden.endpoint);
  if (endpoint === undefined) return { ...nothing, problem: `The connector has no endpoint "${golden.endpoint}".` };
  const found = leadingTo(subject, golden);
  if (found === undefined)
    return {
      ...nothing,
      problem: 'No sample leads to the endpoint. Name method, flow or sample under by, or give a sample.',
    };
  const { one, each } = found;
  const walked = walk(each.run, each.options).requests;
  const fill = filler(subject, each, undefined);
  let request: HttpRequest | undefined;
  const transport = {
    async send(sent: HttpRequest) {
      const sentTo = endpointOf(subject, sent);
      const asked = sentTo && sharing(subject, sentTo, endpoint).find((other) => isMeant(subject, other, sent));
      if (asked === endpoint) request ??= sent;
      const example = asked?.examples[0];
      const given = asked === endpoint ? golden : asked && before(goldens, asked, golden);
      const variant = asked?.variants[example?.is ?? Object.keys(asked.variants)[0] ?? ''];
      const status = given?.reply.status ?? example?.status ?? [variant?.status ?? 200].flat()[0] ?? 200;
      const body = given === undefined ? example?.body : fill(given.reply.body);
      const above = Object.entries(given?.reply.headers ?? example?.headers ?? {});
      const headers = Object.fromEntries(above.map(([name, value]) => [name, String(fill(value))]));
      return { kind: 'reply' as const, status, headers, body: textOfBody(asked?.codec ?? 'json', body) };
    },
  };
  const host = {
    journal: memoryJournal(),
    credentials: memoryCredentials(() => BEGINNING),
    now: () => BEGINNING,
    transport: subject.through(transport),
    openCard: opener(one),
  };
  const result = await driven(subject, each, host, one, () => request !== undefined);
  const key = request === undefined ? undefined : keyIn(request, walked.length);
  const signatures = signaturesOf(walked.find((made) => made.endpoint === endpoint));
  const filled = { golden, path, signatures, fill: filler(subject, each, key), ...(request && { request }) };
  if (result.kind === 'failed') return { ...filled, problem: `The flow throws: ${textOf(result.error)}` };
  if (result.kind === 'interrupted') return { ...filled, problem: `The reply is not understood: ${result.why}` };
  if (result.kind === 'suspended') return { ...filled, end: { nextAction: result.nextAction } };
  if (result.kind === 'reported') return { ...filled, end: 'events' in result.report ? result.report : result.report };
  return { ...filled, end: result.outcome };
}

/** The endpoints of one method and path, the golden's own before the others. */
function sharing({ connector }: Subject, { method, path }: AnyEndpoint, own: AnyEndpoint): readonly AnyEndpoint[] {
  const all = connector.endpoints.filter((each) => each.method === method && each.path === path);
  return all.toSorted((a, b) => Number(b === own) - Number(a === own));
}

/** Whether a request is for this one of the endpoints that share its method and path, as the simulation tells them apart. */
function isMeant({ options }: Subject, { name }: AnyEndpoint, { body = '', headers }: HttpRequest): boolean {
  const { where = {} } = options.simulation?.endpoints[name] ?? {};
  const codec = headers['content-type']?.includes('form') === true ? 'form' : 'json';
  const sent = { body: body === '' ? undefined : readBody(body, codec) };
  return Object.entries(where).every(([place, wanted]) => {
    const text = readPath(sent, place);
    return wanted === true ? text !== undefined : [wanted].flat().includes(String(text));
  });
}

/** The golden of an endpoint that is asked on the way: the one of the same sample before any other. */
function before(goldens: readonly Golden[], asked: AnyEndpoint, { by = {} }: Golden): Golden | undefined {
  const all = goldensOf(goldens, asked);
  return all.find((each) => by.sample !== undefined && each.by?.sample === by.sample) ?? all[0];
}

/** Drives a run, with the sample's answers where the payer is asked, until it has met the endpoint or ends. */
async function driven(
  subject: Subject,
  each: CaseRun,
  host: Parameters<typeof drive>[1],
  { sample: { signals = {} } }: Case,
  reached: () => boolean,
) {
  const run = { ...each.run, id: `golden/${each.run.id}` };
  let result = await subject.machinery.drive(run, host);
  for (let asked = 0; asked < 10 && result.kind === 'suspended'; asked += 1) {
    const { step } = result.nextAction;
    const signal = signals[step] ?? broughtBack(subject, each, result.nextAction);
    if (signal === undefined || reached()) return result;
    result = await subject.machinery.drive(
      run,
      host,
      'resend' in signal ? { step, resend: true } : { step, values: signal.values },
    );
  }
  return result;
}

/** The values that a payer brings back from a page where the sample gives none: each value that is waited for. */
function broughtBack({ options }: Subject, each: CaseRun, nextAction: NextAction) {
  if (nextAction.kind !== 'visit') return undefined;
  const names = everyWalk(each).flatMap(({ nextActions }) =>
    nextActions.flatMap((met) => (met.kind === 'visit' ? Object.keys(met.until.shape) : [])),
  );
  const values = Object.fromEntries(names.map((name) => [name, 'brought-back']));
  const { signed } = options.simulation?.page ?? {};
  return { values: signed?.(values, { query: nextAction.fields, now: BEGINNING }) ?? values };
}

function opener({ sample }: Case) {
  return ({ part }: CardHandle) => partOf(sample, part);
}

/** The key of a step in a request: a text in the form of a UUID of version 8, which only keys have. */
function keyIn({ headers, body = '', url }: HttpRequest, _steps: number): string | undefined {
  return /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/.exec(
    `${asText(headers)} ${body} ${url}`,
  )?.[0];
}

/** The first difference between the expected and the actual value; fields that are not expected are one too, unless `loose`. */
function difference(wanted: unknown, given: unknown, place: string, loose: boolean): string | undefined {
  const [left, right] = [wanted, given].map(
    (value) => new Map(leavesOf(plain(value)).map((leaf) => [leaf.place, asText(leaf.value)])),
  );
  for (const [name, value] of left ?? [])
    if (right?.get(name) !== value)
      return `${place}${name === '' ? '' : `.${name}`}: the golden has ${value}, the connector ${right?.get(name) ?? 'nothing'}.`;
  if (loose) return undefined;
  for (const [name, value] of right ?? [])
    if (left?.has(name) !== true) return `${place}.${name}: the connector has ${value}, the golden nothing.`;
  return undefined;
}

/** Money as its text and currency, so that a golden can name it. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('minor' in value && 'text' in value && 'currency' in value)
    return `${typeof value.minor === 'bigint' ? moneyOfMinor(value.minor, String(value.currency)).text : ''} ${String(value.currency)}`;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, plain(each)]])),
  );
}

/** The headers and fields of signatures that hold a time, or are random. */
function signaturesOf(made: WalkedRequest | undefined): readonly string[] {
  const signed = [made?.wire.sign ?? []].flat().filter(({ scheme }) => scheme === 'jws' || scheme === 'jwt');
  return signed.map(({ into }) => ('field' in into ? into.field : into.header.toLowerCase()));
}

/** A request without the signatures that its golden leaves out. */
function unsigned<T>(sent: T, golden: unknown, signatures: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null || signatures.length === 0) return sent;
  const kept = Object.entries(sent).filter(
    ([name]) => !signatures.includes(name) || readPath(golden, name) !== undefined,
  );
  return Object.fromEntries(kept);
}

function requestDifference(
  subject: Subject,
  { golden, request, fill, signatures = [] }: Exchanged,
): string | undefined {
  if (request === undefined) return 'The flow never asked the endpoint.';
  const { method, path, headers = {}, body } = golden.request;
  const url = new URL(request.url);
  const endpoint = subject.connector.endpoints.find(({ name }) => name === golden.endpoint);
  const base = endpoint === undefined ? url.origin : baseUrlOf(subject.connector, endpoint, subject.settings);
  const sentPath = `${url.origin}${url.pathname}`.slice(base.length) + url.search;
  if (method !== request.method) return `method: the golden has ${method}, the connector ${request.method}.`;
  const { accept: _accept, 'content-type': type = '', ...own } = request.headers;
  const codec = type.includes('json')
    ? 'json'
    : type.includes('urlencoded')
      ? 'form'
      : type.includes('xml')
        ? 'xml'
        : 'text';
  const { 'content-type': wantedType, accept: _wanted, ...wantedHeaders } = headers;
  const differentType =
    wantedType === undefined || wantedType === type
      ? undefined
      : `headers.content-type: the golden has "${wantedType}", the connector "${type}".`;
  const filledBody = fill(body);
  const asBytes = typeof filledBody === 'string' || request.body === undefined;
  return (
    difference(fill(path), sentPath, 'path', false) ??
    differentType ??
    difference(fill(wantedHeaders), unsigned(own, wantedHeaders, signatures), 'headers', false) ??
    (asBytes
      ? difference(filledBody, request.body, 'body', false)
      : difference(
          readBody(textOfBody(codec, filledBody), codec),
          unsigned(readBody(request.body ?? '', codec), filledBody, signatures),
          'body',
          false,
        ))
  );
}

async function judged(subject: Subject, judge: (exchanged: Exchanged) => string | undefined): Promise<Verdict> {
  const all = await exchanges(subject);
  if (all.length === 0) return notApplicable('There are no goldens. See the check goldens-for-every-endpoint.');
  return all.flatMap((each): Finding[] => {
    const says = each.problem ?? judge(each);
    return says === undefined ? [] : [{ path: each.path, says: `${says} Source: ${each.golden.source}.` }];
  });
}

export const goldenChecks: readonly Check[] = [
  {
    id: 'golden-requests-match',
    level: 'required',
    title: 'every request is the one that the provider documents',
    run: (subject) => judged(subject, (each) => requestDifference(subject, each)),
  },
  {
    id: 'golden-replies-are-read',
    level: 'required',
    title: 'every documented reply is read to the outcome that the documentation gives it',
    run: async (subject) =>
      (await exchanges(subject)).every(
        ({ golden: { outcome }, problem }) => outcome === undefined && problem === undefined,
      )
        ? notApplicable('No golden says an outcome.')
        : judged(subject, ({ golden: { outcome }, end, fill }) =>
            outcome === undefined ? undefined : difference(fill(outcome), end, 'outcome', true),
          ),
  },
];
