import { askedBesidePayments } from '../asked-beside-payments.ts';
import { type Check, notApplicable, over } from '../check.ts';
import { goldensOf, readGoldens } from '../goldens.ts';

/** Checks of the goldens themselves. */
export const goldenSourceChecks: readonly Check[] = [
  {
    id: 'goldens-for-every-endpoint',
    level: 'recommended',
    title: 'every endpoint has a golden exchange, written from its documentation',
    async run(subject) {
      const goldens = await readGoldens(subject.options);
      const beside = askedBesidePayments(subject);
      const endpoints = subject.connector.endpoints.filter(({ name }) => !beside.has(name));
      return over(endpoints, 'The connector declares no endpoint of a payment.', (endpoint) =>
        goldensOf(goldens, endpoint).length > 0
          ? []
          : [
              {
                path: `endpoints.${endpoint.name}`,
                says: "It has no golden exchange. Write one from the provider's documentation, apart from the code.",
              },
            ],
      );
    },
  },
  {
    id: 'goldens-have-a-source',
    level: 'required',
    title: 'every golden exchange says where it is written down and in which situation',
    async run(subject) {
      const goldens = await readGoldens(subject.options);
      if (goldens.length === 0) return notApplicable('There are no goldens.');
      return goldens.flatMap(({ endpoint, source, when }, index) =>
        source.trim().length < 4 || when.trim().length < 4
          ? [{ path: `goldens.${index} (${endpoint})`, says: 'Source or situation is missing.' }]
          : [],
      );
    },
  },
];
