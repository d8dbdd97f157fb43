import type { TextFile } from '../support/workspace.ts';

/** Files that strangers read: packages, the guides and the front pages whole, of tests the titles. */
export const READ_BY_STRANGERS = /^(packages\/[^/]+\/(src\/|README\.md$)|docs\/|README\.md$)|\.test\.ts$/;

const TEST = /\.test\.ts$/;
/** A line with the title of a test, or of a table of tests, in plain quotes. */
const TITLE = /^\s*(?:(?:it|test|describe)\b.*?\(|\]\)\()['`]/;
const SOURCE = /^packages\/[^/]+\/src\//;
const NO_ACTOR = /\b(nobody|somebody|whoever)\b/gi;
const BEGINS_WITH_WHAT = /(\/\*\*? |\/\/ |^\s*\* )What\b/;

/** One line per word that hides who acts (in a test: in its title), and per comment of a package's source that begins with "What". */
export function proseOffences({ path, text }: TextFile): string[] {
  return text.split('\n').flatMap((line, at) => {
    if (TEST.test(path) && !TITLE.test(line)) return [];
    const place = `${path}:${at + 1}`;
    const found = [...line.matchAll(NO_ACTOR)].map(
      ([word]) => `${place}: says "${word}"; name the actor: payer, merchant, provider, operator, caller, process`,
    );
    if (SOURCE.test(path) && BEGINS_WITH_WHAT.test(line))
      found.push(
        `${place}: a comment begins with "What"; begin with the thing itself: "The state that a lookup reports."`,
      );
    return found;
  });
}
