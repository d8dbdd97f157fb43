import type { NotificationMode, Scenario } from './scenarios.ts';

/** The course of payments that do not carry a marker of their own. */
export interface Rule {
  readonly scenario: Scenario;
  readonly notifications: NotificationMode;
}

export interface RuleChange {
  /** For one connector, else for all. */
  readonly connector?: string | undefined;
  /** For one payment, made before or after this. */
  readonly reference?: string | undefined;
  readonly scenario?: Scenario | undefined;
  readonly notifications?: NotificationMode | undefined;
}

export interface Rules {
  of(connector: string, reference: string): Rule;
  /** The scenario of a rule for this very payment, the youngest of them. */
  own(connector: string, reference: string): Scenario | undefined;
  set(change: RuleChange): void;
}

/** The narrowest rule wins: reference, connector, default. */
export function createRules(base: Rule): Rules {
  const changes: RuleChange[] = [];
  const fits = (change: RuleChange, connector: string, reference: string) =>
    (change.connector ?? connector) === connector && (change.reference ?? reference) === reference;
  const width = (change: RuleChange) =>
    (change.reference === undefined ? 2 : 0) + (change.connector === undefined ? 1 : 0);
  return {
    of(connector, reference) {
      const found = changes
        .filter((change) => fits(change, connector, reference))
        .toReversed()
        .toSorted((a, b) => width(a) - width(b));
      return {
        scenario: found.find((each) => each.scenario)?.scenario ?? base.scenario,
        notifications: found.find((each) => each.notifications)?.notifications ?? base.notifications,
      };
    },
    own: (connector, reference) =>
      changes.findLast(
        (each) => each.reference === reference && each.scenario !== undefined && fits(each, connector, reference),
      )?.scenario,
    set: (change) => void changes.push(change),
  };
}
