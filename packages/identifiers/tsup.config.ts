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
    'bitcoin-address': 'src/bitcoin-address.ts',
    'bitcoin-cash-address': 'src/bitcoin-cash-address.ts',
    'evm-address': 'src/evm-address.ts',
    'tron-address': 'src/tron-address.ts',
    iban: 'src/iban.ts',
    bic: 'src/bic.ts',
    aba: 'src/aba.ts',
    clabe: 'src/clabe.ts',
    ifsc: 'src/ifsc.ts',
    cbu: 'src/cbu.ts',
    cci: 'src/cci.ts',
    cuit: 'src/cuit.ts',
    curp: 'src/curp.ts',
    ruc: 'src/ruc.ts',
    rut: 'src/rut.ts',
    tckn: 'src/tckn.ts',
    'sort-code': 'src/sort-code.ts',
    bsb: 'src/bsb.ts',
    blz: 'src/blz.ts',
    ncc: 'src/ncc.ts',
    'card-number': 'src/card-number.ts',
  }),
);
