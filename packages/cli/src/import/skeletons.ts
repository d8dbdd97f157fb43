import type { Facts, OperationFacts } from '@railyard/conformance/official';
import type { EndpointModel } from './endpoint-text.ts';
import type { Making } from './endpoints.ts';
import { braces, brackets, type Doc, fieldName, hugged, laidOut, quoted, valueBelow } from './layout.ts';
import { FreeNames, kebab } from './names.ts';
import { isOurs, type Leaf, leavesOf, type PlaceName, placeOf, withAt, plainName } from './places.ts';
import { Questions } from './questions.ts';
import type { DescribedReply } from './replies.ts';
import { type Sample, sampleOf } from './sample.ts';
import type { Shape } from './shape.ts';
import { valueDoc } from './sample-text.ts';
import { SchemaWriter } from './schema-text.ts';
import { Selection } from './selection.ts';
import { shapeOf } from './shape-of.ts';
import { type Effect, effectOf } from './statuses.ts';

/** A file that a person goes on from. */
export interface Skeleton {
  /** `simulation`, as the file is called after the connector. */
  readonly name: string;
  readonly text: string;
  readonly questions: readonly string[];
}

/** Files of the connector that a skeleton imports, as it imports them. */
export interface Beside {
  readonly endpoints: string;
  readonly samples: string;
}

/** An endpoint with the part that it has in a payment. */
interface Part {
  readonly model: EndpointModel;
  readonly effect: Effect;
  readonly isRead: boolean;
  readonly sent: readonly Leaf[];
}

const partOf = (model: EndpointModel): Part => {
  const { body } = model.request;
  return {
    model,
    effect: effectOf([model.operation]),
    isRead: model.operation.startsWith('GET '),
    sent: body === undefined ? [] : leavesOf(body.shape),
  };
};

const importsOf = (lines: readonly (string | false)[]) => lines.filter((line) => line !== false).join('\n');

/** `a: b` for each that is there. */
const fieldsOf = (fields: Readonly<Record<string, Doc | undefined>>): Doc =>
  braces(
    Object.entries(fields).flatMap(([name, doc]): Doc[] => (doc === undefined ? [] : [[`${fieldName(name)}: `, doc]])),
  );

/** How a local provider plays the API: the places that the names of fields tell, and questions for the rest. */
export function simulationText(
  { access, statuses }: Making,
  models: readonly EndpointModel[],
  { samples }: Beside,
): Skeleton {
  const questions = new Questions();
  const parts = models.map(partOf);
  const charge = parts.find(isCharge);
  const endpoints = parts.map((part): Doc => [`${quoted(part.model.name)}: `, simulatedText(part, questions)]);
  const token: Doc[] = access.token === undefined ? [] : ["token: { effect: 'credential', request: {}, reply: {} }"];
  const returnUrl = charge && placeOf(charge.sent, 'returnUrl');
  const amount = charge && placeOf(charge.sent, 'amount');
  const word = (state: string, of = '') => questions.value(`which word of the provider says ${state}${of}`);
  const wordsOf = (of?: string) =>
    fieldsOf({ settled: word('settled', of), pending: word('pending', of), declined: word('declined', of) });
  const others = statuses.effects.filter((each) => each !== 'payment' && each !== 'dispute');
  const whole = [
    ['endpoints: ', braces([...token, ...endpoints], true)],
    ['words: ', wordsOf()],
    ...(others.length === 0
      ? []
      : [['effectWords: ', fieldsOf(Object.fromEntries(others.map((each) => [each, wordsOf(` of a ${each}`)])))]]),
    ...(amount?.shape.kind === 'number' && amount.shape.whole
      ? [['amounts: ', questions.value('whether whole amounts are minor-units')]]
      : []),
    ...(returnUrl === undefined ? [] : [`page: { returnUrl: ${quoted(`body.${returnUrl.place}`)} }`]),
  ];
  const text = laidOut(['export const simulation: Simulation = ', braces(whole, true), ';']);
  const imports = importsOf([
    questions.imports.length > 0 && `import { ${questions.imports.join(', ')} } from '@railyard/core';`,
    "import type { Simulation } from '@railyard/core/simulation';",
    text.includes('samples.') && `import * as samples from ${quoted(samples)};`,
  ]);
  const says = '/** How a local provider plays the API. Tests, demos and the playground use it. */';
  return { name: 'simulation', text: `${imports}\n\n${says}\n${text}\n`, questions: questions.all };
}

