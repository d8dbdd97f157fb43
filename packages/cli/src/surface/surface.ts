import type { Connector, LimitRow, Method, OperationSpec } from '@railyard/core';
import { type AnyFlows, tablesOf } from '@railyard/core/driver';
import { english, fieldInfo, OPERATIONS } from '@railyard/core/registry';
import * as z from 'zod';
import { UsageError } from '../commands/command.ts';
import { exportedBy } from '../connectors/exported.ts';
import { loadModule } from '../connectors/load-module.ts';
import { builtEntry, entriesOf, type Package } from '../connectors/package-entry.ts';
import { type JsonSchema, withoutTexts } from './schema-changes.ts';

/** A parameter, a need or a setting as others rely on it. */
export interface FieldSurface {
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly sources: readonly string[];
  /** Conditions and marks, as one text: they are the same or they are not. */
  readonly applies: string;
  readonly texts: string;
}

export type Fields = Readonly<Record<string, FieldSurface>>;

export interface OperationSurface {
  /** By name, or by variant and name. */
  readonly fields: Fields;
  readonly needs: Fields;
  readonly completion: readonly string[];
  /** A rule's text → its level. */
  readonly rules: Readonly<Record<string, string>>;
  /** How the operation is called beside its parameters. */
  readonly marks: string;
}

export interface MethodSurface {
  readonly title: string;
  readonly currencies: readonly string[] | undefined;
  readonly countries: readonly string[] | undefined;
  readonly operations: Readonly<Record<string, OperationSurface>>;
  readonly limits: readonly LimitRow[];
}

export interface EndpointSurface {
  readonly request: string;
  readonly repeat: string;
  readonly replies: string;
  readonly timeoutMs: number;
}

export interface ConnectorSurface {
  readonly contract: number;
  readonly settings: Fields;
  readonly endpoints: Readonly<Record<string, EndpointSurface>>;
  readonly statuses: Readonly<Record<string, string>>;
  /** Method and flow → which amounts it takes; `any` where that is no question. */
  readonly flows: Readonly<Record<string, 'any' | 'parts' | 'whole'>>;
  readonly notifications: string;
}

/** Everything of a package that others rely on, as plain data. */
export interface Surface {
  readonly name: string;
  readonly version: string;
  readonly node: string;
  readonly peers: Readonly<Record<string, string>>;
  /** Entry → names that it exports. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
  readonly methods: Readonly<Record<string, MethodSurface>>;
  readonly connectors: Readonly<Record<string, ConnectorSurface>>;
}

/** The facts that package.json alone declares. */
export type PackageSurface = Pick<Surface, 'name' | 'version' | 'node' | 'peers'>;

export function packageSurface({ manifest }: Package): PackageSurface {
  const { name, version, engines, peerDependencies } = manifest;
  return {
    name,
    version,
    node: String(engines['node'] ?? ''),
    peers: Object.fromEntries(Object.entries(peerDependencies).map(([peer, range]) => [peer, String(range)])),
  };
}

/** Loads a package and describes it. @throws UsageError where it does not load, or is not built */
export async function surfaceOf(one: Package): Promise<Surface> {
  const entries = entriesOf(one);
  const modules = await Promise.all(entries.map((entry) => loadEntry(one, entry)));
  const exported = modules.map(exportedBy);
  const connectors = exported.flatMap((each) => each.connectors);
  const methods = new Set([
    ...exported.flatMap((each) => each.methods),
    ...connectors.flatMap(({ serves }) => serves.map(({ method }) => method)),
  ]);
  return {
    ...packageSurface(one),
    entries: Object.fromEntries(entries.map((entry, index) => [entry, Object.keys(modules[index] ?? {})])),
    methods: Object.fromEntries([...methods].map((method) => [method.key, methodSurface(method)])),
    connectors: Object.fromEntries(connectors.map((connector) => [connector.id, connectorSurface(connector)])),
  };
}

async function loadEntry(one: Package, entry: string): Promise<Readonly<Record<string, unknown>>> {
  const file = builtEntry(one, entry);
  if (file === undefined)
    throw new UsageError(`${one.manifest.name} has no file for its entry "${entry}". Build it first: npm run build`);
  return loadModule(file);
}

function methodSurface({ title, currencies, countries, operations, limits }: Method): MethodSurface {
  return {
    title: english(title),
    currencies,
    countries,
    operations: Object.fromEntries(
      OPERATIONS.flatMap((name) => {
        const spec = operations[name];
        return spec === undefined ? [] : [[name, operationSurface(spec)]];
      }),
    ),
    limits: limits?.rows ?? [],
  };
}

function operationSurface(spec: OperationSpec): OperationSurface {
  const { needs = {}, rules = [], completion, openAmount = false, card = false, payeeCard = false } = spec;
  const shapes: [string, z.ZodObject][] =
    'parameters' in spec ? [['', spec.parameters]] : Object.entries(spec.variants.cases);
  const fields = shapes.flatMap(([variant, { shape }]) =>
    Object.entries(shape).map(([name, schema]) => [
      variant === '' ? name : `${name} (${variant})`,
      fieldSurface(name, schema),
    ]),
  );
  return {
    fields: Object.fromEntries(fields),
    needs: fieldsOf(needs),
    completion,
    rules: Object.fromEntries(rules.map(({ says, level }) => [says, level])),
    marks: JSON.stringify({ openAmount, card, payeeCard, by: 'variants' in spec ? spec.variants.by : undefined }),
  };
}

function fieldsOf(shape: Readonly<Record<string, z.core.$ZodType>>): Fields {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, fieldSurface(name, schema)]));
}

