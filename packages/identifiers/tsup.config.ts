import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library({
    index: 'src/index.ts',
    cpf: 'src/cpf.ts',
    cnpj: 'src/cnpj.ts',
    'pix-key': 'src/pix-key.ts',
    'br-code': 'src/br-code.ts',
    phone: 'src/phone.ts',
  }),
);
