import { fieldInfo } from '@railyard/core/registry';
import * as z from 'zod';
import { type Check, NO_SAMPLE, notApplicable, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { type Deployment, resolve, validate } from '../host/world.ts';
import { asText, leavesOf, withValue } from '../leaves.ts';
import { shared } from '../play/judge.ts';
import { type CaseRun, runsOf } from '../runs.ts';
import type { Case, Subject } from '../subject.ts';
import { type Walk, walk } from '../walk.ts';

interface Deletion {
  readonly where: 'request' | 'mid';
  readonly path: string;
  /** Whether the schema of the parameter itself wants it, wherever it comes from. */
  readonly required: boolean;
  readonly refused: boolean;
  readonly findings: readonly Finding[];
}

/** Fields that every session needs, whatever the method says. */
const OF_EVERY_SESSION = /^(merchant_key|operation|methods|success_url|hash|order(\.|$)|parameters\.[^.]+$)/;

/** Every sample with one field less at a time. */
function deletions(subject: Subject): Promise<readonly Deletion[]> {
  return shared(subject, 'deletions', async () => subject.cases.flatMap(deletionsOf));
}

function deletionsOf(one: Case): readonly Deletion[] {
  const { request, deployment, method, operation } = one;
  const usual = new Map(runsOf(one).map((each) => [each.name, walk(each.run, each.options)]));
  const fields = placesOf(request).filter((path) => !OF_EVERY_SESSION.test(path));
  const required = requiredOf(one);
  const prefix = `parameters.${method.key}.`;
  const inRequest = fields.map((path): Deletion => {
    const without = { ...deployment, session: withValue(request, path, undefined) };
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
    return {
      where: 'request',
      path,
      required: name !== undefined && required.has(name),
      ...tried(one, without, path, usual),
    };
  });
  const inMid = Object.keys(deployment.mid ?? {}).map((name): Deletion => {
    const { [name]: _taken, ...mid } = deployment.mid ?? {};
    const path = `mid.${name}`;
    return { where: 'mid', path, required: required.has(name), ...tried(one, { ...deployment, mid }, path, usual) };
  });
  return [...inRequest, ...inMid].map((each) => ({
    ...each,
    path: `methods.${method.key}.${operation}: ${each.path}`,
  }));
}

/** Every field and every block of fields. */
function placesOf(request: unknown): readonly string[] {
  const leaves = leavesOf(request).map(({ place }) => place);
  const blocks = leaves.flatMap((place) =>
    place.split('.').map((_name, index, names) => names.slice(0, index).join('.')),
  );
  return [
    ...new Set([...leaves, ...blocks.filter((place) => place !== '' && place !== 'parameters' && place !== 'order')]),
  ];
}

/** Parameters that must be given, by the request or by one of their sources. */
function requiredOf({ method, operation }: Case): ReadonlySet<string> {
  const spec = method.operations[operation];
  const shape = spec !== undefined && 'parameters' in spec ? spec.parameters.shape : {};
  const needed = Object.entries(shape).filter(([name, schema]) => {
    const { when, sources = [] } = fieldInfo(schema, name);
    return when === undefined && !sources.includes('default') && !z.safeParse(schema, undefined).success;
  });
  return new Set(needed.map(([name]) => name));
}

function tried(
  one: Case,
  deployment: Deployment,
  left: string,
  usual: ReadonlyMap<string, Walk>,
): Pick<Deletion, 'refused' | 'findings'> {
  const validation = validate(deployment, deployment.session);
  if (!validation.ok) return { refused: true, findings: [] };
  const answers = one.sample.payer ?? {};
  if (resolve(deployment, validation.session, answers).kind !== 'complete') return { refused: true, findings: [] };
  return {
    refused: false,
    findings: runsOf(one, deployment).flatMap((each) => problemsOf(each, left, usual.get(each.name))),
  };
}

function problemsOf({ name, path, run, options }: CaseRun, left: string, usual: Walk | undefined): readonly Finding[] {
  const { requests, end } = walk(run, options);
  const advice = 'Make it required in the schema, give it a default, or let the flow do without.';
  if (end.kind === 'threw' && usual?.end.kind !== 'threw')
    return [{ path, says: `${name} throws without ${left}: ${textOf(end.error)} ${advice}` }];
  const declined =
    end.kind === 'done' && 'status' in end.report && end.report.status === 'declined' ? end.report : undefined;
  if (declined !== undefined && requests.length === 0 && (usual?.requests.length ?? 0) > 0)
    return [
      { path, says: `${name} declines without ${left} before the provider is asked: ${declined.reason} ${advice}` },
    ];
  const odd = requests.find(({ wire }) => /"(?:undefined|NaN|null|\[object Object\])"/.test(asText(wire)));
  return odd === undefined
    ? []
    : [{ path, says: `${odd.endpoint.name} sends the word "undefined" without ${left}. ${advice}` }];
}

async function verdict(
  subject: Subject,
  which: (deletion: Deletion) => boolean,
  nothing: string,
  problem: (deletion: Deletion) => readonly Finding[],
): Promise<Verdict> {
  if (subject.cases.length === 0) return NO_SAMPLE;
  const fitting = (await deletions(subject)).filter(which);
  return fitting.length === 0 ? notApplicable(nothing) : fitting.flatMap(problem);
}

export const deletionChecks: readonly Check[] = [
  {
    id: 'optional-fields-can-be-left-out',
    level: 'required',
    title: 'without any one optional field the flows still make their requests',
    run: (subject) =>
      verdict(
        subject,
        ({ where, refused }) => where === 'request' && !refused,
        'No sample has an optional field.',
        ({ findings }) => findings,
      ),
  },
  {
    id: 'required-fields-are-refused',
    level: 'required',
    title: 'without any one required parameter the schema refuses the session, before a flow runs',
    run: (subject) =>
      verdict(
        subject,
        ({ required }) => required,
        'No parameter is required.',
        ({ path, refused }) => (refused ? [] : [{ path, says: 'It is required, and a session without it is taken.' }]),
      ),
  },
  {
    id: 'mid-values-can-be-left-out',
    level: 'required',
    title: 'without any one value of the MID the session is refused or the flows still make their requests',
    run: (subject) =>
      verdict(
        subject,
        ({ where }) => where === 'mid',
        'No sample has values of the MID.',
        ({ findings }) => findings,
      ),
  },
];
