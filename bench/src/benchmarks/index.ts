import type { Benchmark } from '../benchmark.ts';
import { commands } from './commands.ts';
import { connectors } from './connectors.ts';
import { openPayments } from './open-payments.ts';
import { packages } from './packages.ts';
import { payments } from './payments.ts';
import { processes } from './processes.ts';
import { providerCalls } from './provider-calls.ts';
import { schedules } from './schedules.ts';
import { sessions } from './sessions.ts';
import { start } from './start.ts';
import { stored } from './stored.ts';
import { validation } from './validation.ts';

export const benchmarks: readonly Benchmark[] = [
  validation,
  sessions,
  processes,
  stored,
  payments,
  openPayments,
  commands,
  schedules,
  providerCalls,
  start,
  packages,
  connectors,
];
