export { minutesAfter } from './connector/simulated-time.ts';
export type {
  EffectWords,
  SimulatedCourse,
  ModificationEffect,
  SimulatedEffect,
  SimulatedEndpoint,
  SimulatedDispute,
  SimulatedModification,
  SimulatedNotification,
  SimulatedPage,
  SimulatedPayment,
  SimulatedRequest,
  SimulatedVisit,
  SimulatedWhere,
  Simulation,
} from './connector/simulation.ts';
