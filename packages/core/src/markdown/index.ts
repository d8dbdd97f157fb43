export { connectorTables } from './connector-tables.ts';
export { withGenerated } from './generated.ts';
export { parameterTables } from './parameter-tables.ts';
