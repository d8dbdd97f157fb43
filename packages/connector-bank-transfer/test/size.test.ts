import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({
  url: import.meta.url,
  parameter: 'bankDetails',
  pages: { 'validate-a-disbursement': 'ifscCode' },
  withCoreKb: 15,
  methodsKb: 9,
  takesKb: 18,
});
