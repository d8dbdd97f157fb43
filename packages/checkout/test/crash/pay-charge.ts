import { randomUUID } from 'node:crypto';
import type { Deployment } from './deployment.ts';

type Charge = Deployment['outside']['pix']['ledger'][number];

/** The payer pays a Pix charge in their bank's app, and the provider notifies until it is heard. */
export async function payCharge(deployment: Deployment, charge: Charge): Promise<void> {
  charge.status = 'PAID';
  const eventId = `evt_${randomUUID()}`;
  // Each try is signed anew, as providers do: the service's clock may be far ahead of the first one by then.
  const notify = async () => ({
    status: await deployment.outside.pix.notify(`${deployment.service.url}/notify/pix-main`, charge, {
      eventId,
      at: deployment.service.now(),
    }),
  });
  const { status } = await deployment.repeat(notify, 'The notification');
  if (status !== 204) throw new Error(`The notification: ${status}`);
}
