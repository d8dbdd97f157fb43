import { sizeGates } from '../../../test/support/size-gates.ts';

const libraries = ['@noble/hashes/sha2.js', '@noble/hashes/sha3.js', '@noble/hashes/utils.js', '@scure/base'];
sizeGates({ url: import.meta.url, parameter: 'withdrawCurrency', withCoreKb: 23, libraries });
