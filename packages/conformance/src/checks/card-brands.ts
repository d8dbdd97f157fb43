import { cannotRun, type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { asText } from '../leaves.ts';
import { runsOf } from '../runs.ts';
import type { Case } from '../subject.ts';
import { walk } from '../walk.ts';

/** The requests of the operation of a sample whose payer chose a network, as text. */
function requestsOf(own: Case, brand: string): string | undefined {
  const { card } = own.deployment;
  if (card === undefined) throw new Error('The sample has no card.');
  const [first] = runsOf(own, { ...own.deployment, card: { ...card, brand, coBranded: true } }, 'operation');
  return asText(first === undefined ? [] : walk(first.run, first.options).requests.map(({ wire }) => wire));
}

function findingsOf(own: Case): readonly Finding[] {
  const names = own.flows.cardBrands ?? [];
  // No connector knows it.
  const unnamed = requestsOf(own, 'no-such-network');
  const sent = names.map((name) => requestsOf(own, name));
  return names.flatMap((name, index) =>
    sent[index] === unnamed || sent.indexOf(sent[index]) !== index
      ? [
          {
            path: `sessions.${own.path}`,
            says: `The choice of ${name} stands in no request. Send it in the field that the provider has for the network, or take it out of cardBrands.`,
          },
        ]
      : [],
  );
}

export const cardBrandChecks: readonly Check[] = [
  {
    id: 'card-brand-reaches-the-provider',
    level: 'required',
    title: 'the connector sends each network that its flows declare where the payer of a co-branded card chose it',
    run({ connector, cases }) {
      const own = cases.filter(
        ({ operation, flows, sample }) =>
          (operation === 'purchase' || operation === 'debit') &&
          flows.cardBrands !== undefined &&
          sample.card !== undefined &&
          sample.wallet === undefined,
      );
      if (own.length > 0) return own.flatMap(findingsOf);
      return connector.serves.some(({ flows }) => flows.cardBrands !== undefined)
        ? cannotRun('No sample pays with a card. Give one.')
        : notApplicable('No flow declares that it sends the network that a payer chose.');
    },
  },
];
