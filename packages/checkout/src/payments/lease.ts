/** How long a process may drive a run before another one takes over; longer than any endpoint's deadline. */
export const LEASE_MS = 60_000;
