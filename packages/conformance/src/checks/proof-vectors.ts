import { allProofs, type NotificationVerification, type ProofVector } from '@railyard/core/driver';
import { type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { BEGINNING } from '../host/world.ts';
import { settingsOfAnother } from '../proof.ts';
import type { Subject } from '../subject.ts';

const PATH = 'notifications.vectors';

/** Proofs that hold without the provider and without a proxy in front. */
function isByItself({ scheme }: NotificationVerification<unknown>): boolean {
  return scheme !== 'unsigned' && scheme !== 'call' && scheme !== 'client-certificate';
}

/** Why `verify` does not take a vector, or takes it with another secret. */
function wrongWith({ connector, options, machinery }: Subject, vector: ProofVector): string | undefined {
  const { notifications } = connector;
  const parsed = connector.settings.safeParse({ ...options.settings, ...vector.settings });
  if (!parsed.success || notifications === undefined)
    return `Its settings are not valid: ${parsed.error?.issues[0]?.message ?? ''}`;
  const { body, headers = {}, url, at } = vector;
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const raw = { body, headers: lower, ...(url !== undefined && { url }) };
  const now = at === undefined ? BEGINNING : Date.parse(at);
  const received = machinery.receive(connector, parsed.data, raw, now);
  if (received.kind === 'refused')
    return `It is refused (${received.why}: ${received.detail}). Compare algorithm, encoding, header, key and signed text with the source.`;
  const others = allProofs(notifications).map((proof) => settingsOfAnother(proof, parsed.data));
  return others.some((other) => other !== undefined && machinery.receive(connector, other, raw, now).kind === 'events')
    ? 'It is taken with another secret too.'
    : undefined;
}

export const proofVectorChecks: readonly Check[] = [
  {
    id: 'notification-proofs-are-vectors',
    level: 'recommended',
    title:
      'the proof of notifications takes one that the documentation or the library of the provider signed, or the connector says why there is none',
    run(subject) {
      const { notifications } = subject.connector;
      if (notifications === undefined) return notApplicable('The connector takes no notifications.');
      if (!allProofs(notifications).every(isByItself))
        return notApplicable('Its notifications are not proven by a key.');
      const { vectors = [] } = notifications;
      if ('none' in vectors)
        return vectors.none.trim().length < 12
          ? [{ path: PATH, says: 'Say why there is no vector, in a sentence.' }]
          : notApplicable(`No vector: ${vectors.none}`);
      if (vectors.length === 0)
        return [
          {
            path: PATH,
            says: "The simulation signs by the same declaration as verify, so that nothing proves it. Give a notification that the provider's documentation or library signed, with its secret; or vectors: { none: why }.",
          },
        ];
      return vectors.flatMap((vector): Finding[] => {
        const says = wrongWith(subject, vector);
        return says === undefined ? [] : [{ path: PATH, says: `${says} Source: ${vector.source}.` }];
      });
    },
  },
];
