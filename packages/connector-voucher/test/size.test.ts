import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'billing_address.phone', adapter: 'reference_id', withCoreKb: 15 });