const isCharge = ({ effect, isRead, sent, model }: Part): boolean =>
  effect === 'payment' && !isRead && placeOf(sent, 'amount') !== undefined && paymentPlaces(model).length === 0;

/** The places of the path that name a payment or an action on it. */
const paymentPlaces = ({ request }: Pick<EndpointModel, 'request'>) =>
  request.places.filter((each) => each.in === 'path' && each.setting === undefined);

function simulatedText(part: Part, questions: Questions): Doc {
  const { model, effect, isRead, sent } = part;
  const { name, request, replies, described } = model;
  const [first, second] = paymentPlaces(model);
  const at = (wanted: PlaceName) => {
    const found = placeOf(sent, wanted);
    return found === undefined ? undefined : quoted(`body.${found.place}`);
  };
  const isAction = !isCharge(part) && !isRead;
  const parameter = first === undefined ? undefined : quoted(`params.${first.field}`);
  const [key] = request.keys;
  const own = isAction
    ? { modificationReference: at('merchantReference') }
    : { merchantReference: at('merchantReference') };
  const asked: Readonly<Record<string, Doc | undefined>> = {
    ...own,
    ...(first !== undefined && { [isOurs(first.name) ? 'merchantReference' : 'id']: parameter }),
    ...(second !== undefined && { modification: quoted(`params.${second.field}`) }),
    amount: at('amount'),
    currency: at('currency'),
    key: key === undefined || isRead ? undefined : quoted(`headers.${key}`),
  };
  const question = `${name}: which effect it has on money: charge, authorize, capture, void, refund, payout or read`;
  const modifies = effect === 'refund' || effect === 'capture' || effect === 'void';
  const does = isRead ? "'read'" : isCharge(part) || !modifies ? questions.value(question) : quoted(effect);
  const refused = replies.find((each) => each.name === (isRead ? 'absent' : 'refused'));
  // After a 401 nothing is known: it refuses nothing.
  const [status] = isRead ? ['404'] : described.refused.flatMap((each) => (each.status === '401' ? [] : [each.status]));
  const refusal: Doc | undefined =
    refused === undefined || status === undefined || Number.isNaN(Number(status))
      ? undefined
      : `{ status: ${status}, body: ${refused.samples[0] ?? 'null'} }`;
  return fieldsOf({
    effect: does,
    request: fieldsOf(asked),
    reply: fieldsOf(
      replyPlaces(described.taken[0], {
        isModification: effect !== 'payment' && effect !== 'payout' && (modifies || isRead),
        isOfPayment: isUnderOurs(model),
        effect,
      }),
    ),
    ...(isRead ? { absent: refusal } : { refused: refusal }),
  });
}

/** Whether our reference of the payment stands in the path: a reference in the reply is that one then. */
function isUnderOurs({ request }: EndpointModel): boolean {
  const [first] = paymentPlaces({ request });
  return first !== undefined && isOurs(first.name);
}

interface Replied {
  readonly isModification: boolean;
  readonly isOfPayment: boolean;
  readonly effect: string;
}

function replyPlaces(
  reply: DescribedReply | undefined,
  { isModification, isOfPayment, effect }: Replied,
): Record<string, Doc | undefined> {
  const leaves = reply?.shape === undefined ? [] : leavesOf(reply.shape);
  const { place: named = '' } = placeOf(leaves, 'id') ?? placeOf(leaves, 'merchantReference') ?? {};
  const beside = leaves.filter(({ place }) => place.startsWith(named.slice(0, named.lastIndexOf('.') + 1)));
  // A list may repeat beside its items what was asked for.
  const at = (wanted: PlaceName) => {
    const found = placeOf(beside, wanted) ?? placeOf(leaves, wanted);
    return found === undefined ? undefined : quoted(found.place);
  };
  // A reply that names the refund and its payment: `refund_id` beside `payment_id`.
  const own = leaves.find(({ place }) => plainName(place.split('.').at(-1) ?? '') === `${effect}id`);
  const names = isModification
    ? {
        ...(own !== undefined && quoted(own.place) !== at('id') && { id: at('id') }),
        modification: own === undefined ? at('id') : quoted(own.place),
        [isOfPayment ? 'merchantReference' : 'modificationReference']: at('merchantReference'),
        modificationStatus: at('status'),
      }
    : { id: at('id'), merchantReference: at('merchantReference'), status: at('status') };
  return { ...names, amount: at('amount'), currency: at('currency') };
}

