import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library({
    index: 'src/index.ts',
    countries: 'src/countries.ts',
    driver: 'src/driver.ts',
    formats: 'src/formats.ts',
    markdown: 'src/markdown/index.ts',
    merchant: 'src/merchant/index.ts',
    payer: 'src/payer.ts',
    payment: 'src/payment.ts',
    proofs: 'src/proofs.ts',
    protocol: 'src/protocol.ts',
    registry: 'src/registry.ts',
    simulation: 'src/simulation.ts',
  }),
);
