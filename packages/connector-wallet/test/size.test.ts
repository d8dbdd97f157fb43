import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'redirect', adapter: 'paypal-request-id', withCoreKb: 15, takesKb: 18 });
