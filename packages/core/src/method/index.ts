export { breach } from './breach.ts';
export { readPath } from '../plain-data.ts';
export { type Condition, describeCondition, holds, isGiven } from './condition.ts';
export {
  defineMethod,
  type Method,
  type OperationSpec,
  type OperationSpecs,
  parameterNames,
  type PlainOperation,
  type Rule,
  type RuleFacts,
  type RuleResult,
  type VariedOperation,
} from './define-method.ts';
export {
  describeMethods,
  type MethodDescription,
  type OperationDescription,
  type ParameterDescription,
} from './describe.ts';
export {
  choicesOf,
  field,
  type FieldInfo,
  fieldInfo,
  type InputKind,
  type Option,
  secret,
  type Source,
} from './field.ts';
export { type FieldState } from './inspect.ts';
export { checkLimits, limitFor, type LimitRow, limitsTable, type LimitsTable, mergeLimits } from './limits.ts';
export { type CompletionKind, COMPLETIONS, type Operation, OPERATIONS } from './operation.ts';
export {
  limitRowSchema,
  type MethodProfile,
  type ParsedProfile,
  parseProfile,
  type Profile,
  profileSchema,
} from './profile.ts';
export { type MidMethod, midValueIssues, profileOf } from './profile-of.ts';
export { requiredIssues } from './required-issues.ts';
export { jsonSchemaOf } from './json-schema.ts';
export { resolveMethod, takesCard } from './resolve-method.ts';
export { routesOf } from './routes-of.ts';
export { createRegistry, type Registry, type RegistryOptions } from './registry.ts';
export { type Resolution, type Resolved } from './resolve.ts';
export { type Route } from './routing.ts';
export { type RoutingRule, routingRuleSchema } from './routing-rules.ts';
export { type Origin, type Scope, type Sources } from './scope.ts';
export { scopeOf, type ValidateOptions, type Validation } from './validate.ts';
