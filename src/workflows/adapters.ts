/* What a workflow alone uses of the world, under its name. Each adds its own to these interfaces: see its `context.ts`. */

/** For its questions: there in each open home. */
// biome-ignore lint/suspicious/noEmptyInterface: workflows declare what is in it
export interface HomeAdapters {}

// biome-ignore lint/suspicious/noEmptyInterface: workflows declare what is in it
export interface Adapters {}

/** The context, and beside it what a workflow alone uses. What is looked up at each use stays so. */
export const withOwn = <C extends object, O extends object>(context: C, own: O): C & O =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(own) },
  ) as C & O
