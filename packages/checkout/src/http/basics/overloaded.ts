/** A request whose body arrived when there was no place left for it. Nothing was done. */
export class OverloadedError extends Error {}
