import { check } from 'recheck';
import ts from 'typescript';
import type { TextFile } from '../support/workspace.ts';

// In this process: neither a native program nor Java.
process.env['RECHECK_BACKEND'] = 'pure';

/** A regular expression of a source; `pattern` is absent where it is put together while the program runs. */
interface Found {
  readonly place: string;
  readonly pattern?: { readonly source: string; readonly flags: string };
}

/** Why a pattern that may take long, or that is not known before the program runs, stands in a file. */
export type Reasons = Readonly<Record<string, string>>;

export function patternsOf({ path, text }: TextFile): Found[] {
  const found: Found[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const place = () => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ place: place(), pattern: { source: node.text.slice(1, end), flags: node.text.slice(end + 1) } });
    }
    const makes = ts.isNewExpression(node) || ts.isCallExpression(node);
    const maker = makes && ts.isIdentifier(node.expression) ? node.expression.text : undefined;
    if (maker === 'RegExp') found.push({ place: place() });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Every text that such a pattern matches has one length, so that looking for it takes time in proportion to the text. */
const ofOneLength = (source: string): boolean =>
  !/[*+?|,]/.test(source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x'));

/** Steps are counted, and time is not: a verdict must not depend on how busy the machine is. On a machine at rest the slowest takes seconds. */
const BY_STEPS = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

type Written = NonNullable<Found['pattern']>;

const textOf = ({ source, flags }: Written): string => `/${source}/${flags}`;

/** The patterns that a hostile text might make slow, as they are written, each once: those of files without a reason. */
export function patternsToCheck(sources: readonly TextFile[], reasons: Reasons): string[] {
  const found = sources.filter(({ path }) => reasons[path] === undefined).flatMap(patternsOf);
  const written = found.flatMap(({ pattern }) =>
    pattern === undefined || ofOneLength(pattern.source) ? [] : [pattern],
  );
  return [...new Set(written.map(textOf))].toSorted();
}

/**
 * One line per pattern on which a hostile text can make the service stand still, and per computed one without a reason.
 *
 * @param checked patterns that were found safe before, as they are written: checking one takes seconds
 */
export async function patternOffences(
  sources: readonly TextFile[],
  reasons: Reasons,
  checked: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const verdicts = new Map<string, Promise<string | undefined>>();
  const offences: string[] = [];
  for (const source of sources)
    for (const { place, pattern } of patternsOf(source)) {
      if (reasons[source.path] !== undefined) continue;
      if (pattern === undefined) offences.push(`${place}: computes a pattern`);
      else if (!checked.has(textOf(pattern))) {
        const key = textOf(pattern);
        if (!verdicts.has(key)) verdicts.set(key, verdictOn(pattern));
        const verdict = await verdicts.get(key);
        if (verdict !== undefined) offences.push(`${place}: ${verdict}`);
      }
    }
  return offences;
}

async function verdictOn({ source, flags }: Written): Promise<string | undefined> {
  if (ofOneLength(source)) return undefined;
  const verdict = await check(source, flags, BY_STEPS);
  if (verdict.status === 'safe') return undefined;
  const why = verdict.status === 'vulnerable' ? verdict.complexity.summary : 'not understood';
  return `${textOf({ source, flags })} takes too long on a hostile text (${why})`;
}
