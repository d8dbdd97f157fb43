import { withoutTrailingSlashes } from '@railyard/core/protocol';
import type { Connector } from '@railyard/core';
import type { AnyEndpoint } from '@railyard/core/driver';
import type { HttpRequest, Transport } from '@railyard/runtime';
import type { ProviderDouble } from '../provider/double.ts';
import { inProcess } from '../provider/network.ts';

/** Which endpoint a request is for; nothing where it goes elsewhere. */
export function endpointOf(
  { connector, settings }: { readonly connector: Connector; readonly settings: unknown },
  { method, url }: Pick<HttpRequest, 'method' | 'url'>,
): AnyEndpoint | undefined {
  const base = new URL(connector.baseUrl(settings));
  const { origin, pathname } = new URL(url);
  const root = withoutTrailingSlashes(base.pathname);
  if (origin !== base.origin || !pathname.startsWith(root)) return undefined;
  const path = pathname.slice(root.length);
  const fitting = connector.endpoints.filter(
    (endpoint) => endpoint.method === method && patternOf(endpoint.path).test(path),
  );
  return fitting.toSorted((a, b) => placesIn(a) - placesIn(b))[0];
}

const placesIn = ({ path }: AnyEndpoint) => path.split('{').length;

function patternOf(template: string): RegExp {
  const fixed = template.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${fixed.join('[^/]+')}$`);
}

/** Keeps every request that reaches the provider. */
export function recording(seen: HttpRequest[]): (provider: ProviderDouble) => Transport {
  return (provider) => {
    const network = inProcess(provider);
    return { send: (request) => (seen.push(request), network.send(request)) };
  };
}

/** Sends some requests twice, as a repeat after a lost reply would; the caller gets the second reply. */
export function doubling(which: (request: HttpRequest) => boolean): (provider: ProviderDouble) => Transport {
  return (provider) => {
    const network = inProcess(provider);
    return {
      async send(request) {
        if (which(request)) await network.send(request);
        return network.send(request);
      },
    };
  };
}
