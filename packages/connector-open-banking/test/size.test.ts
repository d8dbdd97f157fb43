import { sizeGates } from '../../../test/support/size-gates.ts';

sizeGates({ url: import.meta.url, parameter: 'payee_identifications', withCoreKb: 19, libraries: ['ibantools'] });
