import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library({
    index: 'src/index.ts',
    countries: 'src/countries.ts',
    markdown: 'src/markdown/index.ts',
    merchant: 'src/merchant/index.ts',
  }),
);
