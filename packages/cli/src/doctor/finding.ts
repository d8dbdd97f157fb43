/** The result of one check. `not done`: it could not be checked, and why. */
export interface Finding {
  /** The account, or `configuration`. */
  readonly of: string;
  readonly check: 'configuration' | 'settings' | 'provider' | 'notification';
  readonly result: 'ok' | 'failed' | 'not done';
  readonly says: string;
}
