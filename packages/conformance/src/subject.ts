import type { Connector, Method, Operation } from '@railyard/core';
import type { AnyFlows } from '@railyard/core/driver';
import type { SessionRequest } from '@railyard/core/protocol';
import { OPERATIONS, takesCard } from '@railyard/core/registry';
import type { Transport } from '@railyard/runtime';
import { adapting } from './adapt.ts';
import { type Coverage, countParts } from './coverage.ts';
import type { Finding } from './finding.ts';
import { type Deployment, type Machinery, REFERENCE, registryOf, resolve, RUNTIME, validate } from './host/world.ts';
import type { ProviderDouble } from './provider/double.ts';
import { simulated } from './provider/simulated.ts';
import { requestOf } from './sample-request.ts';
import type { ConformanceOptions, SampleSession } from './types.ts';
import type { Adapt } from './walk.ts';

/** One valid payment of one method and operation, as the checks use it. */
export interface Case {
  /** `pix.purchase`, or with the sample's name `card.purchase.challenge`. */
  readonly path: string;
  readonly name: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly flows: AnyFlows;
  readonly sample: SampleSession;
  /** The first sample of its operation. */
  readonly isFirst: boolean;
  /** The session request as a merchant sends it. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly deployment: Deployment;
  readonly adapt: Adapt | undefined;
}

/** The parts with which the kit runs the connector; its own tests break some of them. */
export interface Internals {
  readonly machinery?: Partial<Machinery>;
  /** Stands between the runtime and the network. */
  readonly transport?: (network: Transport) => Transport;
}

/** A connector on the bench, with everything that the checks need of it. */
export interface Subject {
  readonly connector: Connector;
  readonly options: ConformanceOptions;
  /** As the connector's schema reads them. */
  readonly settings: unknown;
  /** Samples that the registry takes. */
  readonly cases: readonly Case[];
  /** Valid samples that their flow declines before it asks for money. */
  readonly declining: readonly Case[];
  /** The problems of the other samples. */
  readonly caseProblems: readonly Finding[];
  /** A fresh provider, where one was given. `at-once`: it pays by itself, `later`: it waits for the payer. */
  readonly provider: ((pays: 'at-once' | 'later') => ProviderDouble) | undefined;
  readonly machinery: Machinery;
  readonly through: (network: Transport) => Transport;
  /** Where it was asked for. */
  readonly coverage: Coverage | undefined;
  /** Results that several checks share, by name. */
  readonly shared: Map<string, unknown>;
}

/**
 * Puts a connector on the bench.
 *
 * @throws Error for settings that the connector's schema refuses
 */
export function subjectOf(connector: Connector, options: ConformanceOptions, internals: Internals = {}): Subject {
  const parsed = connector.settings.safeParse(options.settings);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    throw new Error(
      `The settings for ${connector.id} are not valid at "${first?.path.join('.') ?? ''}": ${first?.message ?? ''} Give valid ones under settings.`,
    );
  }
  const settings: unknown = parsed.data;
  const coverage = options.coverage !== undefined ? countParts(connector) : undefined;
  const { machinery, transport: through = (network) => network } = internals;
  const caseProblems: Finding[] = [];
  const all = casesOf(connector, options, settings, { ...RUNTIME, ...machinery }, caseProblems);
  const { simulation, provider, providerKey: privateKey } = options;
  return {
    connector,
    options,
    settings,
    cases: all.filter(({ sample }) => sample.declines === undefined),
    declining: all.filter(({ sample }) => sample.declines !== undefined),
    caseProblems,
    provider:
      provider ??
      (simulation &&
        ((pays) =>
          simulated({ connector, simulation, settings, ...(privateKey !== undefined && { privateKey }) }, pays))),
    machinery: { ...RUNTIME, ...machinery },
    through,
    coverage,
    shared: new Map(),
  };
}

function casesOf(
  connector: Connector,
  { sessions = {}, simulation }: ConformanceOptions,
  settings: unknown,
  machinery: Machinery,
  problems: Finding[],
): readonly Case[] {
  const adapt = adapting(simulation, { reference: REFERENCE });
  return connector.serves.flatMap(({ method, flows }) =>
    OPERATIONS.filter((operation) => flows[operation] !== undefined).flatMap((operation) => {
      const given = [sessions[method.key]?.[operation] ?? {}].flat();
      const first = given.findIndex(({ declines }) => declines === undefined);
      if (first < 0)
        problems.push({
          path: `sessions.${method.key}.${operation}`,
          says: `Each sample is declined, so that no check plays the operation. Give one without declines under sessions['${method.key}'].${operation}.`,
        });
      return given.flatMap((sample, index) => {
        const name = sample.name ?? (index === 0 ? operation : `${operation}-${index + 1}`);
        const path = `${method.key}.${operation}${name === operation ? '' : `.${name}`}`;
        const { mid, card, wallet, authentication, payeeCard, client } = sample;
        const request = requestOf(method, operation, sample);
        const deployment: Deployment = {
          connector,
          method,
          settings,
          session: request,
          machinery,
          ...(mid && { mid }),
          ...(card && { card }),
          ...(wallet && { wallet }),
          ...(authentication && { authentication }),
          ...(payeeCard !== undefined && { payeeCard }),
          ...(client !== undefined && { client }),
        };
        const problem = problemOf(deployment, request, sample);
        if (problem === undefined)
          return [
            { path, name, method, operation, flows, sample, request, deployment, adapt, isFirst: index === first },
          ];
        problems.push({
          path: `sessions.${path}`,
          says: `${problem} Give a valid sample under sessions['${method.key}'].${operation}.`,
        });
        return [];
      });
    }),
  );
}

/** A flow that reads the card of a sample without one would be blamed for what the sample lacks. */
function missingCard({ method }: Deployment, session: SessionRequest, sample: SampleSession): string | undefined {
  const { card, payeeCard, mid = {}, payer = {} } = sample;
  if (card === undefined && takesCard(registryOf(method), session, method.key, { mid, payer }))
    return 'The payer pays with a card, and the sample has none. Give a test card: card: { number, cvv, expiryMonth, expiryYear, holder }.';
  return payeeCard === undefined && method.operations[session.operation]?.payeeCard === true
    ? 'The money goes to a card, and the sample has none. Give the number of a test card: payeeCard.'
    : undefined;
}

function problemOf(deployment: Deployment, request: unknown, sample: SampleSession): string | undefined {
  const { payer = {} } = sample;
  const validation = validate(deployment, request);
  if (!validation.ok) return validation.issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
  const resolution = resolve(deployment, validation.session, payer);
  if (resolution.kind === 'complete') return missingCard(deployment, validation.session, sample);
  if (resolution.kind === 'invalid')
    return resolution.issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
  return `The payer would be asked for ${resolution.fields.map(({ path }) => path).join(', ')}.`;
}
