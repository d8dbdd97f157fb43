import { checkBody, issue, TEXTS, type Answer, type ValidationBody, validationAnswer } from '@railyard/core';

/** What a request's text holds: an object within the limits of bodies, or the answer that says why not. */
export type JsonBody =
  | { readonly ok: true; readonly body: object }
  | { readonly ok: false; readonly answer: Answer<ValidationBody> };

/** Reads a request that is not a session request; those are read by `parseSession` in the same way. */
export function readJsonBody(text: string): JsonBody {
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { ok: false, answer: notAnObject() };
  const { excess, forbidden } = checkBody(body);
  const issues = excess === undefined ? forbidden : [excess];
  return issues.length === 0 ? { ok: true, body } : { ok: false, answer: validationAnswer(issues) };
}

/** The answer to a body that is no JSON object. */
export const notAnObject = (): Answer<ValidationBody> => validationAnswer([issue('body', TEXTS.type('object'))]);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
