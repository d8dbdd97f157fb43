import { type AuthenticationName, THREE_D_SECURE_FIELDS } from '@railyard/core/payment';
import { CardHandle } from '@railyard/core/driver';
import { cannotRun, type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { asText, leavesOf } from '../leaves.ts';
import { runsOf } from '../runs.ts';
import type { Case } from '../subject.ts';
import type { SampleAuthentication } from '../types.ts';
import { walk } from '../walk.ts';

/** Two results of 3-D Secure that have no value in common (EMV 3-D Secure: the forms of the fields). */
const DONE: Readonly<Record<AuthenticationName, readonly [string, string]>> = {
  threeDSServerTransID: ['8a880dc0-d2d2-4067-bcb1-b08d1690b26e', '0b5a1f0e-6c0f-4d0b-9a54-2f0f1f6f7a11'],
  dsTransID: ['d65e93c3-35ab-41ba-b307-767bfc19eae3', '5f9c2d64-8a51-4c0e-8c3d-6a1b7e9d4f22'],
  acsTransID: ['a1b2c3d4-0000-4000-8000-000000000000', '7c3e5a90-1d24-4b8f-9e61-3f5a8d2c6b33'],
  xid: ['MDAwMDAwMDAwMDEyMzQ1Njc4OTA=', 'MDAwMDAwMDAwMDk4NzY1NDMyMTA='],
  transStatus: ['Y', 'A'],
  transStatusReason: ['17', '15'],
  eci: ['05', '06'],
  protocolVersion: ['2.2.0', '2.1.0'],
  authenticationFlow: ['Frictionless', 'Challenge'],
};
const CRYPTOGRAM = 'AAABBEg0VhI0VniQEjRWAAAAAAA=';

const doneOf = (names: readonly AuthenticationName[], other?: AuthenticationName): SampleAuthentication => ({
  ...Object.fromEntries(names.map((name) => [name, DONE[name][name === other ? 1 : 0]])),
  cryptogram: CRYPTOGRAM,
});

/** The requests of the operation of a sample whose payer was authenticated elsewhere. */
function requestsOf(own: Case, authentication: SampleAuthentication) {
  const [first] = runsOf(own, { ...own.deployment, authentication }, 'operation');
  return first === undefined ? [] : walk(first.run, first.options).requests.map(({ wire }) => wire);
}

/** A wallet's number of a device comes with a cryptogram and at most an ECI. */
const isDevice = ({ sample }: Case): boolean => sample.wallet?.panType === 'dpan';

function findingsOf(own: Case): readonly Finding[] {
  const { sends = [] } = own.flows.authentication ?? {};
  const names = isDevice(own) ? (['eci'] as const) : sends;
  const path = `sessions.${own.path}`;
  // A value that is not sent may still decide how the others are written: the flow of 3-D Secure does at Adyen.
  const all = isDevice(own) ? names : THREE_D_SECURE_FIELDS;
  const sent = requestsOf(own, doneOf(all));
  const hasCryptogram = leavesOf(sent).some(({ value }) => CardHandle.is(value) && value.part === 'cryptogram');
  const lost = names.filter((name) => asText(requestsOf(own, doneOf(all, name))) === asText(sent));
  return [...(hasCryptogram ? [] : ['cryptogram']), ...lost].map((name) => ({
    path,
    says: `payment.authentication.${name} stands in no request. Send it in the field that the provider has for it${name === 'cryptogram' ? '' : ', or take it out of authentication.sends'}.`,
  }));
}

export const authenticationChecks: readonly Check[] = [
  {
    id: 'authentication-reaches-the-provider',
    level: 'required',
    title: 'the connector sends each value of an external authentication that its flows declare',
    run({ connector, cases }) {
      const declared = connector.serves.some(({ flows }) => flows.authentication !== undefined);
      const paid = cases.filter(({ operation }) => operation === 'purchase' || operation === 'debit');
      const own = paid.filter(
        (each) =>
          isDevice(each) ||
          (each.flows.authentication !== undefined &&
            each.sample.card !== undefined &&
            // A provider may need more for a network that is named with it.
            each.sample.card.coBranded !== true &&
            each.sample.wallet === undefined),
      );
      if (own.length > 0) return own.flatMap(findingsOf);
      return declared
        ? cannotRun('No sample pays with a card, or with a wallet’s number of a device. Give one.')
        : notApplicable('No flow declares that it sends an authentication that was done elsewhere.');
    },
  },
];
