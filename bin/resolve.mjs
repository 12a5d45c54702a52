import { registerHooks } from 'node:module'

/*
 * An import of our own modules names the file, ending included. Node looks for its package, for links, and whether it is there, for
 * each: of a start that is a sixth. The file is opened in any case, and says then that it is missing. All else is found by Node.
 * Plain JavaScript: what is loaded before everything else has its types stripped anew at each start.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL?.startsWith('file:')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
