import { statements } from './statements.ts';

export const testClocks = statements([
  // How far the time of a merchant's test payments is ahead of the real one. What waits has been moved earlier by as much, so that nothing else asks here.
  `CREATE TABLE test_clocks (
    merchant_key text PRIMARY KEY,
    ahead_ms bigint NOT NULL CHECK (ahead_ms >= 0),
    -- The request that moved it last: its repeat moves nothing.
    last_move uuid NOT NULL
  )`,
]);
