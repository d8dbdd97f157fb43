import type { Facts, OperationFacts, SecurityFacts } from './facts.ts';
import { isRecord } from './pointer.ts';

type Given = Readonly<Record<string, unknown>>;

/** Addresses of the API, their places (`{region}`) at the defaults that the description gives (OpenAPI, Server Variable Object). */
export function serversOf({ servers }: Given): Pick<Facts, 'servers'> {
  if (!Array.isArray(servers)) return {};
  const addresses = servers.filter(isRecord).map(({ url, variables }) =>
    String(url).replaceAll(/\{([^{}]+)\}/g, (place, name: string) => {
      const variable = isRecord(variables) ? variables[name] : undefined;
      return isRecord(variable) ? String(variable.default) : place;
    }),
  );
  return { servers: addresses };
}

/** The ways into one operation: its own, else those of the whole description. */
export function waysIn(description: Given, operation: Given): Pick<OperationFacts, 'security'> {
  const given = operation.security ?? description.security;
  if (!Array.isArray(given)) return {};
  return {
    security: given
      .filter(isRecord)
      .map((way) => Object.fromEntries(Object.entries(way).map(([name, scopes]) => [name, textsOf(scopes)]))),
  };
}

/** The schemes that some operations name. */
export function schemesOf({ components }: Given, operations: readonly OperationFacts[]): Pick<Facts, 'security'> {
  const all = isRecord(components) && isRecord(components.securitySchemes) ? components.securitySchemes : {};
  const named = new Set(operations.flatMap(({ security = [] }) => security.flatMap((way) => Object.keys(way))));
  const used = Object.entries(all).flatMap(([name, scheme]) =>
    named.has(name) && isRecord(scheme) ? [[name, schemeOf(scheme)] as const] : [],
  );
  return used.length === 0 ? {} : { security: Object.fromEntries(used) };
}

function schemeOf({ type, in: place, name, scheme, flows }: Given): SecurityFacts {
  return {
    type: String(type),
    ...(typeof place === 'string' && { in: place }),
    ...(typeof name === 'string' && { name }),
    ...(typeof scheme === 'string' && { scheme: scheme.toLowerCase() }),
    ...(isRecord(flows) && {
      flows: Object.fromEntries(
        Object.entries(flows).map(([flow, about]) => [flow, isRecord(about) ? String(about.tokenUrl ?? '') : '']),
      ),
    }),
  };
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
