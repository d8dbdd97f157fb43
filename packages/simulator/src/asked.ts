import type { AnyEndpoint, SimulatedEndpoint } from '@railyard/core';
import type { Bank } from './bank.ts';
import type { Mount } from './mount.ts';
import { type Received, textAt } from './places.ts';
import type { HeldAction, HeldPayment } from './records.ts';
import type { Reply } from './reply.ts';

/** How a request is answered, and what it opened or changed. */
export interface Answered {
  readonly reply: Reply;
  /** The fault of the scenario, for the first answer only. */
  readonly fault?: 'nothing' | 'html-502' | 'truncated' | 'slow';
  readonly changed?: HeldPayment;
  readonly action?: HeldAction;
}

/** A request with the endpoint that it is for. */
export interface Asked {
  readonly mount: Mount;
  readonly endpoint: AnyEndpoint;
  readonly declared: SimulatedEndpoint;
  readonly received: Received;
  readonly text: string;
}

/** The payment that a request names, by id or by reference. */
export function named(bank: Bank, { mount, declared, received }: Asked): HeldPayment | undefined {
  const id = textAt(received, declared.request.id);
  return bank.lookUp(mount.name, {
    id,
    reference: id === undefined ? textAt(received, declared.request.reference) : undefined,
  });
}
