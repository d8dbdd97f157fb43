import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'mobile_money_operator', withCoreKb: 14, takesKb: 17 });
