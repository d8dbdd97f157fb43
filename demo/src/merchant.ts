/**
 * The demo merchant. These are published sample values, not secrets: never use them for anything that moves money.
 * The callback secret is 32 bytes of text in Base64.
 */
export const merchant = {
  name: 'Railyard Coffee',
  key: '11111111-2222-4333-8444-555555555555',
  password: '5f4dcc3b5aa765d61d8327deb882cf99',
  digest: 'both',
  /** Subscriptions are sold with it, because the clock of test payments can be moved. */
  testKey: '99999999-2222-4333-8444-555555555555',
  test: {
    password: '0d107d09f5bbe40cade3de5c71e9e9b7',
    callbackSecret: 'whsec_cmFpbHlhcmQtZGVtby1jYWxsYmFjay10ZXN0cy0wMDE=',
    requestKeys: [
      {
        id: 'demo-shop-tests',
        secret: 'whsec_cmFpbHlhcmQtZGVtby1yZXF1ZXN0LXRlc3RzLTAwMQ==',
        permissions: ['create', 'read', 'refund'],
      },
    ],
  },
  callbackSecret: 'whsec_cmFpbHlhcmQtZGVtby1jYWxsYmFjay1zZWNyZXQtMDE=',
  requestKeys: [
    {
      id: 'demo-shop',
      secret: 'whsec_cmFpbHlhcmQtZGVtby1yZXF1ZXN0LXNlY3JldC0wMDE=',
      permissions: ['create', 'read', 'refund', 'pay-out'],
    },
  ],
} as const;
