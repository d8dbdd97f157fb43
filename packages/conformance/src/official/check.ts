import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closedSchemas, type Direction } from './closed-schema.ts';
import type { Facts, FactSchema, OperationFacts } from './facts.ts';
import { FORMATS } from './formats.ts';
import { isRecord } from './pointer.ts';

/** A request as it leaves, decoded. Header names are lower case; `path` is the path below the base URL. Its query stands in `query`, or in `path`. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface GivenReply {
  readonly status: number;
  readonly body?: unknown;
}

/** Contradictions of the official description, one sentence each; empty where there are none. */
export interface OfficialCheck {
  /** Whether the description has the operation. */
  has(sent: Pick<SentRequest, 'method' | 'path'>): boolean;
  /** @param isMadeUp whether a text stands in place of one that only the provider could make: its form is not held against the connector */
  request(sent: SentRequest, isMadeUp?: (text: string) => boolean): readonly string[];
  reply(sent: Pick<SentRequest, 'method' | 'path'>, reply: GivenReply): readonly string[];
  /** As `reply`, of a reply that may leave fields out, as goldens and examples do. */
  excerpt(sent: Pick<SentRequest, 'method' | 'path'>, reply: GivenReply): readonly string[];
}

/**
 * Holds requests and replies against the facts of an official description. In requests a field that the description does not name is a
 * violation as well; replies may carry more than the description names.
 *
 * @example const official = checkAgainst(facts); expect(official.request(sent)).toEqual([]);
 */
export function checkAgainst(facts: Facts): OfficialCheck {
  const validators = new Map<string, ValidateFunction>();
  const engines = {
    request: engineOf(facts, 'request'),
    form: engineOf(facts, 'request', true),
    reply: engineOf(facts, 'reply'),
    excerpt: engineOf({ ...facts, schemas: excerptOf(facts.schemas) }, 'reply'),
  };
  const problems: Problems = (key, schema, direction, value, isMadeUp = () => false) => {
    const name = `${direction} ${key}`;
    let validate = validators.get(name);
    if (validate === undefined) {
      validate = engines[direction](schema);
      validators.set(name, validate);
    }
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    return errors
      .filter(({ data }) => typeof data !== 'string' || !isMadeUp(data))
      .map(({ instancePath, message, params }) => {
        const { unevaluatedProperty, additionalProperty }: Readonly<Record<string, unknown>> = params;
        const field = unevaluatedProperty ?? additionalProperty;
        return `${key}${instancePath}: ${message ?? 'is wrong'}${field === undefined ? '' : ` (${String(field)})`}`;
      });
  };
  return {
    has: (sent) => operationOf(facts, sent) !== undefined,
    request(given, isMadeUp) {
      const sent = withQuery(given);
      const found = operationOf(facts, sent);
      if (found === undefined) return [`${sent.method} ${sent.path}: ${facts.source} has no such operation.`];
      const { name, operation, places } = found;
      const carried = { path: places, query: sent.query, header: sent.headers };
      const parameters = operation.parameters.flatMap((parameter) => {
        const value = carried[parameter.in][parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name];
        const key = `${name} ${parameter.in} ${parameter.name}`;
        if (value === undefined) return parameter.required ? [`${key}: is required`] : [];
        return problems(key, parameter.schema, 'request', asTyped(facts, parameter.schema, value), isMadeUp);
      });
      const known = new Set(operation.parameters.filter((each) => each.in === 'query').map((each) => each.name));
      const unknown = Object.keys(sent.query).filter((each) => !known.has(each));
      return [
        ...parameters,
        ...unknown.map((each) => `${name} query ${each}: the description has no such field`),
        ...bodyProblems(name, operation, sent.body, (...about) => problems(...about, isMadeUp)),
      ];
    },
    reply: (sent, given) => replyProblems(facts, sent, given, (key, body) => problems(key, body, 'reply', given.body)),
    excerpt: (sent, given) =>
      replyProblems(facts, sent, given, (key, body) => problems(key, excerptOf(body), 'excerpt', given.body)),
  };
}

function replyProblems(
  facts: Facts,
  sent: Pick<SentRequest, 'method' | 'path'>,
  { status }: GivenReply,
  held: (key: string, body: FactSchema) => readonly string[],
): readonly string[] {
  const found = operationOf(facts, sent);
  if (found === undefined) return [`${sent.method} ${sent.path}: ${facts.source} has no such operation.`];
  const { replies } = found.operation;
  // All statuses of a hundred have one letter for each digit: OpenAPI, Responses Object.
  const declared = replies[status] ?? replies[`${Math.floor(status / 100)}XX`] ?? replies.default;
  if (declared === undefined) return [`${found.name} ${status}: the description has no such reply`];
  return declared.body === undefined ? [] : held(`${found.name} ${status}`, declared.body);
}

