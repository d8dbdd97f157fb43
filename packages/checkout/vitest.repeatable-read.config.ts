import { storesAt } from './vitest.server.config.ts';

export default storesAt('repeatable read');
