import { root } from '../../test/support/workspace.ts';
import { attempt, bin } from './run.ts';

/**
 * Installs tarballs into empty projects that must work: every connector with core alone, and the checkout with two connectors and a
 * payment.
 *
 * @throws Error with what the tests say
 */
export function trySome(tarballs: string): void {
  const args = ['run', '--config', 'release/install/vitest.config.ts', 'connectors', 'checkout'];
  const { ok, text } = attempt(bin('vitest'), args, root, { RAILYARD_TARBALLS: tarballs });
  process.stdout.write(`${text.split('\n').slice(-12).join('\n')}\n`);
  if (!ok) throw new Error(`What would be published does not work where it is installed:\n${text}`);
}
