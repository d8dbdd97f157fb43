/** The kinds of work that wait for a time, which a test clock moves. */
export const MOVED = ['expiry', 'lookups', 'modification-lookups', 'callbacks', 'schedules'] as const;
