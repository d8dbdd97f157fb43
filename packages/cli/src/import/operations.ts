import type { Facts } from '@railyard/conformance/official';
import { UsageError } from '../commands/command.ts';
import { nearest } from '../output/nearest.ts';

/** The methods of a Path Item Object of OpenAPI that an endpoint may have. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** So many of its operations an error names; a description may have hundreds. */
const MOST_NAMED = 12;

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The content of a file: a description, or its facts, reduced by `railyard facts`. */
export type Source = { readonly description: Given } | { readonly facts: Facts };

/** @throws UsageError for anything but OpenAPI 3 and facts */
export function sourceOf(given: unknown, file: string): Source {
  if (!isRecord(given))
    throw new UsageError(`${file} describes no API: it is no object. Give an OpenAPI description of version 3.`);
  if (isFacts(given)) return { facts: given };
  if (typeof given['swagger'] === 'string')
    throw new UsageError(
      `${file} is Swagger ${given['swagger']}. Convert it to OpenAPI 3 first; editor.swagger.io does, for example.`,
    );
  if (typeof given['openapi'] !== 'string' || !given['openapi'].startsWith('3.'))
    throw new UsageError(`${file} is no OpenAPI description of version 3: its field "openapi" must begin with 3.`);
  if (!isRecord(given['paths'])) throw new UsageError(`${file} describes no calls: it has no "paths".`);
  return { description: given };
}

function isFacts(given: Given): given is Given & Facts {
  return (
    given['openapi'] === undefined && isRecord(given['operations']) && isRecord(given['schemas']) && 'source' in given
  );
}

/** The calls that a description or its facts have, as `POST /orders`; notifications are none. */
export function operationsIn(source: Source): readonly string[] {
  if ('facts' in source) return Object.keys(source.facts.operations).filter((name) => / \//.test(name));
  const { paths } = source.description;
  return Object.entries(isRecord(paths) ? paths : {}).flatMap(([path, item]) =>
    METHODS.filter((method) => isRecord(item) && item[method.toLowerCase()] !== undefined).map(
      (method) => `${method} ${path}`,
    ),
  );
}

/** The webhooks of a description, and the callbacks of some of its operations, as their methods and names. */
export function notificationsIn(source: Source, operations: readonly string[]): readonly string[] {
  if ('facts' in source) return Object.keys(source.facts.operations).filter((name) => !name.includes(' /'));
  const { webhooks, paths } = source.description;
  const callbacks = operations.flatMap((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const item = isRecord(paths) ? paths[path] : undefined;
    const about = isRecord(item) ? item[method.toLowerCase()] : undefined;
    // By their names, each by the addresses that a request gave.
    const given = isRecord(about) && isRecord(about['callbacks']) ? about['callbacks'] : {};
    return Object.entries(given).map(
      ([name, byAddress]) => [name, isRecord(byAddress) ? Object.values(byAddress)[0] : undefined] as const,
    );
  });
  const all = [...Object.entries(isRecord(webhooks) ? webhooks : {}), ...callbacks];
  return [...new Set(all.map(([name, item]) => `${methodIn(item)} ${name}`))];
}

/** Of a path item that is a reference elsewhere it is not known here: notifications are posted nearly everywhere. */
const methodIn = (item: unknown): string =>
  METHODS.find((each) => isRecord(item) && item[each.toLowerCase()] !== undefined) ?? 'POST';

/**
 * The operations that were asked for: `POST /orders`, or `/orders` for all methods of the path.
 *
 * @throws UsageError for a missing operation, with the nearest
 */
export function operationsOf(source: Source, wanted: readonly string[], file: string): readonly string[] {
  const known = operationsIn(source);
  const found = wanted.flatMap((each) => {
    const [word = '', path] = each.trim().split(/\s+/);
    const method = path === undefined ? undefined : word.toUpperCase();
    if (method !== undefined && !METHODS.includes(method))
      throw new UsageError(`"${each}": ${word} is no method of an endpoint. Use one of: ${METHODS.join(', ')}.`);
    const at = path ?? word;
    const matching = known.filter(
      (name) => name.endsWith(` ${at}`) && (method === undefined || name === `${method} ${at}`),
    );
    if (matching.length === 0)
      throw new UsageError(`${file} has no operation "${each}". ${adviceFor(method, at, known)}`);
    return matching;
  });
  return [...new Set(found)];
}

function adviceFor(method: string | undefined, path: string, known: readonly string[]): string {
  const others = known.filter((name) => name.endsWith(` ${path}`));
  if (others.length > 0) return `The path has ${others.join(' and ')}.`;
  const near = nearest(
    method === undefined ? path : `${method} ${path}`,
    method === undefined ? known.map(pathIn) : known,
  );
  if (near !== undefined) return `Did you mean "${near}"?`;
  const shown = known.slice(0, MOST_NAMED).join(', ');
  return `It has ${shown}${known.length > MOST_NAMED ? ` and ${known.length - MOST_NAMED} more` : ''}.`;
}

const pathIn = (operation: string): string => operation.split(' ')[1] ?? '';

/**
 * The facts of some operations of a source.
 *
 * @param annotated whether sentences and examples of a description are kept
 *
 * @throws UsageError where a reference of the description leads nowhere, or the kit is not installed
 */
export async function factsOf(
  source: Source,
  operations: readonly string[],
  from: string,
  annotated = false,
): Promise<Facts> {
  if ('facts' in source) {
    const all = source.facts.operations;
    const chosen = operations.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
    return { ...source.facts, operations: Object.fromEntries(chosen) };
  }
  const { reduceDescription } = await import('@railyard/conformance/official').catch(() => {
    throw new UsageError('The kit is not installed here: npm install --save-dev @railyard/conformance');
  });
  try {
    return reduceDescription(source.description, { source: from, licence: '' }, operations, annotated);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
