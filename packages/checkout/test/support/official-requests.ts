import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts } from '@railyard/conformance/official';
import type { HttpRequest } from '@railyard/runtime';
import { root } from '../../../../test/support/workspace.ts';

/**
 * Holds the requests that the running service sends against the official description of a provider, or against the nearest of several.
 *
 * @param facts of each description, below the repository
 * @param except ends of paths that no description has
 */
export function officialRequests(facts: readonly string[], except: readonly string[] = []) {
  const descriptions = facts.map((path) => {
    const read: Facts = JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
    return checkAgainst(read);
  });
  const sent: HttpRequest[] = [];
  return {
    note: (request: HttpRequest) => void sent.push(request),
    /** The JSON bodies of the requests to paths that end so, in their order. */
    bodies: (end: string): readonly unknown[] =>
      sent
        .filter(({ url }) => new URL(url).pathname.endsWith(end))
        .map(({ body = '' }): unknown => (body === '' ? undefined : JSON.parse(body))),
    /** How many requests were sent, and each contradiction once. */
    compared() {
      const held = sent.filter(({ url }) => !except.some((each) => new URL(url).pathname.endsWith(each)));
      const problems = held.flatMap(({ method, url, headers, body = '' }) => {
        const { pathname, searchParams } = new URL(url);
        // The simulator has each provider below its name.
        const path = `/${pathname.split('/').slice(2).join('/')}`;
        const query = Object.fromEntries(searchParams);
        const request = { method, path, query, headers, ...(body !== '' && { body: JSON.parse(body) }) };
        const each = descriptions.map((official) => official.request(request));
        return each.toSorted((one, other) => one.length - other.length)[0] ?? [];
      });
      return { requests: held.length, problems: [...new Set(problems)] };
    },
  };
}
