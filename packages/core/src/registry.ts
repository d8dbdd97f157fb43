export type { Compile } from './compile.ts';
export { breach } from './method/breach.ts';
export { describeCondition, holds, isGiven } from './method/condition.ts';
export { type OperationSpecs, parameterNames } from './method/define-method.ts';
export {
  describeMethods,
  type MethodDescription,
  type OperationDescription,
  type ParameterDescription,
} from './method/describe.ts';
export { choicesOf, fieldInfo, type InputKind, type Option, type Source } from './method/field.ts';
export type { FieldState } from './method/inspect.ts';
export { jsonSchemaOf } from './method/json-schema.ts';
export { checkLimits, limitFor, mergeLimits } from './method/limits.ts';
export { type CompletionKind, COMPLETIONS, OPERATIONS } from './method/operation.ts';
export { type MidMethod, midValueIssues, profileOf } from './method/profile-of.ts';
export {
  limitRowSchema,
  type MethodProfile,
  type ParsedProfile,
  parseProfile,
  type Profile,
  profileSchema,
} from './method/profile.ts';
export { createRegistry, type Registry, type RegistryOptions } from './method/registry.ts';
export { requiredIssues } from './method/required-issues.ts';
export { resolveMethod, takesCard } from './method/resolve-method.ts';
export type { Resolution, Resolved } from './method/resolve.ts';
export { routesOf } from './method/routes-of.ts';
export { type RoutingRule, routingRuleSchema } from './method/routing-rules.ts';
export type { Route } from './method/routing.ts';
export type { Origin, Scope, Sources } from './method/scope.ts';
export { shapeWithin } from './method/shape-within.ts';
export { scopeOf, type ValidateOptions, type Validation } from './method/validate.ts';
export { english, inLanguage, type Translated } from './payer-text.ts';
export { currenciesAsOf } from './money/currencies.ts';
