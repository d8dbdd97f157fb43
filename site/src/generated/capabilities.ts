import type { Connector } from '@railyard/core';
import type { AnyFlows } from '@railyard/core/driver';
import type { Page } from '../page.ts';
import type { FoundConnector } from '../repository.ts';
import { linkTo } from './connector-link.ts';

/** Operations of a method, in the order of a payment's life. */
const CAPABILITIES = [
  'purchase',
  'debit',
  'credit',
  'transfer',
  'capture',
  'void',
  'refund',
  'recurring',
  'renew',
  'status',
] as const satisfies readonly (keyof AnyFlows)[];

/** A connector's capabilities, as rows of a table: one per method. */
export function capabilityRows(connector: Connector): string[][] {
  const proof = isOfRealProvider(connector) ? 'checked' : 'simulated';
  return connector.serves.map(({ method, flows }) => [
    `\`${method.key}\``,
    ...CAPABILITIES.map((name) => markOf(flows, name, proof)),
  ]);
}

/** The examples of an invented provider come from its README in this repository, those of a real one from its description or its package. */
export function isOfRealProvider({ endpoints }: Connector): boolean {
  const sources = endpoints.flatMap(({ examples }) => examples.map(({ source }) => source));
  return sources.length > 0 && sources.every((source) => !source.startsWith('packages/'));
}

export const CAPABILITY_HEAD = ['method', ...CAPABILITIES];

function markOf(flows: AnyFlows, name: (typeof CAPABILITIES)[number], proof: string): string {
  const flow = flows[name];
  if (flow === undefined) return '';
  return typeof flow === 'object' && flow.partial ? `${proof}, in parts` : proof;
}

/** The capability matrix. */
export function capabilityPage(found: readonly FoundConnector[]): Page {
  const rows = found.flatMap((each) =>
    capabilityRows(each.connector).map((cells) => `| ${[linkTo(each), ...cells].join(' | ')} |`),
  );
  const head = ['connector', ...CAPABILITY_HEAD];
  return {
    path: 'capabilities.md',
    text: `# What each connector can do

Written from the connectors themselves. What has no mark is not supported and is refused before the provider is asked. “In parts”: also a part of the amount.

“Checked”: the provider is real, and each request was held against its official description, Stripe’s against the types of its package, not yet against its live API. “Simulated”: the provider is invented, and the simulator alone plays it. Nothing was tried live. [What each adapter of a real provider has](real-providers.md) names the calls and the tests.

| ${head.join(' | ')} |
|${head.map(() => '---|').join('')}
${rows.join('\n')}
`,
  };
}
