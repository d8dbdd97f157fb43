import { pure } from './pure.js';

export default { meta: { name: 'railyard' }, rules: { pure } };
