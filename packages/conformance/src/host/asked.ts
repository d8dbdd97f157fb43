import type { ArrivedNotification } from '@railyard/core/driver';
import type { ReceivedNotification, Transport } from '@railyard/runtime';
import { uuidOf } from './world.ts';

type Question = NonNullable<Extract<ReceivedNotification, { readonly kind: 'refused' }>['ask']>;

/** Asks the provider whether it sent a notification. A question without an answer is no failure; a process that dies in it is. */
export async function asked(
  ask: Question,
  transport: Transport,
  { body }: ArrivedNotification,
): Promise<ReceivedNotification> {
  let crash: unknown;
  const send: Transport['send'] = (request) =>
    transport.send(request).catch((error: unknown) => {
      crash = error;
      throw error;
    });
  const received = await ask({ transport: { send }, key: uuidOf(body) });
  if (crash !== undefined) throw crash;
  return received;
}
