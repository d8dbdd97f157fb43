import { storesAt } from './vitest.server.config.ts';

export default storesAt('serializable');
