import { type HttpRequest, readBody } from '@railyard/runtime';
import { expect, it } from 'vitest';
import { authorised } from '../src/adyen.samples.ts';
import { payment as sold } from '../src/acquirer.samples.ts';
import { acquirerConnector } from '../src/index.ts';
import { paymentMethod, succeeded } from '../src/stripe.samples.ts';
import { purchase as byAdyen } from './support/adyen-exchange.ts';
import { paymentOf, visa } from './support/rig.ts';
import { acquirerOptions } from './support/samples.ts';
import { OURS, scripted } from './support/scripted.ts';
import { purchase as byStripe } from './support/stripe-exchange.ts';

const acquirer = scripted(acquirerConnector, acquirerConnector.settings.parse(acquirerOptions.settings), {});
const sold201 = [[201, sold]] as const;

/** The payments by each provider that is sent an address, and the state in it. */
const providers = {
  acquirer: [
    (session: object) => acquirer('purchase', { payment: paymentOf(OURS, { card: visa('01/30'), session }) }, sold201),
    'payer.address.state',
  ],
  adyen: [(session: object) => byAdyen({ session }, [[200, authorised]]), 'billingAddress.stateOrProvince'],
  stripe: [
    (session: object) =>
      byStripe({ session }, [
        [200, paymentMethod],
        [200, succeeded],
      ]),
    'billing_details[address][state]',
  ],
} as const;

const sentAt = ([first]: readonly HttpRequest[], place: string): unknown => {
  const type = first?.headers['content-type'] ?? '';
  if (type.includes('form')) return new URLSearchParams(first?.body).get(place);
  return place.split('.').reduce<unknown>((value, name) => Object(value)[name], readBody(first?.body ?? '', 'json'));
};

const at = { address: 'Collins Street 1', house_number: '1', city: 'Melbourne', zip: '3000', country: 'AU' };

it.each(
  (['acquirer', 'adyen', 'stripe'] as const).flatMap((provider) =>
    [
      ['AU', 'VI', 'VIC'],
      ['AU', 'VIC', 'VIC'],
      ['AU', 'WA', 'WA'],
      ['JP', 'TK', '13'],
      ['US', 'VI', 'VI'],
    ].map(([country = '', state = '', sent = '']) => ({ provider, country, state, sent })),
  ),
)('$provider is sent $state of $country as $sent, by ISO 3166-2', async ({ provider, country, state, sent }) => {
  const [pay, place] = providers[provider];
  const { asked } = await pay({ billing_address: { ...at, country, state } });
  expect(sentAt(asked, place)).toBe(sent);
});
