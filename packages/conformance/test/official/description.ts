/** A small OpenAPI 3.0 description with what real ones have: references, alternatives, nullable, fields of one direction. */
export const description = {
  openapi: '3.0.0',
  info: { title: 'Charges', version: '2.1' },
  paths: {
    '/charges/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z0-9]+$' } }],
      put: {
        summary: 'Makes a charge',
        parameters: [{ $ref: '#/components/parameters/Key' }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Charge' } } } },
        responses: { 201: { $ref: '#/components/responses/Charge' } },
        callbacks: {
          refunded: {
            '{$request.body#/url}/refunds': {
              post: {
                requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Amount' } } } },
                responses: {},
              },
            },
          },
        },
      },
      get: { responses: { 200: { $ref: '#/components/responses/Charge' } } },
    },
    '/charges/latest': { get: { responses: { 204: { description: 'None' } } } },
  },
  webhooks: {
    PAID: {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Charge' } } } },
        responses: {},
      },
    },
  },
  components: {
    parameters: { Key: { name: 'X-Key', in: 'header', required: true, schema: { type: 'string' } } },
    responses: {
      Charge: {
        description: 'The charge',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Charge' } } },
      },
    },
    schemas: {
      Charge: {
        type: 'object',
        description: 'A charge',
        required: ['amount', 'status'],
        properties: {
          id: { type: 'string', readOnly: true, example: 'abc123' },
          status: { type: 'string', enum: ['OPEN', 'PAID'], readOnly: true },
          amount: { $ref: '#/components/schemas/Amount' },
          payer: { $ref: '#/components/schemas/Payer' },
          paidBy: { $ref: '#/components/schemas/Way' },
          note: { type: 'string', nullable: true },
        },
      },
      Amount: {
        type: 'object',
        required: ['value'],
        properties: { value: { type: 'string', pattern: '^\\d+\\.\\d{2}$' } },
      },
      Payer: { oneOf: [{ $ref: '#/components/schemas/Person' }, { $ref: '#/components/schemas/Company' }] },
      Person: {
        type: 'object',
        required: ['kind', 'name'],
        properties: { kind: { type: 'string', enum: ['person'] }, name: { type: 'string' } },
      },
      Company: {
        allOf: [
          { type: 'object', required: ['kind'], properties: { kind: { type: 'string', enum: ['company'] } } },
          { type: 'object', properties: { register: { type: 'string' } } },
        ],
      },
      Way: {
        oneOf: [{ $ref: '#/components/schemas/Cash' }, { $ref: '#/components/schemas/Transfer' }],
        discriminator: {
          propertyName: 'by',
          mapping: { cash: 'Cash', transfer: '#/components/schemas/Transfer' },
        },
      },
      Cash: { type: 'object', properties: { by: { type: 'string' }, shop: { type: 'string' } } },
      Transfer: { type: 'object', properties: { by: { type: 'string' }, account: { type: 'string' } } },
      Unused: { type: 'object' },
    },
  },
};
