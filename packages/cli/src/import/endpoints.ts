import type { Facts, OperationFacts } from '@railyard/conformance/official';
import type { Access } from './access.ts';
import type { EndpointModel, ReplyModel } from './endpoint-text.ts';
import type { Doc } from './layout.ts';
import { camel, endpointName, type FreeNames, pascal, unnumbered } from './names.ts';
import type { Questions } from './questions.ts';
import { type DescribedReply, type Replies, repliesOf } from './replies.ts';
import { requestOf } from './requests.ts';
import { sampleOf } from './sample.ts';
import type { SampleWriter } from './sample-text.ts';
import type { SchemaWriter } from './schema-text.ts';
import type { Selection } from './selection.ts';
import type { Shape } from './shape.ts';
import type { StatusTables } from './statuses.ts';
import type { TypeWriter } from './type-text.ts';

/** The facts that endpoints are made of, the writers of their parts, and the notes for a person. */
export interface Making {
  readonly facts: Facts;
  readonly access: Access;
  readonly selection: Selection;
  readonly questions: Questions;
  readonly names: FreeNames;
  readonly schemas: SchemaWriter;
  readonly types: TypeWriter;
  readonly samples: SampleWriter;
  readonly note: (text: string) => void;
  readonly statuses: StatusTables;
  /** Samples that the description shows, by the constant of their schema. */
  readonly shownOf: Map<string, readonly string[]>;
  /** So many first parts of the paths stand in no name. */
  readonly shared: number;
}

const SAFE = 'GET';

/** Makes the endpoint of an operation, and writes its schemas, types and samples. */
export function endpointOf(making: Making, operation: string, facts: OperationFacts): EndpointModel {
  const { access, names, questions, types, selection, note } = making;
  const [method] = operation.split(' ');
  const wanted = endpointName(operation, making.shared);
  const reading = (direction: 'request' | 'reply') => (of: string) => ({
    endpoint: wanted,
    schemas: making.facts.schemas,
    direction,
    selection,
    of,
    note,
  });
  const request = requestOf(
    operation,
    facts,
    [...Object.values(making.facts.security ?? {}), ...access.headers.map((name) => ({ type: 'header', name }))],
    reading('request')(operation),
  );
  const constant = names.take(camel(wanted));
  const name = constant === camel(wanted) ? wanted : `${wanted}-${constant.slice(camel(wanted).length)}`;
  const described = repliesOf(operation, facts, reading('reply'), note);
  const bodyType = request.body && types.body(request.body.shape, `${wanted}-body`, name);
  return {
    operation,
    name,
    constant,
    request,
    ...(bodyType !== undefined && { bodyType }),
    inputType: names.take(pascal(name)),
    replies: repliesIn(making, operation, described),
    described,
    ...(method !== SAFE && {
      repeat: questions.value(`${name}: what is done after a time-out: safe, keyed, by-reference or once`),
    }),
    query: access.query,
  };
}

/** Replies with the same body are one reply. The reply with the most statuses is written first. */
interface Group {
  readonly statuses: readonly string[];
  readonly body: string;
  readonly shape?: Shape;
  readonly shown: Readonly<Record<string, unknown>>;
}

function repliesIn(making: Making, operation: string, { taken, refused }: Replies): readonly ReplyModel[] {
  const [method = ''] = operation.split(' ');
  const name = endpointName(operation, making.shared);
  const usual = method === SAFE ? 'found' : method === 'POST' ? 'created' : 'done';
  const good = grouped(taken.map((each) => groupOf(making, operation, `${name}-reply`, each))).map((group, index) => ({
    body: group.body,
    samples: sampleTexts(making, { hint: `${name}-reply`, longer: `${name}-reply` }, group),
    name: variantName(usual, index, group),
    status: statusText(making.questions, name, group.statuses),
    isUsual: group.statuses.every((each) => USUAL.includes(each)),
  }));
  // A refused lookup says nothing about the payment, unless it says that there is none.
  const wrong = method === SAFE ? refused.filter(({ status }) => status === '404') : refused;
  const bad = grouped(wrong.map((each) => groupOf(making, operation, 'problem', each))).map((group, index) => ({
    body: group.body,
    samples: sampleTexts(making, { hint: 'problem', longer: `${name}-problem` }, group),
    name: method === SAFE ? 'absent' : variantName('refused', index, group),
    status: method === SAFE ? '404' : making.questions.value(refusalQuestion(name, group.statuses)),
    isUsual: false,
  }));
  return [...good, ...bad];
}

