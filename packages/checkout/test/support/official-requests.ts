import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts } from '@railyard/conformance/official';
import type { HttpRequest } from '@railyard/runtime';
import { root } from '../../../../test/support/workspace.ts';

/**
 * Holds the requests that the running service sends against the official description of a provider.
 *
 * @param facts of the description, below the repository
 * @param except ends of paths that the description does not have
 */
export function officialRequests(facts: string, except: readonly string[] = []) {
  const read: Facts = JSON.parse(readFileSync(`${root}/${facts}`, 'utf8'));
  const official = checkAgainst(read);
  const sent: HttpRequest[] = [];
  return {
    note: (request: HttpRequest) => void sent.push(request),
    /** How many requests were sent, and each contradiction once. */
    compared() {
      const held = sent.filter(({ url }) => !except.some((each) => new URL(url).pathname.endsWith(each)));
      const problems = held.flatMap(({ method, url, headers, body = '' }) => {
        const { pathname, searchParams } = new URL(url);
        // The simulator has each provider below its name.
        const path = `/${pathname.split('/').slice(2).join('/')}`;
        const query = Object.fromEntries(searchParams);
        return official.request({ method, path, query, headers, ...(body !== '' && { body: JSON.parse(body) }) });
      });
      return { requests: held.length, problems: [...new Set(problems)] };
    },
  };
}
