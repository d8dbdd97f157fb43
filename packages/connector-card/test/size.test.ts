import { sizeGates } from '../../../test/support/size-gates.ts';

/** Four adapters; a page loads none of them. */
sizeGates({ url: import.meta.url, parameter: 'bnrg_installm_plan', withCoreKb: 16, takesKb: 25 });
