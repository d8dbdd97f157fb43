import { root } from '../../test/support/workspace.ts';
import { attempt, bin, Refused } from './run.ts';

/**
 * Installs tarballs into empty projects that must work: every connector with core alone, and the checkout with two connectors and a
 * payment.
 *
 * @throws Refused where one does not, after saying all that the tests said
 */
export function trySome(tarballs: string): void {
  const args = ['run', '--config', 'release/install/vitest.config.ts', 'connectors', 'checkout'];
  const { ok, text } = attempt(bin('vitest'), args, root, { RAILYARD_TARBALLS: tarballs, NO_COLOR: '1' });
  process.stdout.write(`${ok ? text.split('\n').slice(-12).join('\n') : text}\n`);
  if (!ok) throw new Refused('What would be published does not work where it is installed', ['see above']);
}
