import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { paypalConnector } from '../src/index.ts';
import { paypalSimulation } from '../src/simulation.ts';
import { paypalGoldens } from './support/goldens.ts';

conformance(paypalConnector, {
  test,
  level: 'excellent',
  simulation: paypalSimulation,
  settings: {
    base_url: 'https://api.example',
    client_id: 'the-client-id',
    client_secret: 'the-client-secret',
    webhook_id: '1JE4291016473214C',
  },
  sessions: {
    redirect: {
      purchase: [
        { name: 'sale', connectorState: { capture: '2GG279541U471931P' } },
        { name: 'hold', session: { auth: true }, connectorState: { authorization: '0AW2184448108334S' } },
      ],
    },
  },
  goldens: paypalGoldens,
});
