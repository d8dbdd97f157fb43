import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'debtor_document', withCoreKb: 15 });
