import { cannotRun, type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { asText } from '../leaves.ts';
import { runsOf } from '../runs.ts';
import type { Case } from '../subject.ts';
import { walk } from '../walk.ts';

/** The requests of the operation of a sample with a card of this network, as text. */
function requestsOf(own: Case, brand: string, isChosen: boolean): string | undefined {
  const { card } = own.deployment;
  if (card === undefined) throw new Error('The sample has no card.');
  const { coBranded: _own, ...plain } = card;
  const sample = { ...plain, brand, ...(isChosen && { coBranded: true as const }) };
  const [first] = runsOf(own, { ...own.deployment, card: sample }, 'operation');
  return asText(first === undefined ? [] : walk(first.run, first.options).requests.map(({ wire }) => wire));
}

function findingsOf(own: Case): readonly Finding[] {
  const names = own.flows.cardBrands ?? [];
  // No connector knows it.
  const unnamed = requestsOf(own, 'no-such-network', true);
  const sent = names.map((name) => requestsOf(own, name, true));
  const unchosen = requestsOf(own, 'no-such-network', false);
  const finding = (says: string): Finding => ({ path: `sessions.${own.path}`, says });
  return names.flatMap((name, index) => [
    ...(sent[index] === unnamed || sent.indexOf(sent[index]) !== index
      ? [
          finding(
            `The choice of ${name} stands in no request. Send it in the field that the provider has for the network, or take it out of cardBrands.`,
          ),
        ]
      : []),
    ...(requestsOf(own, name, false) === unchosen
      ? []
      : [finding(`The network ${name} is sent of a card without coBranded. Send it where coBranded is true alone.`)]),
  ]);
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
          // A provider may need more for a network with a merchant's own 3-D Secure.
          sample.authentication === undefined &&
          sample.wallet === undefined,
      );
      if (own.length > 0) return own.flatMap(findingsOf);
      return connector.serves.some(({ flows }) => flows.cardBrands !== undefined)
        ? cannotRun('No sample pays with a card. Give one.')
        : notApplicable('No flow declares that it sends the network that a payer chose.');
    },
  },
];
