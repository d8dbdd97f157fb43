import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'bnrg_installm_plan', withCoreKb: 15 });
