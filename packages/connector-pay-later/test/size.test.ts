import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'buyer_registered_since', adapter: 'x-request-id', withCoreKb: 15 });
