import type { ConformanceOptions } from '@railyard/conformance';
import { govukPaySimulation } from '../../src/simulation.ts';
import { govukPayGoldens } from '../govuk-pay-goldens.ts';

const inPounds = { order: { currency: 'GBP' } };

export const govukPayOptions: ConformanceOptions = {
  simulation: govukPaySimulation,
  settings: {
    base_url: 'https://api.example',
    api_key: 'api_test_of_the_kit',
    webhook_secret: 'a-secret-that-signs',
  },
  sessions: {
    'card-hosted': {
      purchase: [
        { name: 'sale', session: inPounds },
        { name: 'hold', session: { ...inPounds, auth: true } },
      ],
    },
  },
  goldens: govukPayGoldens,
  answers: new URL('../fixtures/govuk-pay-answers.md', import.meta.url),
};
