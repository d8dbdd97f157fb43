import { braces, brackets, call, type Doc, fieldName, members, parameters, quoted, union, WIDTH } from './layout.ts';
import { camel } from './names.ts';
import type { Replies } from './replies.ts';
import type { RequestModel, RequestPlace } from './requests.ts';

/** An endpoint that is ready to be written: names of constants in place of what they hold. */
export interface EndpointModel {
  /** `POST /orders` */
  readonly operation: string;
  readonly name: string;
  readonly constant: string;
  readonly request: RequestModel;
  /** The type of the body. */
  readonly bodyType?: string;
  /** The name for the type of its input, where that is made for it. */
  readonly inputType: string;
  readonly replies: readonly ReplyModel[];
  /** The replies as the description has them. */
  readonly described: Replies;
  /** Absent: the endpoint is safe. */
  readonly repeat?: Doc;
  /** Fields of the query from the settings. */
  readonly query: readonly string[];
}

export interface ReplyModel {
  /** The name of the variant. */
  readonly name: string;
  readonly status: Doc;
  /** Whether it is one of those that an endpoint with one reply takes by itself. */
  readonly isUsual: boolean;
  /** The constants of its schema and of its samples. */
  readonly body: string;
  readonly samples: readonly string[];
}

/** A lookup of core says the rest by itself: one place in the path, the resource or its absence. */
export function isLookup({ operation, request, replies, repeat, query }: EndpointModel): boolean {
  const [place, ...more] = request.places;
  const names = replies.map(({ name }) => name).join(',');
  const isPlain = request.body === undefined && request.keys.length === 0 && query.length === 0;
  const isOnePlace =
    place?.in === 'path' && place.setting === undefined && more.length === 0 && operation.split('{').length === 2;
  return repeat === undefined && isPlain && isOnePlace && names === 'found,absent';
}

export function endpointText(model: EndpointModel): Doc {
  const [method = '', given = ''] = model.operation.split(' ');
  const path = pathText(given);
  const replies = model.replies.map(({ name, status, body, samples }): Doc => [
    `${name}: `,
    call('reply', [status, body, ...samples]),
  ]);
  const name = quoted(model.name);
  if (isLookup(model)) return declared(model, 'api.lookup', [name, quoted(path)], braces(replies, true));
  const [first, ...more] = model.replies;
  const isOne = first !== undefined && more.length === 0 && first.isUsual;
  const fields: Doc[] = [
    ['repeat: ', model.repeat ?? "'safe'"],
    ['request: ', requestText(model)],
    ...(isOne
      ? [`reply: ${first.body}`, ['examples: ', brackets(first.samples.map((body) => braces([`body: ${body}`])))]]
      : [['replies: ', braces(replies)]]),
  ];
  return declared(model, 'api.endpoint', [name, quoted(`${method} ${path}`)], braces(fields, true));
}

/** The braces stay with the brackets where the line before them has room, as formatters have it. */
function declared({ constant }: EndpointModel, maker: string, given: readonly string[], rest: Doc): Doc {
  const head = `${maker}(${given.join(', ')}, `;
  return `export const ${constant} = ${head}{`.length > WIDTH ? call(maker, [...given, rest]) : [head, rest, ')'];
}

/** The places of a path are words: `{refund-id}` → `{refundId}`. */
const placeName = (name: string): string => (/^\w+$/.test(name) ? name : camel(name));
const pathText = (path: string): string =>
  path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${placeName(name)}}`);

/** The builder: its input, and the place of each part in the request. */
function requestText(model: EndpointModel): Doc {
  const { request, query } = model;
  const given = inputOf(model);
  const at = (place: RequestPlace['in']) => request.places.filter((each) => each.in === place);
  const sent = (places: readonly RequestPlace[]) =>
    places.map(({ in: place, name: given, field, setting }) => {
      const name = place === 'path' ? placeName(given) : given;
      if (setting !== undefined) return `${fieldName(name)}: settings.${setting}`;
      return name === field ? field : `${fieldName(name)}: ${field}`;
    });
  const headers = [...request.keys.map((name) => `${fieldName(name)}: key`), ...sent(at('header'))];
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['params', sent(at('path'))],
    ['query', [...query, ...sent(at('query'))]],
    ['headers', headers],
  ];
  const wire = parts.flatMap(([name, fields]): Doc[] => (fields.length === 0 ? [] : [[`${name}: `, braces(fields)]]));
  const { body } = request;
  const written = body === undefined ? [] : [given.body === body.as ? body.as : `${body.as}: ${given.body}`];
  const readsSettings = query.length > 0 || request.places.some(({ setting }) => setting !== undefined);
  const context = [...(request.keys.length > 0 ? ['key'] : []), ...(readsSettings ? ['settings'] : [])];
  const more = context.length > 0 ? [braces(context)] : [];
  return [parameters([given.text, ...more]), ' => (', braces([...wire, ...written]), ')'];
}

interface Input {
  readonly text: Doc;
  readonly isObject?: true;
  /** The name of the body among it. */
  readonly body: string;
}

/** Without those that are settings. */
const givenPlaces = ({ places }: RequestModel) => places.filter(({ setting }) => setting === undefined);

/** How the builder takes its input: one value as itself, several as an object. */
function inputOf({ request, bodyType, inputType }: EndpointModel): Input {
  const places = givenPlaces(request);
  const [place, ...more] = places;
  const { body } = request;
  if (place === undefined)
    return body === undefined ? { text: '_: void', body: '' } : { text: `${body.as}: ${bodyType}`, body: body.as };
  if (body === undefined && more.length === 0 && place.required && place.words === undefined)
    return { text: `${place.field}: string`, body: '' };
  const names = [...places.map(({ field }) => field), ...(body === undefined ? [] : ['body'])];
  return { text: [braces(names), `: ${inputType}`], isObject: true, body: 'body' };
}

/** The type of an input that is an object made for the endpoint; absent where it is one value. */
export function inputTypeText(model: EndpointModel): Doc | undefined {
  if (isLookup(model) || inputOf(model).isObject !== true) return undefined;
  const { request, bodyType } = model;
  return members([
    ...givenPlaces(request).map(({ field, required, words }): Doc => [
      `readonly ${field}${required ? '' : '?'}: `,
      words === undefined ? 'string' : union(words.map(quoted)),
    ]),
    ...(bodyType === undefined ? [] : [`readonly body: ${bodyType}`]),
  ]);
}
