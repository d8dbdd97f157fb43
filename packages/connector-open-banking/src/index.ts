export { gatewayConnector } from './gateway/connector.ts';
export { identificationTypes } from './identifications.ts';
export { initiationConnector } from './initiation/connector.ts';
export { onlineBankTransfer, openBanking } from './methods.ts';