/** Where examples and exchanges stand. */
const sourceText = ({ source, version }: Facts): string =>
  laidOut([valueBelow('const source =', quoted(`${source}, ${version}`)), ';']);

/** Exchanges as the description shows them, with the kit's own payment in them: 25.00, its references, its addresses. */
export function goldensText(making: Making, models: readonly EndpointModel[]): Skeleton {
  const { facts, access } = making;
  const questions = new Questions();
  const exchanges = models.flatMap((model) => {
    const { taken, refused } = model.described;
    const isRead = model.operation.startsWith('GET ');
    const wrong = refused.filter(({ status }) => (isRead ? status === '404' : status !== '401')).slice(0, 1);
    return [
      ...taken.slice(0, 1).map((each) => ({ model, reply: each, good: true })),
      ...wrong.map((each) => ({ model, reply: each, good: false })),
    ];
  });
  const docs = exchanges
    .filter(({ reply }) => !Number.isNaN(Number(reply.status)))
    .map(({ model, reply, good }) => goldenDoc(partOf(model), { reply, good, access, questions }));
  const imports = importsOf([
    "import type { Golden } from '@railyard/conformance';",
    questions.imports.length > 0 && `import { ${questions.imports.join(', ')} } from '@railyard/core';`,
  ]);
  const source = sourceText(facts);
  const says =
    '/** Exchanges as the description shows them. Compare each with the pages of the provider, and add those that the description lacks. */';
  const text = laidOut(['export const goldens: readonly Golden[] = ', brackets(docs, true), ';']);
  return { name: 'goldens', text: `${imports}\n\n${source}\n\n${says}\n${text}\n`, questions: questions.all };
}

interface Exchange {
  readonly reply: DescribedReply;
  readonly good: boolean;
  readonly access: Making['access'];
  readonly questions: Questions;
}

function goldenDoc(part: Part, { reply, good, access, questions }: Exchange): Doc {
  const { model, isRead } = part;
  const { request, operation, name } = model;
  const [method = '', template = ''] = operation.split(' ');
  const [first, second] = paymentPlaces(model);
  const path = request.places
    .reduce(
      (whole, { name: place, setting }) =>
        setting === undefined ? whole : whole.replace(`{${place}}`, `{settings.${setting}}`),
      template,
    )
    .replace(`{${first?.name}}`, first !== undefined && isOurs(first.name) ? '{reference}' : '{provider_reference}')
    .replace(
      `{${second?.name}}`,
      second !== undefined && isOurs(second.name) ? '{modification}' : '{provider_modification}',
    );
  const headers = {
    ...access.credentials,
    ...(isRead ? {} : Object.fromEntries(request.keys.map((key) => [key, '{key}']))),
  };
  const [[, shown] = []] = Object.entries(request.body?.shown ?? {});
  const isModification = !isCharge(part) && !isRead;
  const body =
    request.body &&
    ownValues(request.body.shape, sampleOf(request.body.shape, 'value', shown), { isModification, isRequest: true });
  const [[, answer] = []] = Object.entries(reply.shown);
  // A lookup by the provider's id is answered with it.
  const isById = isRead && first !== undefined && !isOurs(first.name);
  const answered =
    reply.shape === undefined
      ? null
      : ownValues(reply.shape, sampleOf(reply.shape, 'value', answer), {
          isModification: isModification && !isUnderOurs(model),
          ...(isById && { id: '{provider_reference}' }),
        });
  const outcome = `${name}, ${reply.status}: which outcome this reply is, with which reference and amount`;
  return braces(
    [
      `endpoint: ${quoted(name)}`,
      'source',
      ['when: ', quoted(`${operation} is answered ${reply.status}`)],
      [
        'request: ',
        fieldsOf({
          method: quoted(method),
          path: quoted(path),
          headers: Object.keys(headers).length === 0 ? undefined : valueDoc(headers, questions),
          body: body === undefined ? undefined : valueDoc(body, questions),
        }),
      ],
      ['reply: ', fieldsOf({ status: reply.status, body: valueDoc(answered, questions) })],
      ...(good ? [['outcome: ', questions.value(outcome)] satisfies Doc] : []),
    ],
    true,
  );
}

