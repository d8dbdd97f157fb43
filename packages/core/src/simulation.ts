export { minutesAfter } from './connector/simulated-time.ts';
export type {
  SimulatedCourse,
  SimulatedEffect,
  SimulatedEndpoint,
  SimulatedNotification,
  SimulatedPage,
  SimulatedPayment,
  SimulatedRequest,
  Simulation,
} from './connector/simulation.ts';
