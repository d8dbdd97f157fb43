import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import { isContainer } from '../plain-data.ts';

/** Limits of a request body. `bytes` is for the code that reads the body: above it nothing is parsed. */
export const bodyLimits = {
  bytes: 256 * 1024,
  depth: 32,
  keys: 2000,
  keyLength: 256,
  items: 100,
  /** A cart may be long: `cart.items` of a method. */
  cartItems: 1000,
} as const;

/** Whether a key means something to JavaScript objects themselves. */
export const isForbidden = (key: string): boolean =>
  key === '__proto__' || key === 'constructor' || key === 'prototype';

export interface BodyCheck {
  /** The body is too deep or too large to look at any further. */
  readonly excess?: Issue;
  /** Keys that no request may contain, wherever they stand. */
  readonly forbidden: readonly Issue[];
}

type Container = Readonly<Record<string, unknown>>;

/** Where a container stands: written out only for an issue. */
interface Place {
  readonly key: string;
  readonly within: Place | undefined;
}

/**
 * Checks the shape of a parsed body before anything else touches it. It goes no deeper than the limit: JSON.parse accepts a
 * million levels, on which recursive code runs out of stack.
 */
export function checkBody(body: unknown): BodyCheck {
  const forbidden: Issue[] = [];
  let keys = 0;
  const excessOf = (value: Container, place: Place | undefined, level: number): Issue | undefined => {
    if (level >= bodyLimits.depth) return excess(place, TEXTS.nesting(bodyLimits.depth));
    const isList = Array.isArray(value);
    const most = isCart(place) ? bodyLimits.cartItems : bodyLimits.items;
    if (isList && value.length > most) return excess(place, TEXTS.tooMany(most));
    for (const key of Object.keys(value)) {
      if (!isList) {
        keys += 1;
        if (keys > bodyLimits.keys) return excess(place, TEXTS.keyCount(bodyLimits.keys));
        if (key.length > bodyLimits.keyLength) return excess(place, TEXTS.keyLength(bodyLimits.keyLength));
        if (isForbidden(key)) forbidden.push(issue([...namesOf(place), key].join('.'), TEXTS.unexpected));
      }
      const child = value[key];
      const within = isContainer(child) ? excessOf(child, { key, within: place }, level + 1) : undefined;
      if (within !== undefined) return within;
    }
    return undefined;
  };
  const found = isContainer(body) ? excessOf(body, undefined, 0) : undefined;
  return { ...(found && { excess: found }), forbidden };
}

const excess = (place: Place | undefined, text: string) => issue(blame(namesOf(place)), text);

const isCart = (place: Place | undefined) => place?.key === 'items' && place.within?.key === 'cart';

function namesOf(place: Place | undefined): string[] {
  return place === undefined ? [] : [...namesOf(place.within), place.key];
}

/** The field to name: the top-level one, or the method's under `parameters`. */
function blame(path: readonly string[]): string {
  const [top = 'body', method] = path;
  return top === 'parameters' && method !== undefined ? `${top}.${method}` : top;
}
