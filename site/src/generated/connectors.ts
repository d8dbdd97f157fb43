import type { Connector } from '@railyard/core';
import { connectorTables } from '@railyard/core/markdown';
import type { Page } from '../page.ts';
import type { FoundConnector } from '../repository.ts';
import { CAPABILITY_HEAD, capabilityRows } from './capabilities.ts';
import { escaped } from './escaped.ts';
import { connectorPath } from './connector-link.ts';

/** One page per connector, of what it declares. */
export function connectorPages(found: readonly FoundConnector[]): Page[] {
  return found.map(({ folder, name, connector }) => ({
    path: connectorPath(connector.id),
    text: `# ${connector.title}

\`${name}\` of [\`@railyard/${folder}\`](../packages/${folder}.md), with the id \`${connector.id}\`. What merchants send, choices and sources stand on the page of the package; what follows is written from the connector itself.

\`\`\`sh
npm i @railyard/${folder} @railyard/core zod
\`\`\`

**What it can do**

| ${CAPABILITY_HEAD.join(' | ')} |
|${CAPABILITY_HEAD.map(() => '---|').join('')}
${capabilityRows(connector)
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')}

${notificationsOf(connector)}

${escaped(connectorTables(connector))}`,
  }));
}

function notificationsOf({ notifications }: Connector): string {
  if (notifications === undefined) return '**Notifications**: none. Payments are looked up.';
  const { verify } = notifications;
  const scheme = 'scheme' in verify ? verify.scheme : 'several schemes';
  return scheme === 'unsigned'
    ? '**Notifications**: unsigned. Each is only a hint, and the payment is looked up.'
    : `**Notifications**: verified by ${scheme}.`;
}
