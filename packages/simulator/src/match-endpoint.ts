import type { Connector } from '@railyard/core';
import type { AnyEndpoint } from '@railyard/core/driver';

export interface Matched {
  readonly endpoint: AnyEndpoint;
  readonly params: Readonly<Record<string, string>>;
}

/** The endpoints that a request may be for, those with the fewest places first. */
export function matchEndpoints(connector: Connector, method: string, path: string): readonly Matched[] {
  const found = connector.endpoints.flatMap((endpoint) => {
    const params = endpoint.method === method ? paramsOf(endpoint.path, path) : undefined;
    return params === undefined ? [] : [{ endpoint, params }];
  });
  return found.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
}

function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? '';
    const names = [...part.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    const match = patternOf(part).exec(text);
    if (match === null) return undefined;
    for (const [at, name] of names.entries()) {
      const value = decoded(match[at + 1] ?? '');
      if (value === undefined) return undefined;
      params[name] = value;
    }
  }
  return params;
}

/** A part of a path may mix text and places: `{id}.xml`. */
function patternOf(part: string): RegExp {
  const fixed = part.split(/\{\w+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${fixed.join('(.+)')}$`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
