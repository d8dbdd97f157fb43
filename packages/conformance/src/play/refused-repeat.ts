import {
  type AnyEndpoint,
  isRefusal,
  type Meaning,
  type StatusTable,
  type StatusTables,
  tablesOf,
} from '@railyard/core/driver';
import { type HttpResult, memoryJournal } from '@railyard/runtime';
import type { Disk, PaymentRecord } from '../host/disk.ts';
import { crashAt } from '../host/faults.ts';
import { TinyHost } from '../host/tiny-host.ts';
import { BEGINNING, partOf, type World } from '../host/world.ts';
import { leavesOf, withValue } from '../leaves.ts';
import type { ProviderDouble } from '../provider/double.ts';
import { lateProvider, type Refusal } from '../provider/late.ts';
import { inProcess } from '../provider/network.ts';
import type { Subject } from '../subject.ts';
import { textOfBody } from '../walk.ts';
import { perform, type Story } from './story.ts';

/** How a payment stood while only the provider knew of it, and in the end. */
export interface Doubted {
  readonly meanwhile: PaymentRecord;
  readonly after: { readonly payment: PaymentRecord; readonly provider: ProviderDouble };
}

/** Plays a story in which one request is taken late and its repeat is refused: three times before the provider shows it, and twice afterwards. */
export async function playRefused(
  subject: Subject,
  story: Story,
  at: number,
  refusal: Refusal,
  first: HttpResult,
): Promise<Doubted> {
  const { provider: make } = subject;
  if (make === undefined) throw new Error('There is no provider to play with.');
  const provider = make(story.pays);
  const disk: Disk = { payment: undefined, journal: '[]' };
  const world: World = { ...story.case.deployment, disk, points: crashAt([]), log: [], now: BEGINNING };
  const late = lateProvider(inProcess(provider), at, refusal, first);
  const host = new TinyHost(world, {
    journal: memoryJournal(),
    transport: subject.through(late),
    // As a service that holds what the payer entered for as long as it tries.
    openCard: ({ part }) => partOf(world, part),
  });
  const go = async () => {
    await host.recover();
    await perform({ ...story, notified: false }, { host, provider, deliver: async () => undefined });
  };
  for (let tries = 0; tries < 3; tries += 1) await go();
  const meanwhile = structuredClone(host.payment);
  await late.show();
  // Where a lookup finds what was made, what was paid to it is in the next one.
  for (let tries = 0; tries < 2; tries += 1) await go();
  return { meanwhile, after: { payment: host.payment, provider } };
}

/** A false decline of a payment or its modification, recorded while only the provider knew the outcome. */
export function wrongDoubt({ state: { state }, modifications }: PaymentRecord): string | undefined {
  if (state === 'declined') return 'the payment is declined, although the first send may have arrived.';
  const refused = modifications.find(({ status }) => status === 'declined');
  return refused && `the ${refused.modification} is declined, although its first send may have arrived.`;
}

const WITHOUT_BODY: readonly Refusal[] = [
  { status: 401, body: '{}' },
  { status: 404, body: '{"error":"There is no such payment."}' },
  { status: 409, body: '{"error":"The idempotency key is in use."}' },
  { status: 422, body: '{"error":"The reference was used before."}' },
  { status: 429, body: '{"error":"Too many requests."}' },
];

/** A provider's possible refusals of a repeat: each that the endpoint describes, a decline, and some undescribed ones. */
export function refusalsOf(endpoint: AnyEndpoint, connector: StatusTables): readonly Refusal[] {
  const { examples, variants, codec } = endpoint;
  const shown = examples.map(({ is, status, body }) => {
    const variant = variants[is ?? Object.keys(variants)[0] ?? ''];
    const usual = variant === undefined ? 200 : [variant.status].flat()[0];
    const reply = { status: status ?? usual ?? 200, body };
    return { reply, refuses: isRefusal(variant ?? {}, reply.status) };
  });
  const refusals = shown.filter(({ refuses }) => refuses).map(({ reply }) => reply);
  const declines = shown
    .slice(0, 1)
    .flatMap(({ reply }) => tablesOf(connector).flatMap((table) => declined(reply, table)));
  const described = [...refusals, ...declines].map(({ status, body }) => ({ status, body: textOfBody(codec, body) }));
  return [...described, ...WITHOUT_BODY];
}

interface Shown {
  readonly status: number;
  readonly body: unknown;
}

export const isDecline = (meaning: Meaning | undefined): boolean =>
  typeof meaning === 'object' && ('declined' in meaning || 'ended' in meaning);

/** A reply that shows a word of the status table, with a word that means a decline in its place. */
function declined({ status, body }: Shown, { rows }: StatusTable): readonly Shown[] {
  const word = Object.keys(rows).find((each) => isDecline(rows[each]));
  const places = leavesOf(body).filter(({ value }) => typeof value === 'string' && Object.hasOwn(rows, value));
  if (word === undefined || places.length === 0) return [];
  return [{ status, body: places.reduce<unknown>((data, { place }) => withValue(data, place, word), body) }];
}
