const data = {
  CreationDateTime: '2026-11-21T12:00:00+00:00',
  StatusUpdateDateTime: '2026-11-21T12:00:00+00:00',
  Initiation: {
    InstructionIdentification: '0b5cdb2e0d6c4a0f9b576c2f0d8e4a11',
    EndToEndIdentification: '0b5cdb2e0d6c4a0f9b576c2f0d8e4a11',
    InstructedAmount: { Amount: '10.00', Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: '04000412345678',
      Name: 'Ann Lee',
    },
    RemittanceInformation: { Unstructured: ['Two books'] },
  },
};

/** A consent with the fields that the description requires and those that the connector reads. */
export const sampleConsent = {
  Data: { ConsentId: '58923', Status: 'AWAU', ...data },
  Risk: { PaymentContextCode: 'EcommerceMerchantInitiatedPayment' },
};

export const samplePayment = {
  Data: { DomesticPaymentId: '58923-001', ConsentId: '58923', Status: 'ACSP', ...data },
};

/** The reply in another state; a rejected one says why. */
export const inState = <D extends object>(reply: { readonly Data: D }, Status: string, code?: string) => ({
  ...reply,
  Data: { ...reply.Data, Status, ...(code !== undefined && { StatusReason: [{ StatusReasonCode: code }] }) },
});

/** The public key of RFC 7515, A.3.1. Its private half is published there, for the simulated bank to sign by. */
export const sampleKeys = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: 'rfc-7515-a-3',
      use: 'sig',
      alg: 'ES256',
    },
  ],
};

const problem = (ErrorCode: string, Message: string) => ({ Errors: [{ ErrorCode, Message }] });

export const sampleRefusal = problem('U002', 'Data.Initiation.CreditorAccount is not valid.');
export const sampleAbsent = problem('U011', 'The resource was not found.');
