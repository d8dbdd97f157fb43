export { checkAgainst, type GivenReply, type OfficialCheck, type SentRequest } from './check.ts';
export type { Correction } from './corrections.ts';
export type {
  BodyFacts,
  Facts,
  FactSchema,
  OperationFacts,
  ParameterFacts,
  ReplyFacts,
  SecurityFacts,
} from './facts.ts';
export { type Origin, reduceDescription } from './reduce.ts';
export { wordsIn } from './words.ts';
