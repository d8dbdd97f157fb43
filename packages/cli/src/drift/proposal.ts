import type { DriftCount, DriftKind } from '@railyard/runtime';
import { type Bump, greatest, neededFrom, versionAfter } from '../surface/bump.ts';
import { type Holes, sampleWithHoles } from './sample-with-holes.ts';

/** The step that mends a sighting, and how; `railyard diff` counts the same changes alike. */
const MENDED: Readonly<Record<DriftKind, { readonly bump: Bump; readonly by: string }>> = {
  reply: { bump: 'none', by: '' },
  'missing-optional': { bump: 'none', by: 'nothing: the schema lets it be left out' },
  'unnamed-field': { bump: 'patch', by: 'a sample with it; the schema names it only if the flow reads it (minor)' },
  'status-word': { bump: 'patch', by: 'a row of the status table' },
  'missing-required': { bump: 'minor', by: 'the schema lets it be left out, if the flow can do without it' },
  'other-form': { bump: 'minor', by: 'the schema takes the other form' },
  'error-shape': { bump: 'minor', by: 'a reply of the endpoint for it' },
};

export interface ProposedSample {
  readonly endpoint: string;
  /** Empty where no reply of the endpoint has it. */
  readonly reply: string;
  /** Of HTTP; 0 where the reply's own. */
  readonly status: number;
  readonly body: Holes;
}

export interface Proposal {
  readonly connector: string;
  readonly version: string;
  readonly step: Bump;
  readonly next: string;
  readonly found: readonly (DriftCount & { readonly of: number; readonly mended: string })[];
  readonly samples: readonly ProposedSample[];
}

/** A proposal for each connector and version that was seen to differ. */
export async function proposalsFrom(counts: readonly DriftCount[]): Promise<readonly Proposal[]> {
  const { MORE } = await import('@railyard/runtime');
  const groups = groupsOf(counts, ({ connector, version }) => `${connector}\n${version}`);
  return groups.flatMap((group) => {
    const found = group.filter(({ kind }) => kind !== 'reply');
    const [first] = found;
    if (first === undefined) return [];
    const { connector, version } = first;
    const step = neededFrom(version, greatest(found.map(({ kind }) => MENDED[kind].bump)));
    return [
      {
        connector,
        version,
        step,
        next: versionAfter(version, step),
        found: found.map((each) => ({ ...each, of: repliesLike(each, group), mended: MENDED[each.kind].by })),
        samples: samplesOf(found.filter(({ place }) => place !== MORE && place !== '')),
      },
    ];
  });
}

/** How many replies of the same kind there were; 0 for a difference outside a known reply. */
const repliesLike = (one: DriftCount, group: readonly DriftCount[]): number =>
  group
    .filter(({ kind, endpoint, reply }) => kind === 'reply' && endpoint === one.endpoint && reply === one.reply)
    .reduce((sum, { seen }) => sum + seen, 0);

/** @param named those whose place has a name */
function samplesOf(named: readonly DriftCount[]): readonly ProposedSample[] {
  const fields = named.filter(({ kind }) => kind === 'unnamed-field');
  const grown = groupsOf(fields, ({ endpoint, reply, status }) => `${endpoint}\n${reply}\n${status}`);
  const more = grown.flatMap((group) =>
    group.slice(0, 1).map(({ endpoint, reply, status }) => ({
      endpoint,
      reply,
      status,
      body: sampleWithHoles(group.map(({ place, form }) => [place, form])),
    })),
  );
  const shapes = named
    .filter(({ kind }) => kind === 'error-shape')
    .map(({ endpoint, reply, status, place, form }) => {
      const forms = form.split(',');
      return {
        endpoint,
        reply,
        status,
        body: sampleWithHoles(place.split(',').map((name, at) => [name, forms[at] ?? ''])),
      };
    });
  return [...more, ...shapes];
}

function groupsOf(
  counts: readonly DriftCount[],
  keyOf: (count: DriftCount) => string,
): readonly (readonly DriftCount[])[] {
  const groups = new Map<string, DriftCount[]>();
  for (const count of counts) groups.set(keyOf(count), [...(groups.get(keyOf(count)) ?? []), count]);
  return [...groups.values()];
}
