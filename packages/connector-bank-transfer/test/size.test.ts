import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'bankDetails', withCoreKb: 15 });
