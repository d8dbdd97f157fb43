import { Session } from 'node:inspector';

/**
 * V8 counts the branches of a function only where it counts before the function first runs, and the files of a project share their modules:
 * the counting of `@railyard/conformance` begins with the process. A session that is collected would end it.
 */
const NAME = Symbol.for('railyard.counted');

if (Reflect.get(globalThis, NAME) === undefined) {
  const session = new Session();
  Reflect.set(globalThis, NAME, session);
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}
