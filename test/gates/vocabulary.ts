import type { TextFile } from '../support/workspace.ts';

/** Code and guides speak the words of docs/glossary.md. A migration and a decision keep the words of their time. */
export const SPEAKS_THE_GLOSSARY =
  /^(packages\/(checkout|simulator|runtime|conformance|create-connector)\/src\/(?!storage\/migrations\/)|packages\/core\/src\/(payment|connector)\/|packages\/connector-[^/]+\/src\/|packages\/create-connector\/template\/|examples\/|docs\/(?!decisions\/))/;

/** Names that a term of the glossary took the place of. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['bringBack', 'resumeRun'],
  ['driveRun', 'executeRun'],
  ['conclude', 'completeRun'],
  ['ChainTokens', 'MandateTokens'],
  ['chainId', 'mandateId'],
  ['acting', 'modifying'],
  ['Happening', 'PaymentEvent'],
  ['HeldAction', 'HeldModification'],
  ['moneyAction', 'modification'],
  ['ActionName', 'ModificationName'],
  ['decideAction', 'decideModification'],
  ['roundsOf', 'pollersOf'],
  ['chores', 'cronJobs'],
  ['PaymentNews', 'UnsolicitedEvent'],
  ['serverNews', 'serverChangeBus'],
  ['earlyHints', 'unmatchedHints'],
  ['actionStatus', 'modificationStatus'],
  ['actionReference', 'modificationReference'],
  ['LookedUpAction', 'LookedUpModification'],
  ['readAnswer', 'readSignal'],
  ['turnOf', 'nextActionOf'],
  ['lookUp', 'syncPayment'],
  ['lookUpAction', 'syncModification'],
  ['askAbout', 'queryModification'],
  ['offersOf', 'methodConfigsOf'],
  ['PaymentPlace', 'MerchantAccount'],
  ['beginPayment', 'startPayment or insertPayment'],
  ['BegunPayment', 'StartedPayment'],
  ['createHouse', 'createSimulatorControl'],
  ['HAPPENINGS', 'postSettlementEvents'],
  ['HostAction', 'HostModification'],
  ['ActionRecord', 'ModificationRecord'],
]);

/** Ordinary words of a sentence that no value or type is named by: a provider reports. */
const DECLARED = /\b(?:const|let|function\*?|type|interface) ([Tt]old|Asked|untold)\b/g;

const WORD = /[A-Za-z]+/g;

/** One line per name that was replaced and came back. */
export function replacedNames({ path, text }: TextFile): string[] {
  return text.split('\n').flatMap((line, at) => [
    ...[...line.matchAll(WORD)].flatMap(([word]) => {
      const term = REPLACED.get(word);
      return term === undefined ? [] : [`${path}:${at + 1}: says "${word}"; say ${term}, as docs/glossary.md does`];
    }),
    ...[...line.matchAll(DECLARED)].map(
      ([, word]) => `${path}:${at + 1}: names a value or a type "${word}"; say what is reported, or by whom`,
    ),
  ]);
}
