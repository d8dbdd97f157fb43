import type { FoundConnector } from '../repository.ts';

/** Where the page of a connector stands in the site. */
export const connectorPath = (id: string): string => `connectors/${id}.md`;

export const linkTo = ({ connector }: FoundConnector): string => `[${connector.title}](${connectorPath(connector.id)})`;
