/** The address lies where callbacks may not go. */
export class ForbiddenAddress extends Error {}
