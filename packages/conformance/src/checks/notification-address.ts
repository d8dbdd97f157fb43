import { type Check, notApplicable } from '../check.ts';

/** A simulation without an address sends nothing, and the checks of notifications would look at nothing. */
export const notificationAddressChecks: readonly Check[] = [
  {
    id: 'notification-address-is-declared',
    level: 'required',
    title:
      'notifications go to the address that requests carry, or are declared to go to one that is set at the provider',
    run({ connector, options: { simulation } }) {
      const { notifications } = connector;
      if (notifications === undefined) return notApplicable('The connector takes no notifications.');
      if (simulation?.notification === undefined) return notApplicable('The simulation sends no notifications.');
      const isInRequests = simulation.notification.url !== undefined;
      if (isInRequests === (notifications.address !== 'at-provider')) return [];
      return [
        {
          path: 'notifications.address',
          says: isInRequests
            ? "The address is declared to be set at the provider, but the simulation reads it from requests. Leave out address: 'at-provider', or the simulation's notification.url."
            : "No request carries the address. Declare address: 'at-provider' where it is set in the provider's console, else name its place in requests as notification.url of the simulation.",
        },
      ];
    },
  },
];
