import { TEXTS } from '@railyard/core';
import {
  type Answer,
  bodyLimits,
  checkBody,
  issue,
  type Issue,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';

/** The body of a request: an object within the limits of bodies, or the answer that refuses it. */
export type JsonBody =
  | { readonly ok: true; readonly body: object }
  | { readonly ok: false; readonly answer: Answer<ValidationBody> };

/** Checks the body of a request that is not a session request; those are checked by `parseSession` in the same way. */
export function checkObject(body: unknown): JsonBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { ok: false, answer: notAnObject() };
  const { excess, forbidden } = checkBody(body);
  const issues = excess === undefined ? forbidden : [excess];
  return issues.length === 0 ? { ok: true, body } : { ok: false, answer: validationAnswer(issues) };
}

/** The answer to a body that is no JSON object. */
export const notAnObject = (): Answer<ValidationBody> => validationAnswer([issue('body', TEXTS.type('object'))]);

/** The value of a text, whatever it is, or the answer to what is no JSON or by far too much of it. */
export function parseJson(
  text: string,
): { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly answer: Answer<ValidationBody> } {
  const excess = text.length > MOST_MARKS ? excessOf(text) : undefined;
  if (excess !== undefined) return { ok: false, answer: validationAnswer([excess]) };
  try {
    return { ok: true, body: JSON.parse(text) };
  } catch {
    return { ok: false, answer: notAnObject() };
  }
}

/** Far above what `checkBody` accepts: to make the objects of so many would cost more than to count them. */
const MOST_MARKS = 8 * bodyLimits.keys;

/** The fault of a text that begins so many objects and lists and names so many keys that it is not worth reading, at its top-level field. */
function excessOf(text: string): Issue | undefined {
  // No object, whatever stands in it.
  if (!text.trimStart().startsWith('{')) return issue('body', TEXTS.type('object'));
  let marks = 0;
  let depth = 0;
  let string = '';
  let field = 'body';
  for (let at = 0; at < text.length && marks <= MOST_MARKS; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (depth === 1) string = text.slice(at + 1, end);
      at = end;
    } else if (sign === '{' || sign === '[') {
      marks += 1;
      depth += 1;
    } else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ':') {
      marks += 1;
      if (depth === 1) field = string;
    }
  }
  if (marks <= MOST_MARKS) return undefined;
  const name = field.length > bodyLimits.keyLength ? 'body' : field;
  return issue(name, depth > bodyLimits.depth ? TEXTS.nesting(bodyLimits.depth) : TEXTS.keyCount(bodyLimits.keys));
}

/** Where the string that begins at a place ends: at the first quote that no odd number of backslashes stands before. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslash = end;
    while (text[backslash - 1] === '\\') backslash -= 1;
    if ((end - backslash) % 2 === 0) return end;
  }
  return text.length;
}
