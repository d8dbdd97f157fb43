// Run by itself: the service as a deployment runs it, with a clock that the test can move on.
import * as z from 'zod';
import { startCheckout } from '../../src/index.ts';
import { crashConfig, givenSchema } from './config.ts';

const advanceSchema = z.object({ advance: z.number() });

const given = givenSchema.parse(JSON.parse(process.env['CHECKOUT_CRASH'] ?? ''));
let { offsetMs } = given;
// No other process is alive: to find that one is gone takes less than a second.
const checkout = await startCheckout(crashConfig(given), {
  clock: () => Date.now() + offsetMs,
  monotonic: () => performance.now() * 100 + offsetMs,
});
process.on('message', (message) => {
  const { data } = advanceSchema.safeParse(message);
  if (data !== undefined) offsetMs += data.advance;
});
// The channel to the test does not keep the process alive.
process.channel?.unref();
process.once('SIGTERM', () => void checkout.stop());
process.send?.({ listening: true });
