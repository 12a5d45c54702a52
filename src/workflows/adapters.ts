/* Adapters of one workflow alone, under its name. Each adds its own to these interfaces: see its `context.ts`. */

/** For a workflow's questions: available in each open home. */
// biome-ignore lint/suspicious/noEmptyInterface: workflows declare what is in it
export interface HomeAdapters {}

// biome-ignore lint/suspicious/noEmptyInterface: workflows declare what is in it
export interface Adapters {}

/** Returns the context with a workflow's own adapters beside it. Getters stay getters. */
export const withOwn = <C extends object, O extends object>(context: C, own: O): C & O =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(own) },
  ) as C & O
