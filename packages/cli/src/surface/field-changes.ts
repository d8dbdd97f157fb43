import type { Change } from './bump.ts';
import { schemaChanges } from './schema-changes.ts';
import type { Fields, FieldSurface } from './surface.ts';

/** The owner of fields, who has to act when one is needed. */
type Owner = 'merchant' | 'account';

/** How parameters, needs or settings have changed. */
export function fieldChanges(at: string, what: string, owner: Owner, before: Fields, after: Fields): Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const where = `${at}, ${what} ${name}`;
    if (now === undefined) return [{ bump: 'major', at: where, says: 'is gone' } satisfies Change];
    if (old === undefined) return [newField(where, now, owner)];
    return oneField(where, old, now, owner);
  });
}

/** Whether requests or configurations that were complete no longer are. */
const breaks = ({ required, sources }: FieldSurface, owner: Owner) =>
  required && !(owner === 'merchant' && (sources.includes('payer') || sources.includes('default')));

function newField(at: string, field: FieldSurface, owner: Owner): Change {
  if (breaks(field, owner)) return { bump: 'major', at, says: 'is new and required' };
  return { bump: 'minor', at, says: field.required ? 'is new; the payer is asked for it' : 'is new and optional' };
}

function oneField(at: string, old: FieldSurface, now: FieldSurface, owner: Owner): Change[] {
  const changes: Change[] = schemaChanges(old.schema, now.schema).map(({ kind, says }) => ({
    bump: kind === 'wider' ? 'minor' : 'major',
    at,
    says: kind === 'unclear' ? `${says}; whether it refuses more is not known` : `${says}: ${kind}`,
  }));
  if (!old.required && now.required)
    changes.push({ bump: breaks(now, owner) ? 'major' : 'minor', at, says: 'is required' });
  if (old.required && !now.required) changes.push({ bump: 'minor', at, says: 'is no longer required' });
  const [gone, added] = [
    old.sources.filter((each) => !now.sources.includes(each)),
    now.sources.filter((each) => !old.sources.includes(each)),
  ];
  if (gone.length > 0) changes.push({ bump: 'major', at, says: `no longer comes from: ${gone.join(', ')}` });
  if (added.length > 0) changes.push({ bump: 'minor', at, says: `may also come from: ${added.join(', ')}` });
  if (old.applies !== now.applies)
    changes.push({
      bump: 'major',
      at,
      says: 'applies under another condition; whether it refuses more is not known',
    });
  if (old.texts !== now.texts) changes.push({ bump: 'patch', at, says: 'has other texts' });
  return changes;
}