/** The kit's own payment in a body: of a request with its addresses too. */
function ownValues(
  shape: Shape,
  sample: Sample,
  { isModification = false, isRequest = false, id }: { isModification?: boolean; isRequest?: boolean; id?: string },
): Sample {
  const leaves = leavesOf(shape);
  const of = placeOf(leaves, 'amount')?.shape;
  const paid = of?.kind === 'number' ? (of.whole ? 2500 : 25) : '25.00';
  const values: readonly (readonly [PlaceName, Sample])[] = [
    ['amount', paid],
    ['merchantReference', isModification ? '{modification}' : '{reference}'],
    ...(id === undefined ? [] : [['id', id] as const]),
    ...(isRequest
      ? ([
          ['returnUrl', '{return_url}'],
          ['notifyUrl', '{notify_url}'],
        ] as const)
      : []),
  ];
  return values.reduce((whole, [name, value]) => {
    const found = placeOf(leaves, name);
    return found === undefined ? whole : withAt(whole, found.place, value);
  }, sample);
}

/** `POST payment.captured` → `payment.captured`. */
const nameOf = (operation: string): string => operation.split(' ')[1] ?? '';
const namesOf = (notifications: Readonly<Record<string, OperationFacts>>): string =>
  Object.keys(notifications).map(nameOf).join(', ');

/** The notifications that the description names: their body, and an example of each. */
export function notificationsText(
  { facts, note, samples }: Making,
  notifications: Readonly<Record<string, OperationFacts>>,
  beside: Beside,
): Skeleton | undefined {
  const questions = new Questions();
  const schemas = new SchemaWriter(new FreeNames(['z', 'settings', 'samples', 'notifications']), questions);
  const bodies = new Map<string, string[]>();
  for (const [operation, { request }] of Object.entries(notifications)) {
    if (request === undefined) continue;
    const hint = `${kebab(nameOf(operation))}-notification`;
    const selection = new Selection([]);
    const reading = {
      endpoint: hint,
      schemas: facts.schemas,
      direction: 'reply',
      selection,
      of: operation,
      note,
    } as const;
    const shape = shapeOf(reading, { schema: request.schema, within: [] }, hint);
    const body = schemas.body(shape, hint, { asks: undefined, owner: hint });
    const shown = Object.entries(request.examples ?? { '': undefined });
    const taken = shown.map(([, each]) => samples.take(hint, sampleOf(shape, 'value', each), hint));
    bodies.set(body, [...(bodies.get(body) ?? []), ...taken]);
  }
  if (bodies.size === 0) return undefined;
  const kinds = [...bodies.keys()];
  const examples = [...new Set([...bodies.values()].flat())].map((each) => `{ body: samples.${each}, source }`);
  const proof = 'how a notification proves that it is the provider’s: header, secret, algorithm and encoding';
  const declared = braces(
    [
      ['verify: ', questions.value(proof)],
      "codec: 'json'",
      ['body: ', kinds.length === 1 ? (kinds[0] ?? '') : ['z', hugged('.union', brackets(kinds))]],
      ['events: ', questions.value(`which events a notification tells: ${namesOf(notifications)}`)],
      [
        'acknowledge: ',
        questions.value('how a notification is acknowledged: status, and body where the provider wants one'),
      ],
      ['examples: ', brackets(examples)],
    ],
    true,
  );
  const text = [
    importsOf([
      `import { notificationsFor, ${questions.imports.join(', ')} } from '@railyard/core';`,
      "import * as z from 'zod';",
      `import { settings } from ${quoted(beside.endpoints)};`,
      `import * as samples from ${quoted(beside.samples)};`,
    ]),
    sourceText(facts),
    ...schemas.declarations,
    `/** ${namesOf(notifications)}. */\n${laidOut(['export const notifications = notificationsFor(settings)(', declared, ');'])}`,
  ];
  return { name: 'notifications', text: `${text.join('\n\n')}\n`, questions: questions.all };
}

/** Only the calls, or only the notifications, which have a name in place of a path. */
export function operationsBy(facts: Facts, isCall: boolean): Readonly<Record<string, OperationFacts>> {
  const all = Object.entries(facts.operations).filter(([name]) => name.includes(' /') === isCall);
  return Object.fromEntries(all);
}
