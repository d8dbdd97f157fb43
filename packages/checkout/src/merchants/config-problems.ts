import { type CheckoutConfig, parseConfig } from '../deployment/config.ts';
import { createDirectory } from './directory.ts';
import { ConfigError } from '../deployment/problems.ts';

/**
 * Everything that is wrong with a configuration, each with its path, without starting anything; empty where it can be run.
 * Where merchants and MIDs are in the database, only the process's own part is looked at.
 *
 * @example configProblems(config) // ['mids.0.settings.api_key: is missing (is the environment variable set?).']
 */
export function configProblems(config: CheckoutConfig): readonly string[] {
  try {
    const parsed = parseConfig(config);
    if (parsed.given !== undefined) createDirectory(parsed);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
