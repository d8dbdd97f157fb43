/** A key is an opaque, case-sensitive string; this is the form in which Railyard accepts new ones. */
export const METHOD_KEY = /^(?!__proto__$|constructor$|prototype$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Dots would be taken for paths. */
export const PARAMETER_NAME = /^(?!__proto__$|constructor$|prototype$)[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/;
