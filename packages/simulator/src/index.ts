export type { Lag } from './bank.ts';
export {
  type InProcessOptions,
  type InProcessRequest,
  type InProcessSimulator,
  simulateInProcess,
} from './in-process.ts';
export type { SimulatedConnector } from './mount.ts';
export type { Delivery } from './notify.ts';
export type { HeldModification, HeldPayment, LedgerEntry } from './records.ts';
export type { RuleChange } from './rules.ts';
export { NOTIFICATION_MODES, type NotificationMode, type Scenario, SCENARIOS } from './scenarios.ts';
export { prove } from './sign.ts';
export { createSimulator, type Simulator, type SimulatorOptions, type SimulatorTimes } from './simulator.ts';
export { type ManualTime, manualTime, type Scheduler } from './time.ts';
