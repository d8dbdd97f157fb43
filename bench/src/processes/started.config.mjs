// A deployment as its operator writes it, for the shipped program: what its start takes is a figure of its own.
import { collectionConnector, instantConnector } from '@railyard/connector-pix';

const { PORT, DATA_DIR, MERCHANT_KEY, MERCHANT_PASSWORD } = process.env;
const base_url = 'http://127.0.0.1:9';

export default {
  publicUrl: `http://127.0.0.1:${PORT}`,
  port: Number(PORT),
  ...(DATA_DIR && { dataDir: DATA_DIR }),
  connectors: [instantConnector, collectionConnector],
  mids: [
    { id: 'pix-main', connector: instantConnector.id, settings: { base_url, api_key: 'k', webhook_secret: 's' } },
    { id: 'pix-collected', connector: collectionConnector.id, settings: { base_url, api_key: 'k' } },
  ],
  merchants: [
    { key: MERCHANT_KEY, name: 'Shop', password: MERCHANT_PASSWORD, methods: [{ key: 'pix', mid: 'pix-main' }] },
  ],
};
