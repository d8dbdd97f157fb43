export {
  type Answer,
  duplicateAnswer,
  type ErrorBody,
  errorAnswer,
  refusedAnswer,
  type ValidationBody,
  validationAnswer,
} from './answers.ts';
export { type Issue, invalidValueCode, issue, notFoundCode, onePerPath } from './issue.ts';
export { TEXTS } from './texts.ts';
export { issuesOfZod } from './zod-issues.ts';
