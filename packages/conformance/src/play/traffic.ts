import type { Connector } from '@railyard/core';
import type { AnyEndpoint } from '@railyard/core/driver';
import { baseUrlOf, type HttpRequest, type Transport } from '@railyard/runtime';
import type { ProviderDouble } from '../provider/double.ts';
import { inProcess } from '../provider/network.ts';

/** Which endpoint a request is for; nothing where it goes elsewhere. */
export function endpointOf(
  { connector, settings }: { readonly connector: Connector; readonly settings: unknown },
  { method, url }: Pick<HttpRequest, 'method' | 'url'>,
): AnyEndpoint | undefined {
  const { origin, pathname } = new URL(url);
  const at = `${origin}${pathname}`;
  const fitting = connector.endpoints.filter((endpoint) => {
    const base = baseUrlOf(connector, endpoint, settings);
    return endpoint.method === method && at.startsWith(base) && patternOf(endpoint.path).test(at.slice(base.length));
  });
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
