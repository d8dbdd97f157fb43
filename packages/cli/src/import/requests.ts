import type { OperationFacts, ParameterFacts, SecurityFacts } from '@railyard/conformance/official';
import { UsageError } from '../commands/command.ts';
import { camel, FreeNames, isAccounts, snake } from './names.ts';
import { type Reading, shapeOf } from './shape-of.ts';
import type { Shape } from './shape.ts';

/** A value of the address or of a header. */
export interface RequestPlace {
  readonly in: 'path' | 'query' | 'header';
  /** As it is sent. */
  readonly name: string;
  /** As the input of the endpoint has it. */
  readonly field: string;
  readonly required: boolean;
  readonly words?: readonly string[] | undefined;
  /** The setting that it is: `/stores/{storeId}/invoices` names an account of the merchant. */
  readonly setting?: string | undefined;
}

export interface RequestModel {
  readonly places: readonly RequestPlace[];
  /** Headers that carry the runtime's key of the step. */
  readonly keys: readonly string[];
  readonly body?: {
    readonly as: 'json' | 'form';
    readonly shape: Shape;
    /** Bodies that the description shows, by their names. */
    readonly shown: Readonly<Record<string, unknown>>;
  };
}

/** OpenAPI leaves these headers to the body and to the scheme (Parameter Object). */
const NOT_PARAMETERS = ['accept', 'content-type', 'authorization'];

const KEY = /^(?:x-)?idempotency-?key$/i;

/** Names that a builder has beside its input. */
const TAKEN = ['body', 'key', 'settings', 'token', 'json', 'form', 'input'];

/** Reads what a request of an operation carries. */
export function requestOf(
  operation: string,
  facts: OperationFacts,
  schemes: readonly SecurityFacts[],
  reading: Reading,
): RequestModel {
  const names = new FreeNames(TAKEN);
  const credentials = schemes.map(({ name = '' }) => name.toLowerCase());
  const sent = [...facts.parameters, ...undescribed(operation, facts)].filter(({ in: place, name }) => {
    const lower = name.toLowerCase();
    return !(place === 'header' && NOT_PARAMETERS.includes(lower)) && !credentials.includes(lower);
  });
  const isRead = operation.startsWith('GET ');
  const isKey = (each: ParameterFacts) => each.in === 'header' && KEY.test(each.name);
  const places = sent
    .filter((each) => !isKey(each))
    .filter((each) => {
      const required = each.in === 'path' || each.required;
      // A list is looked through by its query, whatever the flows read of it.
      if (isRead && each.in === 'query' && reading.selection.isNamed) return true;
      // Optional headers are seldom what a payment needs.
      return reading.selection.keeps(each.name, 'request', { required, leaf: each.in !== 'header' }, operation);
    })
    .map((each) => placeOf(each, reading, names));
  return {
    places,
    // A call that changes nothing needs no key, though some descriptions take one everywhere.
    keys: sent.filter((each) => isKey(each) && (!isRead || each.required)).map(({ name }) => name.toLowerCase()),
    ...bodyOf(operation, facts, reading),
  };
}

/** Places of the path that a description forgot among its parameters. */
function undescribed(operation: string, { parameters }: OperationFacts): readonly ParameterFacts[] {
  const places = [...operation.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return places
    .filter((name) => !parameters.some((each) => each.in === 'path' && each.name === name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function placeOf(
  { in: place, name, required, schema }: ParameterFacts,
  reading: Reading,
  names: FreeNames,
): RequestPlace {
  const shape = shapeOf(reading, { schema, within: [] }, name);
  const words = shape.kind === 'text' ? shape.words : shape.kind === 'fixed' ? [String(shape.value)] : undefined;
  return {
    in: place,
    name: place === 'header' ? name.toLowerCase() : name,
    field: names.take(/^[a-z]\w*$/i.test(name) && place !== 'header' ? name : camel(name)),
    required: required || place === 'path',
    words,
    setting: place === 'path' && isAccounts(name) ? snake(name) : undefined,
  };
}

function bodyOf(operation: string, { request }: OperationFacts, reading: Reading): Pick<RequestModel, 'body'> {
  if (request === undefined) return {};
  const as = /json\b/i.test(request.contentType)
    ? 'json'
    : request.contentType.startsWith('application/x-www-form-urlencoded')
      ? 'form'
      : undefined;
  if (as === undefined)
    throw new UsageError(
      `${operation} takes ${request.contentType}. Only JSON and forms are written: leave the operation out, and write its endpoint by hand.`,
    );
  const hint = `${reading.endpoint}-body`;
  const shape = shapeOf(reading, { schema: request.schema, within: [] }, hint);
  return { body: { as, shape, shown: request.examples ?? {} } };
}