function fieldSurface(name: string, schema: z.core.$ZodType): FieldSurface {
  const { label, help, example, sources = [], when, only, secret, request } = fieldInfo(schema, name);
  return {
    required: !z.safeParse(schema, undefined).success,
    schema: withoutTexts(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    sources,
    applies: JSON.stringify({ when, only, secret, request }),
    texts: JSON.stringify({ label, help, example }),
  };
}

function connectorSurface(connector: Connector): ConnectorSurface {
  const { contract, settings, endpoints, serves, notifications } = connector;
  return {
    contract,
    settings: fieldsOf(settings.shape),
    endpoints: Object.fromEntries(endpoints.map((endpoint) => [endpoint.name, endpointSurface(endpoint)])),
    statuses: Object.fromEntries(
      tablesOf(connector).flatMap(({ rows }, at) =>
        Object.entries(rows).map(([word, to]) => [at === 0 ? word : `${at}/${word}`, JSON.stringify(to)]),
      ),
    ),
    flows: Object.fromEntries(serves.flatMap(({ method, flows }) => flowsOf(method.key, flows))),
    notifications:
      notifications === undefined
        ? ''
        : JSON.stringify([notifications.verify, notifications.codec, ...(notifications.also ?? [])]),
  };
}

function endpointSurface({
  method,
  path,
  repeat,
  variants,
  timeoutMs,
}: Connector['endpoints'][number]): EndpointSurface {
  const replies = Object.entries(variants).map(([name, { status, where, body }]) => [
    name,
    status,
    where,
    withoutTexts(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })),
  ]);
  return { request: `${method} ${path}`, repeat, replies: JSON.stringify(replies), timeoutMs };
}

function flowsOf(key: string, flows: AnyFlows): [string, 'any' | 'parts' | 'whole'][] {
  return Object.entries(flows).flatMap(([name, flow]: [string, unknown]) => {
    if (flow === undefined || name === 'pendingForHours' || name === 'texts') return [];
    const divides = typeof flow === 'object' && flow !== null && 'partial' in flow;
    return [[`${key} ${name}`, divides ? (flow.partial === true ? 'parts' : 'whole') : 'any']];
  });
}
