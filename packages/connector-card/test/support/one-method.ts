import type { ConformanceOptions } from '@railyard/conformance';
import type { Connector } from '@railyard/core';
import { acquirerOptions } from './samples.ts';

/** The adapter with its first method, so that a check runs once for each fault in little time. */
export const oneMethod = ({ serves: [served], ...connector }: Connector): Connector => {
  const { debit: _debit, credit: _credit, transfer: _transfer, recurring: _recurring, ...flows } = served?.flows ?? {};
  return { ...connector, serves: served === undefined ? [] : [{ ...served, flows }] };
};

// The goldens would catch some of the faults too; without them the checks of behaviour have to.
const { goldens: _goldens, sessions, ...given } = acquirerOptions;
const samples = [sessions?.card?.purchase ?? []].flat();
const wanted = samples.filter(({ name = '' }) => ['', 'hold', 'waits'].includes(name));
export const oneMethodOptions: ConformanceOptions = { ...given, sessions: { card: { purchase: wanted } } };
