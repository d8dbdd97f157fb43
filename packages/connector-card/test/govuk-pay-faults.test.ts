import { type ProviderEvent, statusTable } from '@railyard/core';
import { faultsAreCaught } from '../../conformance/test/support/common-faults.ts';
import { events, statusReports } from '../../conformance/test/support/planted.ts';
import { govukPayConnector } from '../src/index.ts';
import { govukPayOptions } from './support/govuk-pay-samples.ts';

/** An event of another kind has no outcome. */
function asExpired(event: ProviderEvent): ProviderEvent {
  const { kind, id, providerReference, merchantReference } = event;
  return kind === 'ended' ? { kind: 'hold-expired', id, providerReference, merchantReference } : event;
}
const reportsAsExpired = statusReports((report) =>
  'events' in report ? { events: report.events.map(asExpired) } : report,
);

faultsAreCaught(govukPayConnector, govukPayOptions, [
  [
    'a search of disputes that failed taken for one that finds none',
    'failed-parts-are-looked-up-again',
    statusReports((report) => ('events' in report ? { events: report.events } : report)),
  ],
  [
    'a word of refunds that nothing shows, read as made',
    'status-words-are-proven',
    ({ effectStatuses, ...connector }) => {
      const refund = statusTable({ submitted: 'pending', processing: 'settled', success: 'settled', error: 'pending' });
      return { ...connector, effectStatuses: { ...effectStatuses, refund } };
    },
  ],
  [
    'a word for the end of both reported as the end of a hold',
    'ended-payments-are-declined',
    (connector) => events(asExpired)(reportsAsExpired(connector)),
  ],
  [
    'the end of a hold looked up as a decline',
    'expired-holds-are-released',
    statusReports((report) => {
      const [first] = 'events' in report ? report.events : [];
      return first?.kind === 'ended' ? first.outcome : report;
    }),
  ],
]);
