export const sampleTicket = {
  ticket_id: 'tk_5e08',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'ISSUED',
  amount: '10.00',
  currency: 'COP',
  number: '3381 0467 2259',
  bar_code: '338104672259000010',
  pay_before: '2026-11-24T12:00:00Z',
};
export const sampleRefusal = { code: 'DOCUMENT_NOT_VALID', message: 'There is no such document.' };
export const sampleAbsent = { code: 'TICKET_UNKNOWN', message: 'There is no such ticket.' };
const { number: _number, bar_code: _code, pay_before: _until, ...reported } = sampleTicket;
export const sampleNotification = { ...reported, state: 'PAID' };
