import { type Issue, issue, TEXTS } from '../issues/index.ts';

/** Limits of a request body. `bytes` is for whoever reads the body: above it nothing is parsed. */
export const bodyLimits = { bytes: 256 * 1024, depth: 32, keys: 2000, keyLength: 256 } as const;

/** Keys that mean something to JavaScript objects themselves. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface BodyCheck {
  /** The body is too deep or too large to look at any further. */
  readonly excess?: Issue;
  /** Keys that no request may contain, wherever they stand. */
  readonly forbidden: readonly Issue[];
}

interface Place {
  readonly value: object;
  readonly path: readonly string[];
}

/**
 * Checks the shape of a parsed body before anything recursive touches it. Without recursion itself: JSON.parse accepts a
 * million levels, on which recursive code runs out of stack.
 */
export function checkBody(body: unknown): BodyCheck {
  const forbidden: Issue[] = [];
  const open: Place[] = isContainer(body) ? [{ value: body, path: [] }] : [];
  let keys = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path } = place;
    if (path.length >= bodyLimits.depth)
      return { excess: issue(blame(path), TEXTS.nesting(bodyLimits.depth)), forbidden };
    const isList = Array.isArray(value);
    for (const [key, child] of Object.entries(value)) {
      if (!isList) {
        keys += 1;
        if (keys > bodyLimits.keys) return { excess: issue(blame(path), TEXTS.keyCount(bodyLimits.keys)), forbidden };
        if (key.length > bodyLimits.keyLength)
          return { excess: issue(blame(path), TEXTS.keyLength(bodyLimits.keyLength)), forbidden };
        if (forbiddenKeys.has(key)) forbidden.push(issue([...path, key].join('.'), TEXTS.unexpected));
      }
      if (isContainer(child)) open.push({ value: child, path: [...path, key] });
    }
  }
  return { forbidden };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The field to name: the top-level one, or the method's under `parameters`. */
function blame(path: readonly string[]): string {
  const [top = 'body', method] = path;
  return top === 'parameters' && method !== undefined ? `${top}.${method}` : top;
}
