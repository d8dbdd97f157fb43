import { rawNotification } from '@railyard/core/driver';
import { cannotRun, type Check, notApplicable, over } from '../check.ts';
import { textOfBody } from '../walk.ts';

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
  {
    id: 'notifications-are-no-address-checks',
    level: 'required',
    title: 'no notification is taken for a request by which the provider tries the address',
    run({ connector: { notifications }, settings }) {
      if (notifications?.addressCheck === undefined)
        return notApplicable('The provider tries no address, or the connector does not answer it.');
      const { addressCheck, codec, examples = [] } = notifications;
      return over(examples, cannotRun('The notifications have no example. Give one.'), ({ body }, index) =>
        addressCheck(rawNotification({ body: textOfBody(codec, body), headers: {} }), { settings }) === undefined
          ? []
          : [
              {
                path: `notifications.examples.${index}`,
                says: 'The notification is answered as a try of the address, and what it says is lost. Recognise a try by its method or by a value that no notification has.',
              },
            ],
      );
    },
  },
];
