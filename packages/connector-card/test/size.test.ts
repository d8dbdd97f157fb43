import { sizeGates } from '../../../test/support/size-gates.ts';

// The tables of set 6 have more than a hundred names.
sizeGates({ url: import.meta.url, parameter: 'bnrg_installm_plan', withCoreKb: 18 });
