export { freePort, portOf } from '../../packages/checkout/test/support/listen.ts';