/** Schemas of values that may leave fields out. Of alternatives that only their fields told apart several fit then. */
function excerptOf<T>(schemas: T): T {
  return JSON.parse(JSON.stringify(schemas), (_name, value: unknown) => {
    if (!isRecord(value)) return value;
    // A field may have the name of a keyword: then a schema stands there.
    const { required, oneOf, ...rest } = value;
    return {
      ...rest,
      ...(required !== undefined && !Array.isArray(required) && { required }),
      ...(oneOf !== undefined &&
        (Array.isArray(oneOf) ? { allOf: [rest.allOf ?? [], { anyOf: oneOf }].flat() } : { oneOf })),
    };
  });
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Addresses carry text alone, whatever type a description asks for. */
function asTyped(facts: Facts, schema: FactSchema, text: string): unknown {
  const types = typesOf(facts, schema);
  if (types.includes('string')) return text;
  if (types.includes('array')) return [text];
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return (types.includes('integer') || types.includes('number')) && NUMBER.test(text) ? Number(text) : text;
}

/** The types of a parameter, through the references that it is. */
function typesOf(facts: Facts, schema: FactSchema | undefined): readonly unknown[] {
  if (typeof schema !== 'object') return [];
  const { $ref, type } = schema;
  return typeof $ref === 'string' ? typesOf(facts, facts.schemas[$ref.replace('#/schemas/', '')]) : [type].flat();
}

/** `form`: a request's body whose values are all text, as those of addresses. `excerpt`: a reply that may leave fields out. */
type Engine = Direction | 'form' | 'excerpt';
type Problems = (
  key: string,
  schema: FactSchema,
  engine: Engine,
  value: unknown,
  isMadeUp?: (text: string) => boolean,
) => readonly string[];

function bodyProblems(
  name: string,
  { request }: OperationFacts,
  body: unknown,
  problems: (...about: [string, FactSchema, Engine, unknown]) => readonly string[],
): readonly string[] {
  if (request === undefined) return body === undefined ? [] : [`${name} body: the description has none`];
  if (body === undefined) return request.required ? [`${name} body: is required`] : [];
  const isForm = request.contentType.startsWith('application/x-www-form-urlencoded');
  // The validator writes the values that it takes for numbers into what it is given.
  return problems(`${name} body`, request.schema, isForm ? 'form' : 'request', isForm ? structuredClone(body) : body);
}

/** Compiles the schema of a parameter, of a request's body, which is closed, or of a reply's, which may have more. */
function engineOf(
  { schemas }: Facts,
  direction: Direction,
  coerceTypes = false,
): (schema: FactSchema) => ValidateFunction {
  const ajv = new Ajv2020({
    // Descriptions carry keywords and formats of their own.
    strict: false,
    logger: false,
    formats: FORMATS,
    // Patterns are written for engines without the `u` flag.
    unicodeRegExp: false,
    allErrors: true,
    coerceTypes,
    // Errors carry the value.
    verbose: true,
  });
  const { definitions: $defs, closed } = closedSchemas(schemas, direction);
  return (schema) => ajv.compile({ ...reference(direction === 'request' ? closed(schema) : schema), $defs });
}

/** A schema as it stands among definitions: its own references name those. */
function reference(schema: FactSchema): object {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const text = JSON.stringify(schema).replaceAll('"#/schemas/', '"#/$defs/');
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? value : {};
}

/** The request with its query beside its path: goldens write both as one. */
function withQuery({ path: whole, query = {}, ...sent }: SentRequest) {
  const [path = '', search = ''] = whole.split('?');
  return { ...sent, path, query: { ...Object.fromEntries(new URLSearchParams(search)), ...query } };
}

interface Found {
  readonly name: string;
  readonly operation: OperationFacts;
  readonly places: Readonly<Record<string, string>>;
}

/** The operation whose path fits; one without places before one with them. A path may begin with that of a server. */
function operationOf(facts: Facts, { method, path: given }: Pick<SentRequest, 'method' | 'path'>): Found | undefined {
  const [path = ''] = given.split('?');
  const below = (facts.servers ?? []).flatMap((each) => {
    const { pathname } = new URL(each, 'https://provider.example');
    const base = pathname.replace(/\/$/, '');
    return base !== '' && path.startsWith(`${base}/`) ? [path.slice(base.length)] : [];
  });
  return [path, ...below].flatMap((each) => operationAt(facts, method, each) ?? [])[0];
}

function operationAt({ operations }: Facts, method: string, path: string): Found | undefined {
  const parts = path.split('/');
  const found = Object.entries(operations).flatMap(([name, operation]) => {
    const [verb, template = ''] = name.split(' ');
    const places = verb === method ? placesOf(template.split('/'), parts) : undefined;
    return places === undefined ? [] : [{ name, operation, places }];
  });
  return found.toSorted((left, right) => Object.keys(left.places).length - Object.keys(right.places).length)[0];
}

function placesOf(template: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (template.length !== parts.length) return undefined;
  const places: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const given = parts[index] ?? '';
    const place = /^\{(.+)\}$/.exec(part)?.[1];
    if (place !== undefined && given !== '') places[place] = decodeURIComponent(given);
    else if (part !== given) return undefined;
  }
  return places;
}
