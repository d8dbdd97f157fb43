export { examplePayConnector } from './example-pay.ts';
export { exampleMethodLimits } from './limits.ts';
export { exampleMethod } from './methods.ts';
