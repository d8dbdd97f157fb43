import { corrected, type Correction } from './corrections.ts';
import type { BodyFacts, Facts, FactSchema, OperationFacts, ParameterFacts, ReplyFacts } from './facts.ts';
import { isRecord, resolve } from './pointer.ts';
import { schemesOf, serversOf, waysIn } from './reduce-access.ts';
import { type Names, reduceSchema } from './reduce-schema.ts';

const PLACES = ['header', 'path', 'query'] as const;

/** Where a description comes from, and what in it is mended before it is reduced. */
export interface Origin {
  readonly source: string;
  readonly licence: string;
  readonly corrections?: readonly Correction[];
}

/**
 * Reduces an OpenAPI description (3.0 or 3.1) to the facts of some operations and of the schemas that these use.
 *
 * @param operations `PUT /cob/{txid}` and the like, as the description writes them; a notification is `POST` and its name
 * @param annotated whether sentences and examples are kept too
 * @throws Error for an operation that the description does not have, naming those it has
 */
export function reduceDescription(
  given: unknown,
  origin: Origin,
  operations: readonly string[],
  annotated = false,
): Facts {
  const { source, licence, corrections = [] } = origin;
  const description = corrected(given, corrections);
  if (!isRecord(description)) throw new Error(`${source} is no OpenAPI description: it is no object.`);
  const names: Names = { description, schemas: new Map(), waiting: [], elsewhere: new Set(), annotated };
  const reduced = operations.map((name) => [name, operationFacts(names, name, source)] as const);
  const schemas: Record<string, FactSchema> = {};
  for (let pointer = names.waiting.shift(); pointer !== undefined; pointer = names.waiting.shift())
    schemas[names.schemas.get(pointer) ?? pointer] = reduceSchema(names, resolve(description, pointer));
  const info = isRecord(description.info) ? description.info : {};
  return {
    source,
    version: String(info.version),
    licence,
    corrections,
    operations: Object.fromEntries(reduced),
    schemas: sorted(schemas),
    ...(names.elsewhere.size > 0 && { elsewhere: [...names.elsewhere] }),
    ...serversOf(description),
    ...schemesOf(
      description,
      reduced.map(([, operation]) => operation),
    ),
  };
}

function operationFacts(names: Names, name: string, source: string): OperationFacts {
  const [method = '', path = ''] = name.split(' ');
  const paths = isRecord(names.description.paths) ? names.description.paths : {};
  const found = paths[path] ?? notificationsOf(names, paths)[path];
  const item = found === undefined ? undefined : follow(names, found);
  const operation = isRecord(item) ? item[method.toLowerCase()] : undefined;
  if (!isRecord(item) || !isRecord(operation))
    throw new Error(`${source} has no operation "${name}". It has the paths ${Object.keys(paths).join(', ')}.`);
  const request = requestFacts(names, operation.requestBody);
  return {
    parameters: [...list(item.parameters), ...list(operation.parameters)].flatMap((each) =>
      parameterFacts(names, each),
    ),
    ...waysIn(names.description, operation),
    ...(request && { request }),
    replies: Object.fromEntries(
      Object.entries(isRecord(operation.responses) ? operation.responses : {}).map(([status, reply]) => [
        status,
        replyFacts(names, reply),
      ]),
    ),
  };
}

/** By name: the webhooks of OpenAPI 3.1, and the callbacks of operations, whose addresses are those that a request gave. Either may be a reference. */
function notificationsOf(names: Names, paths: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const callbacks = Object.values(paths)
    .flatMap((item) => Object.values(isRecord(item) ? item : {}))
    .flatMap((operation) =>
      Object.entries(isRecord(operation) && isRecord(operation.callbacks) ? operation.callbacks : {}),
    )
    .map(([name, byAddress]) => [name, Object.values(follow(names, byAddress))[0]] as const);
  const { webhooks } = names.description;
  return { ...Object.fromEntries(callbacks), ...(isRecord(webhooks) && webhooks) };
}

function parameterFacts(names: Names, given: unknown): readonly ParameterFacts[] {
  const parameter = follow(names, given);
  const place = PLACES.find((each) => each === parameter.in);
  if (place === undefined) return [];
  const { name, required, schema } = parameter;
  return [{ name: String(name), in: place, required: required === true, schema: reduceSchema(names, schema ?? {}) }];
}

function requestFacts(names: Names, given: unknown): BodyFacts | undefined {
  if (given === undefined) return undefined;
  const request = follow(names, given);
  const body = contentOf(request.content);
  if (body === undefined) return undefined;
  const schema = reduceSchema(names, body.schema);
  return {
    contentType: body.contentType,
    required: request.required === true,
    schema,
    ...examplesIn(names, body.media),
  };
}

function replyFacts(names: Names, given: unknown): ReplyFacts {
  const reply = follow(names, given);
  const body = contentOf(reply.content);
  const headers = Object.keys(isRecord(reply.headers) ? reply.headers : {}).map((name) => name.toLowerCase());
  if (body === undefined) return { headers };
  const { contentType } = body;
  return {
    headers,
    ...(!JSON_TYPE.test(contentType) && { contentType }),
    body: reduceSchema(names, body.schema),
    ...examplesIn(names, body.media),
  };
}

/** `application/json`, with parameters, of a vendor: RFC 6839, 3.1. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:$|[; ])/i;

/** A body may be written in several ways: as JSON where it can be, else as the first. */
function contentOf(content: unknown) {
  const given = Object.entries(isRecord(content) ? content : {});
  const chosen = given.find(([contentType]) => JSON_TYPE.test(contentType)) ?? given[0];
  if (chosen === undefined || !isRecord(chosen[1])) return undefined;
  return { contentType: chosen[0], schema: chosen[1].schema ?? {}, media: chosen[1] };
}

/** The values that a body is shown with: `example`, or `examples` by name (OpenAPI, Media Type Object). */
function examplesIn(
  names: Names,
  { example, examples }: Readonly<Record<string, unknown>>,
): Pick<BodyFacts, 'examples'> {
  if (!names.annotated) return {};
  const named = Object.entries(isRecord(examples) ? examples : {}).flatMap(([name, each]) => {
    const { value } = follow(names, each);
    return value === undefined ? [] : [[name, value] as const];
  });
  const all = [...(example === undefined ? [] : [['', example] as const]), ...named];
  return all.length === 0 ? {} : { examples: Object.fromEntries(all) };
}

function follow(names: Names, given: unknown): Readonly<Record<string, unknown>> {
  const value = isRecord(given) && typeof given.$ref === 'string' ? resolve(names.description, given.$ref) : given;
  if (!isRecord(value)) throw new Error('A part of the description is no object.');
  return value;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const sorted = (schemas: Record<string, FactSchema>) =>
  Object.fromEntries(Object.entries(schemas).toSorted(([left], [right]) => left.localeCompare(right)));
