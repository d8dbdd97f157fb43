import { statements } from './statements.ts';

/**
 * A row whose indexed columns stay as they are is changed within its page, and no index is written, if the page has room (PostgreSQL, heap-only
 * tuples): a session when its payment begins, a run when its step begins, a step when its reply comes. These pages are left a fifth free.
 */
export const roomOnPages = statements(
  ['sessions', 'flow_runs', 'journal'].map((table) => `ALTER TABLE ${table} SET (fillfactor = 80)`),
);
