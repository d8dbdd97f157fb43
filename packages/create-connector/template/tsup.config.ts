import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', methods: 'src/methods.ts', simulation: 'src/simulation.ts' },
  format: ['esm'],
  target: 'es2023',
  platform: 'neutral',
  dts: true,
  clean: true,
});
