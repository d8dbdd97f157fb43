import type { Change } from './bump.ts';
import { fieldChanges } from './field-changes.ts';
import { limitChanges } from './limit-changes.ts';
import type {
  ConnectorSurface,
  EndpointSurface,
  MethodSurface,
  OperationSurface,
  PackageSurface,
  Surface,
} from './surface.ts';

/** Everything that has changed between two versions of a package. */
export function changesBetween(before: Surface, after: Surface): Change[] {
  return [
    ...named(before.methods, after.methods, (key) => `method ${key}`, methodChanges),
    ...named(before.connectors, after.connectors, (id) => `connector ${id}`, connectorChanges),
    ...named(
      before.entries,
      after.entries,
      (entry) => `entry ${entry}`,
      (at, old, now) => setChanges(at, 'export', old, now),
    ),
    ...packageChanges(before, after),
  ];
}

/** Things by their names: removed is major, new is minor, else as large as the change of each. */
function named<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  nameOf: (name: string) => string,
  changes: (at: string, old: T, now: T) => readonly Change[],
): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const at = nameOf(name);
    if (now === undefined) return [{ bump: 'major', at, says: 'is gone' }];
    return old === undefined ? [{ bump: 'minor', at, says: 'is new' }] : changes(at, old, now);
  });
}

function setChanges(at: string, what: string, old: readonly string[], now: readonly string[]): Change[] {
  const gone = old.filter((each) => !now.includes(each));
  const added = now.filter((each) => !old.includes(each));
  return [
    ...gone.map((each) => ({ bump: 'major' as const, at, says: `${what} ${each} is gone` })),
    ...added.map((each) => ({ bump: 'minor' as const, at, says: `${what} ${each} is new` })),
  ];
}

/** The changes of a package's requirements: Node and peer dependencies. */
export function packageChanges(before: PackageSurface, after: PackageSurface): Change[] {
  const changes: Change[] = [];
  if (before.node !== after.node)
    changes.push({
      bump: 'major',
      at: 'package',
      says: `engines.node is ${after.node || 'any'}, before ${before.node || 'any'}`,
    });
  for (const name of new Set([...Object.keys(before.peers), ...Object.keys(after.peers)])) {
    const [old, now] = [before.peers[name], after.peers[name]];
    if (old === now || now === undefined) continue;
    changes.push({
      bump: 'major',
      at: 'package',
      says: `needs ${name} ${now}${old === undefined ? '' : `, before ${old}`}`,
    });
  }
  return changes;
}

function methodChanges(at: string, old: MethodSurface, now: MethodSurface): Change[] {
  return [
    ...named(old.operations, now.operations, (name) => `${at}, ${name}`, operationChanges),
    ...limitedTo(at, 'currency', old.currencies, now.currencies),
    ...limitedTo(at, 'country', old.countries, now.countries),
    ...limitChanges(at, old.limits, now.limits),
    ...(old.title === now.title ? [] : [{ bump: 'patch' as const, at, says: 'has another title' }]),
  ];
}

/** A list that is absent means all. */
function limitedTo(
  at: string,
  what: string,
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
): Change[] {
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [{ bump: 'major', at, says: `${what} is limited to ${now?.join(', ')}` }];
  if (now === undefined) return [{ bump: 'minor', at, says: `${what} is no longer limited` }];
  return setChanges(at, what, old, now);
}

function operationChanges(at: string, old: OperationSurface, now: OperationSurface): Change[] {
  const changes = [
    ...fieldChanges(at, 'parameter', 'merchant', old.fields, now.fields),
    ...fieldChanges(at, 'session field', 'merchant', old.needs, now.needs),
    ...ruleChanges(at, old.rules, now.rules),
  ];
  if (old.marks !== now.marks) changes.push({ bump: 'major', at, says: 'takes amount, card or variants otherwise' });
  if (String(old.completion) !== String(now.completion))
    changes.push({
      bump: 'minor',
      at,
      says: `shows the payer: ${now.completion.join(', ') || 'nothing'}, before ${old.completion.join(', ') || 'nothing'}`,
    });
  return changes;
}

/** A rule refuses; one about check digits only warns, unless an account is strict. */
function ruleChanges(at: string, old: OperationSurface['rules'], now: OperationSurface['rules']): Change[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((says): Change[] => {
    const [from, to] = [old[says], now[says]];
    if (from === to) return [];
    const rule = `the rule "${says}"`;
    if (to === undefined) return [{ bump: 'minor', at, says: `${rule} is gone` }];
    if (to === 'error') return [{ bump: 'major', at, says: `${rule} refuses requests` }];
    return [{ bump: 'minor', at, says: `${rule} warns` }];
  });
}

function connectorChanges(at: string, old: ConnectorSurface, now: ConnectorSurface): Change[] {
  const changes: Change[] = [
    ...fieldChanges(at, 'setting', 'account', old.settings, now.settings),
    ...named(old.endpoints, now.endpoints, (name) => `${at}, endpoint ${name}`, endpointChanges).map(withJournalNote),
    ...named(old.flows, now.flows, (name) => `${at}, flow ${name}`, partialChanges),
  ];
  if (old.contract !== now.contract)
    changes.push({ bump: 'major', at, says: `speaks contract ${now.contract}, before ${old.contract}` });
  if (JSON.stringify(old.statuses) !== JSON.stringify(now.statuses))
    changes.push({ bump: 'patch', at, says: 'has another status table' });
  if (old.notifications !== now.notifications)
    changes.push({
      bump: 'minor',
      at,
      says: 'checks notifications otherwise',
      note: 'Those on their way at the change may be refused.',
    });
  return changes;
}

function partialChanges(at: string, old: string, now: string): Change[] {
  if (old === now) return [];
  return now === 'whole'
    ? [{ bump: 'major', at, says: 'takes the whole amount only' }]
    : [{ bump: 'minor', at, says: 'takes parts of the amount' }];
}

function endpointChanges(at: string, old: EndpointSurface, now: EndpointSurface): Change[] {
  const changes: Change[] = [];
  if (old.repeat !== now.repeat)
    changes.push({ bump: 'major', at, says: `repeat is ${now.repeat}, before ${old.repeat}` });
  if (old.request !== now.request)
    changes.push({ bump: 'minor', at, says: `is ${now.request}, before ${old.request}` });
  if (old.replies !== now.replies) changes.push({ bump: 'minor', at, says: 'reads replies otherwise' });
  if (old.timeoutMs !== now.timeoutMs)
    changes.push({ bump: 'patch', at, says: `waits ${now.timeoutMs} ms, before ${old.timeoutMs}` });
  return changes;
}

const JOURNAL =
  'Journals address steps by the names of endpoints and keep their replies: a payment that is under way in the old flow may end as unknown and is then looked up.';

const withJournalNote = (change: Change): Change => (change.bump === 'patch' ? change : { ...change, note: JOURNAL });
