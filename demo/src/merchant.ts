/**
 * The demo merchant. These are published sample values, not secrets: never use them for anything that moves money.
 * The callback secret is 32 bytes of text in Base64.
 */
export const merchant = {
  name: 'Railyard Coffee',
  key: '11111111-2222-4333-8444-555555555555',
  password: '5f4dcc3b5aa765d61d8327deb882cf99',
  digest: 'both',
  callbackSecret: 'whsec_cmFpbHlhcmQtZGVtby1jYWxsYmFjay1zZWNyZXQtMDE=',
  requestKeys: [
    {
      id: 'demo-shop',
      secret: 'whsec_cmFpbHlhcmQtZGVtby1yZXF1ZXN0LXNlY3JldC0wMDE=',
      permissions: ['create', 'read', 'refund', 'pay-out'],
    },
  ],
} as const;