/** The statuses that an endpoint with one reply takes by itself. */
const USUAL = ['200', '201', '202'];

const variantName = (usual: string, index: number, { statuses: [first = ''] }: Group): string =>
  index === 0 ? usual : `${usual}${pascal(first).replace(/^Of/, '')}`;

const refusalQuestion = (name: string, statuses: readonly string[]): string =>
  statuses.length === 1
    ? `${name}: whether ${statuses[0]} says that nothing was taken`
    : `${name}: which of ${statuses.join(', ')} say that nothing was taken`;

function groupOf(making: Making, operation: string, hint: string, { status, shape, shown }: DescribedReply): Group {
  if (shape === undefined) return { statuses: [status], body: 'z.unknown()', shown };
  const { schemas, selection } = making;
  making.statuses.read(shape, operation);
  if (shape.kind === 'object' && !shape.fields.some(({ kept }) => kept))
    making.note(`${operation}, ${status}: nothing of the reply is kept. --fields names what the flows read of it.`);
  const asks = (schema: string) => `${schema}: which of these fields the flows read`;
  const owner = endpointName(operation, making.shared);
  const body = schemas.body(shape, hint, { asks: selection.isNamed ? undefined : asks, owner });
  return { statuses: [status], body, shape, shown };
}

/** More replies that the description shows are read in its pages. */
const MOST_SAMPLES = 6;

/** The samples of a group: the bodies that the description shows, or a made-up one. */
function sampleTexts(
  { samples, shownOf }: Making,
  { hint, longer }: { readonly hint: string; readonly longer: string },
  { shape, shown, body: schema }: Group,
): readonly string[] {
  if (shape === undefined) return ['null'];
  const isNamed = shape.kind === 'object' && !shape.isUnnamed;
  const wanted = isNamed ? unnumbered(shape.name) : hint;
  const bodies = Object.entries(shown).slice(0, MOST_SAMPLES);
  // Another reply of the same schema may be shown where this one is not.
  const [other] = shownOf.get(schema) ?? [];
  if (bodies.length === 0)
    return [
      other ??
        `samples.${samples.take(wanted, sampleOf(shape, 'value'), wanted === hint ? longer : `${wanted}-of-${longer}`)}`,
    ];
  const names = bodies.map(([name, body], index) =>
    samples.take(index === 0 ? wanted : `${wanted}-${name}`, sampleOf(shape, 'value', body), `${longer}-${name}`),
  );
  const constants = [...new Set(names)].map((name) => `samples.${name}`);
  shownOf.set(schema, constants);
  return constants;
}

function grouped(each: readonly Group[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const group of each) {
    const before = groups.get(group.body);
    groups.set(group.body, {
      ...group,
      ...before,
      statuses: [...(before?.statuses ?? []), ...group.statuses],
      shown: { ...group.shown, ...before?.shown },
    });
  }
  return [...groups.values()].toSorted((one, other) => other.statuses.length - one.statuses.length);
}

/** A status is a number; ranges and `default` are a person's to spell out. */
function statusText(questions: Questions, name: string, statuses: readonly string[]): Doc {
  if (statuses.some((each) => !/^\d+$/.test(each)))
    return questions.value(`${name}: which statuses ${statuses.join(', ')} stands for`);
  return statuses.length === 1 ? (statuses[0] ?? '') : `[${statuses.join(', ')}]`;
}
