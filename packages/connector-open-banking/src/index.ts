export { gatewayConnector } from './gateway.ts';
export { identificationTypes } from './identifications.ts';
export { initiationConnector } from './initiation.ts';
export { onlineBankTransfer, openBanking } from './methods.ts';
export { obUkConnector } from './ob-uk.ts';
