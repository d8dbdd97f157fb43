import { expect, it } from 'vitest';
import { answer, sessionOf } from './sessions.ts';

/** A request that every rule of a method takes. */
export interface Good {
  readonly key: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** More fields of the session. */
  readonly session: Readonly<Record<string, unknown>>;
}

/** A path of the request, with values that are taken and values that are refused: both sides of each limit. */
export type Edge = readonly [path: string, taken: readonly unknown[], refused: readonly unknown[]];

/** The request with another value at a path of the session; at `parameters.<name>` one of the method’s own. */
function changed({ key, parameters, session }: Good, path: string, value: unknown) {
  const [block = '', name = ''] = path.split('.');
  return block === 'parameters'
    ? sessionOf(key, { ...parameters, [name]: value }, session)
    : sessionOf(key, parameters, { ...session, [block]: { ...Object(session[block]), [name]: value } });
}

/** Each edge as a test of its own; a refusal names the path and nothing else. */
export function edgesOf(good: Good, edges: readonly Edge[]): void {
  it(`${good.key} takes a good request`, () => {
    expect(answer(sessionOf(good.key, good.parameters, good.session))).toEqual([]);
  });

  const rows = edges.flatMap(([path, taken, refused]) =>
    [
      { says: 'takes', values: taken },
      { says: 'refuses', values: refused },
    ].flatMap(({ says, values }) =>
      values.map((value) => ({ says, path, value, shown: JSON.stringify(value) ?? 'nothing' })),
    ),
  );
  it.each(rows)(`${good.key} $says $path $shown`, ({ says, path, value }) => {
    const at = path.startsWith('parameters.') ? path.replace('parameters.', `parameters.${good.key}.`) : path;
    const said = answer(changed(good, path, value));
    expect(said).toEqual(says === 'takes' ? [] : [expect.stringContaining(`${at}: `)]);
    // A warning would let the value pass.
    expect(said.filter((each) => each.startsWith('warning '))).toEqual([]);
  });
}
