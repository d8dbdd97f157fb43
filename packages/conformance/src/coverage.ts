import { type Debugger, type Profiler, type Runtime, Session } from 'node:inspector';
import type { Connector } from '@railyard/core';

/** A part of the connector's code that has not run. */
export interface Unreached {
  /** The function that it is in; empty where it has no name. */
  readonly inside: string;
  /** On one line. */
  readonly code: string;
}

/** Counts which parts of a connector run, from now on. */
export interface Coverage {
  /**
   * The parts of the files that hold the connector's flows which have not run, or `undefined` where all of them ran before V8 counted at all.
   * The counts begin anew.
   */
  unreached(): readonly Unreached[] | undefined;
}

const NAME = '__railyard_counted__';
/** Vitest's way of writing a name that was imported. */
const IMPORTED = /\(0,\s*__vite_ssr_import_\d+__\.(\w+)\)/g;

/** There is nothing in it that a check could lead to; Vitest puts one around each export. */
const EMPTY = /^catch\s*\{\s*\}$/;

/** It stays open, and its debugger on: V8 counts no parts any more once either ends. */
let counting: Session | undefined;

/**
 * V8 counts the parts of a function only where it counted before the function ran first, so this begins before any check. In a process that
 * runs the connector earlier, counting has to begin with the process. Sessions of the same thread answer at once.
 */
export function countParts(connector: Connector): Coverage {
  const session = counting ?? begun();
  // Earlier runs in this process are no check's.
  session.post('Profiler.takePreciseCoverage');
  return {
    unreached() {
      const found: Unreached[] = [];
      let isCounted = false;
      const own = scriptsOf(session, functionsOf(connector));
      const counted = answered<Profiler.TakePreciseCoverageReturnType>((done) =>
        session.post('Profiler.takePreciseCoverage', done),
      );
      const run = new Map(counted?.result.map((each) => [each.scriptId, each]));
      for (const scriptId of own) {
        const { functions = [] } = run.get(scriptId) ?? {};
        if (functions.length === 0) found.push({ inside: '', code: 'any function of a file with flows' });
        const source = sourceOf(session, scriptId);
        for (const { functionName, ranges, isBlockCoverage } of functions.filter((each) => !isFile(each))) {
          isCounted ||= isBlockCoverage;
          for (const { startOffset, endOffset } of ranges.filter(({ count }) => count === 0)) {
            const code = source.slice(startOffset, endOffset).replaceAll(IMPORTED, '$1').replaceAll(/\s+/g, ' ').trim();
            if (/\w/.test(code) && !EMPTY.test(code)) found.push({ inside: functionName, code });
          }
        }
      }
      return isCounted ? found : undefined;
    },
  };
}

function begun(): Session {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  session.post('Debugger.enable');
  session.post('Debugger.setSkipAllPauses', { skip: true });
  counting = session;
  return session;
}

function answered<R>(ask: (done: (error: Error | null, result: R) => void) => void): R | undefined {
  let answer: R | undefined;
  ask((_error, result) => {
    answer = result;
  });
  return answer;
}

/** The code of the file itself, in the frame that a test runner puts around it. */
const isFile = ({ ranges: [whole] }: Profiler.FunctionCoverage): boolean =>
  whole === undefined || whole.startOffset === 0;

const functionsOf = ({ serves, notifications }: Connector): readonly unknown[] => [
  notifications?.events,
  ...serves.flatMap(({ flows }) =>
    Object.values(flows).map((each) => (typeof each === 'object' && 'flow' in each ? each.flow : each)),
  ),
];

/** The scripts in which functions are written. */
function scriptsOf(session: Session, functions: readonly unknown[]): ReadonlySet<string> {
  Reflect.set(globalThis, NAME, functions);
  try {
    const list = answered<Runtime.EvaluateReturnType>((done) =>
      session.post('Runtime.evaluate', { expression: NAME }, done),
    );
    const items = propertiesOf(session, list?.result.objectId)?.result ?? [];
    const places = items.flatMap(({ value }) => propertiesOf(session, value?.objectId)?.internalProperties ?? []);
    return new Set(
      places.flatMap(({ name, value }): string[] => {
        const place: unknown = name === '[[FunctionLocation]]' ? value?.value : undefined;
        return typeof place === 'object' && place !== null && 'scriptId' in place ? [String(place.scriptId)] : [];
      }),
    );
  } finally {
    Reflect.deleteProperty(globalThis, NAME);
  }
}

const propertiesOf = (session: Session, objectId: string | undefined) =>
  objectId === undefined
    ? undefined
    : answered<Runtime.GetPropertiesReturnType>((done) =>
        session.post('Runtime.getProperties', { objectId, ownProperties: true }, done),
      );

function sourceOf(session: Session, scriptId: string): string {
  const source = answered<Debugger.GetScriptSourceReturnType>((done) =>
    session.post('Debugger.getScriptSource', { scriptId }, done),
  );
  return source?.scriptSource ?? '';
}
