import { sampleCode } from './code.samples.ts';

/** A charge with the fields that the description lists, as far as the connector reads them. */
export const sampleCob = {
  calendario: { criacao: '2026-11-21T12:00:00.000Z', expiracao: 86400 },
  txid: '0b5cdb2e0d6c4a0f9b576c2f0d8e4a11',
  revisao: 0,
  status: 'ATIVA',
  valor: { original: '10.00' },
  chave: 'loja@example.com',
  pixCopiaECola: sampleCode,
};

export const sampleDevolucao = {
  id: '5f1c8d9a3b7e4c6d8f2a1b3c5d7e9f01',
  rtrId: 'D0000000020261121120000000000001',
  valor: '10.00',
  horario: { solicitacao: '2026-11-21T12:05:00.000Z' },
  status: 'EM_PROCESSAMENTO',
};

export const samplePix = {
  endToEndId: 'E0000000020261121120000000000001',
  txid: sampleCob.txid,
  valor: '10.00',
  horario: '2026-11-21T12:00:05.000Z',
};

const problem = (type: string, title: string, status: number) => ({
  type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
  title,
  status,
});

export const sampleAbsent = problem('NaoEncontrado', 'Not found', 404);
export const sampleRefusal = problem('CobOperacaoInvalida', 'Operação inválida.', 400);
/** The fields that are wrong are named: the bank has made nothing. */
export const sampleInvalid = {
  ...sampleRefusal,
  violacoes: [{ razao: 'O campo cob.valor.original não respeita o schema.', propriedade: 'cob.valor.original' }],
};
export const sampleRefusedReturn = problem('PixDevolucaoInvalida', 'Devolução inválida.', 400);
export const sampleNotification = { pix: [samplePix] };
