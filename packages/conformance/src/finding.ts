/** One thing that is wrong, and what to do about it. */
export interface Finding {
  readonly path?: string;
  readonly says: string;
}
