export { checkConformance, conformance } from './conformance.ts';
export { checkOfficial, type Contradiction, type OfficialOptions, type OfficialReport } from './official/exchanges.ts';
export { type ModificationRecord, type HostModification, type PaymentRecord, refunded } from './host/disk.ts';
export {
  Crash,
  crashAt,
  crashingJournal,
  crashingTransport,
  type CrashPoints,
  faultyTransport,
  NETWORK_FAULTS,
  type NetworkFault,
  type Spoil,
} from './host/faults.ts';
export {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  type Played,
  playThrough,
  type Scenario,
  type Stage,
} from './host/scenario.ts';
export { type Payer, TinyHost } from './host/tiny-host.ts';
export { type Deployment, newPayment, runOf, type World } from './host/world.ts';
export {
  jsonReply,
  type LedgerLine,
  type ProviderDouble,
  type ProviderReply,
  type ProviderRequest,
} from './provider/double.ts';
export { inProcess } from './provider/network.ts';
export type {
  CheckResult,
  ConformanceOptions,
  ConformanceReport,
  Golden,
  Level,
  RunnerTest,
  SampleAuthentication,
  SampleCard,
  SampleWallet,
  SampleSession,
  SampleSessions,
  SampleSignal,
} from './types.ts';
export { LEVELS } from './types.ts';
