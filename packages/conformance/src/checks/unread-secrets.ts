import { firstLookup } from '../first-lookup.ts';
import { type Connector, type Outcome, type Steps, unknown } from '@railyard/core';
import { allProofs } from '@railyard/core/driver';
import { encodeRequest, isSecretSetting } from '@railyard/runtime';
import { type Check, NO_SAMPLE, notApplicable } from '../check.ts';
import { BEGINNING, URLS } from '../host/world.ts';
import { leavesOf } from '../leaves.ts';
import { eventsIn } from '../notified.ts';
import { touchProof } from '../proof.ts';
import { type CaseRun, everyWalk, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import type { WalkedRequest } from '../walk.ts';

/** The account's secrets, by the setting that holds them. */
function secretSettings({ connector, settings }: Subject): ReadonlySet<string> {
  const secret = leavesOf(settings).filter(({ place, value }) => value !== '' && isSecretSetting(connector, place));
  return new Set(secret.map(({ place }) => place.split('.')[0] ?? place));
}

/** Settings that note which of them are asked for. */
function noting(settings: unknown, read: Set<string>): unknown {
  if (typeof settings !== 'object' || settings === null) return settings;
  return new Proxy(settings, {
    get(target, name, self): unknown {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(target, name, self);
    },
  });
}

/** The settings that the connector's code asks for: flows, request builders and what they sign, lookups, proofs, the check of an account. */
function settingsRead(subject: Subject): ReadonlySet<string> {
  const { connector, cases } = subject;
  const read = new Set<string>();
  const settings = noting(subject.settings, read);
  const runs = cases.flatMap((one) => runsOf(one, { ...one.deployment, settings }));
  for (const run of [...runs, ...checkOf(connector, settings, runs)])
    for (const request of everyWalk(run).flatMap(({ requests }) => requests)) send(connector, request);
  const { notifications } = connector;
  for (const proof of notifications === undefined ? [] : allProofs(notifications))
    touchProof(proof, settings, { body: '{}', headers: {} });
  for (const { body } of connector.notifications?.examples ?? []) eventsIn({ connector, settings }, body);
  connector.baseUrl(settings);
  connector.tls?.(settings);
  for (const endpoint of connector.endpoints) endpoint.baseUrl?.(settings);
  return read;
}

/** The check of an account as if it were a lookup, so that it can be walked. */
function checkOf(connector: Connector, settings: unknown, [first]: readonly CaseRun[]): readonly CaseRun[] {
  const { check } = connector;
  if (check === undefined || first === undefined) return [];
  const context = { settings, now: new Date(BEGINNING).toISOString(), urls: URLS };
  function* status(): Steps<Outcome> {
    yield* check === undefined ? [] : check(context);
    return unknown('It was only a check.');
  }
  const { run } = first;
  const serves = [{ method: run.method, flows: { status } }];
  return [
    { ...first, name: 'check', flow: 'status', run: { ...run, flow: 'status', connector: { ...connector, serves } } },
  ];
}

/** Signs a request, and builds the lookup that follows if it is lost: both may read a secret. */
function send(connector: Connector, { endpoint, input, key, settings, credential, wire }: WalkedRequest): void {
  const { find } = endpoint;
  const context = { settings, key, credential };
  if (find !== undefined) firstLookup(find, input, context);
  if (wire.sign !== undefined)
    encodeRequest(connector, settings, endpoint, wire, { now: BEGINNING / 1000, id: key }, ({ part }) => part);
}

export const unreadSecretChecks: readonly Check[] = [
  {
    id: 'secrets-are-read',
    level: 'recommended',
    title: 'every secret setting is read: by a flow, a request, the proof of notifications or the check of an account',
    run(subject) {
      const secrets = [...secretSettings(subject)];
      if (secrets.length === 0) return notApplicable('No setting is marked as secret.');
      if (subject.cases.length === 0) return NO_SAMPLE;
      const read = settingsRead(subject);
      return secrets
        .filter((name) => !read.has(name))
        .map((name) => ({
          path: `settings.${name}`,
          says: 'This secret is never read, so nothing is signed or proved with it. Use it as the documentation says, give a sample that leads to its use, or remove the setting.',
        }));
    },
  },
];
