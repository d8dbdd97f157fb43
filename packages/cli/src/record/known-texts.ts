import { type Connector, readPath } from '@railyard/core';

/** The texts of an account's settings → where they come from: secrets, and what belongs to this account alone. */
export function knownSettings(connector: Connector, settings: unknown): Map<string, string> {
  const known = new Map<string, string>();
  for (const name of Object.keys(connector.settings.shape)) {
    const value = readPath(settings, name);
    if (typeof value === 'string' && !/^https?:/.test(value)) known.set(value, `{settings.${name}}`);
  }
  return known;
}
