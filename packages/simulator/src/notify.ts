import { randomUUID } from 'node:crypto';
import type { Transport } from '@railyard/runtime';
import { writeReplyBody } from './bodies.ts';
import { asProvider, modificationAsProvider, type Mount } from './mount.ts';
import type { HeldModification, HeldPayment } from './records.ts';
import type { NotificationMode } from './scenarios.ts';
import { prove } from './sign.ts';
import type { Scheduler } from './time.ts';

export interface NotifierOptions {
  readonly transport: Transport;
  readonly scheduler: Scheduler;
  readonly clock: () => number;
  readonly lateMs: number;
  readonly daysLaterMs: number;
  /** Pauses before a notification that was not acknowledged is sent again. */
  readonly retryMs: readonly number[];
}

/** One notification on its way, for the list of sent ones. */
export interface Delivery {
  readonly payment: string;
  /** The capture, void or refund that it is about. */
  readonly modification?: string;
  readonly event: string;
  readonly url: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The status that came back, or why none did. */
  readonly result: number | string;
}

export interface Notifier {
  /** Sends a notification of a payment as it stands, or of a modification on it, in the way its mode says. */
  notify(mount: Mount, payment: HeldPayment, mode?: NotificationMode, modification?: HeldModification): void;
  deliveries(): readonly Delivery[];
  /** Ends when nothing is on its way; what waits for a later time is not waited for. */
  idle(): Promise<void>;
}

interface Message {
  readonly event: string;
  readonly payment: HeldPayment;
  readonly modification?: HeldModification | undefined;
  readonly forged: boolean;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const deliveries: Delivery[] = [];
  const underway = new Set<Promise<void>>();
  const now = () => new Date(options.clock()).toISOString();

  const start = (mount: Mount, messages: readonly Message[], tries = 0) => {
    const work = run(mount, messages, tries).finally(() => underway.delete(work));
    underway.add(work);
  };
  /** In order: the next one leaves when the one before was answered. */
  const run = async (mount: Mount, messages: readonly Message[], tries: number) => {
    for (const message of messages) {
      const taken = await deliver(mount, message);
      const pause = options.retryMs[tries];
      if (!taken && !message.forged && pause !== undefined)
        options.scheduler.after(pause, () => start(mount, [message], tries + 1));
    }
  };
  const deliver = async (mount: Mount, message: Message): Promise<boolean> => {
    const { event, payment, modification } = message;
    const url = payment.notifyUrl;
    if (url === undefined) return true;
    const request = notificationRequest(mount, message, url, { id: event, now: now() });
    if (request === undefined) return true;
    const result = await options.transport.send(request);
    const answer = result.kind === 'reply' ? result.status : result.why;
    deliveries.push({
      payment: payment.id,
      ...(modification && { modification: modification.id }),
      event,
      url,
      at: now(),
      result: answer,
    });
    return result.kind === 'reply' && result.status >= 200 && result.status < 300;
  };

  return {
    notify(mount, payment, mode = payment.notifications, modification) {
      const messages = messagesFor(payment, mode, modification);
      if (mount.simulation.notification === undefined || payment.notifyUrl === undefined || messages.length === 0)
        return;
      const wait = mode === 'late' ? options.lateMs : mode === 'days-later' ? options.daysLaterMs : undefined;
      if (wait !== undefined) options.scheduler.after(wait, () => start(mount, messages));
      else start(mount, messages);
    },
    deliveries: () => [...deliveries],
    async idle() {
      while (underway.size > 0) await Promise.all(underway);
    },
  };
}

function messagesFor(
  payment: HeldPayment,
  mode: NotificationMode,
  modification: HeldModification | undefined,
): Message[] {
  const message = { event: `evt_${randomUUID()}`, payment, modification, forged: false };
  switch (mode) {
    case 'none':
      return [];
    case 'forged':
      return modification === undefined
        ? [{ ...message, payment: { ...payment, state: 'settled' }, forged: true }]
        : [];
    case 'twice':
      return [message, message];
    case 'shuffled':
      // The older event arrives after the newer one.
      return [message, { ...message, event: `evt_${randomUUID()}`, ...olderThan(payment, modification) }];
    default:
      return [message];
  }
}

/** The subject as an older event reports it. */
function olderThan(
  payment: HeldPayment,
  modification: HeldModification | undefined,
): Pick<Message, 'payment' | 'modification'> {
  if (modification === undefined) return { payment: { ...payment, state: 'pending' } };
  return { payment, modification: { ...modification, state: 'pending' } };
}

/** A notification as it leaves, with its proof; nothing where the provider reports no such thing. */
export function notificationRequest(
  mount: Mount,
  { payment, modification, forged }: Omit<Message, 'event'>,
  url: string,
  event: { readonly id: string; readonly now: string },
) {
  const { notification } = mount.simulation;
  const about = asProvider(mount, payment);
  const body =
    modification === undefined
      ? notification?.body(about, event)
      : notification?.modification?.(modificationAsProvider(mount, modification), about, event);
  if (body === undefined) return undefined;
  const { type } = writeReplyBody(body, mount.connector.notifications?.codec ?? 'json');
  const headers = { 'content-type': type, ...notification?.headers?.(event) };
  const proven = prove(mount, { url, headers, value: body }, { forged, now: Date.parse(event.now) });
  return {
    method: notification?.method ?? 'POST',
    url,
    ...proven,
    timeoutMs: 10_000,
    maxReplyBytes: 65_536,
  };
}
