import { acquirerConnector } from '@railyard/connector-card';
import { instantConnector } from '@railyard/connector-pix';

// DATABASE_URL and RAILYARD_ENCRYPTION_KEY come from the environment: the same for every process.
export default {
  publicUrl: process.env.PUBLIC_URL ?? 'http://127.0.0.1:8080',
  port: Number(process.env.PORT ?? 8080),
  // `any` only for trials on one machine.
  callbackNetwork: process.env.CALLBACK_NETWORK ?? 'public',
  connectors: [instantConnector, acquirerConnector],
  mids: [
    {
      id: 'pix-main',
      connector: instantConnector.id,
      settings: {
        base_url: process.env.PIX_URL ?? 'https://api.pix-provider.example',
        api_key: { env: 'PIX_API_KEY' },
        webhook_secret: { env: 'PIX_WEBHOOK_SECRET' },
      },
    },
    {
      id: 'cards',
      connector: acquirerConnector.id,
      settings: {
        base_url: process.env.CARD_URL ?? 'https://api.acquirer.example',
        api_key: { env: 'CARD_API_KEY' },
        webhook_secret: { env: 'CARD_WEBHOOK_SECRET' },
      },
    },
  ],
  merchants: [
    {
      key: '11111111-2222-4333-8444-555555555555',
      name: 'Books',
      password: { env: 'SHOP_PASSWORD' },
      callbackUrl: process.env.SHOP_CALLBACK_URL ?? 'https://shop.example/callbacks',
      callbackSecret: { env: 'SHOP_CALLBACK_SECRET' },
      methods: [
        { key: 'card', mid: 'cards' },
        { key: 'br-pix', method: 'pix', mid: 'pix-main', required: ['debtor_document'], strict_documents: true },
      ],
    },
  ],
};
