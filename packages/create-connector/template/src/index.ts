export { examplePayConnector } from './example-pay/connector.ts';
export { exampleMethodLimits } from './limits.ts';
export { exampleMethod } from './methods.ts';
