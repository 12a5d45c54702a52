import { registerHooks } from 'node:module'

/*
 * An import of our own modules names the file, ending included. Node looks for its package, for links, and whether it is there, for
 * each: of a start that is a sixth. The file is opened in any case, and says then that it is missing. What is not ours is found by
 * Node, once for all of our modules. Plain JavaScript: what is loaded before everything else has its types stripped anew at each start.
 */
const ours = new URL('..', import.meta.url).href
const others = `${ours}node_modules/`
const found = new Map()

registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '', conditions } = context
    if (!parentURL.startsWith(ours) || parentURL.startsWith(others)) return next(specifier, context)
    if (specifier.startsWith('.'))
      return specifier.endsWith('.ts')
        ? { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context)
    if (!conditions.includes('import')) return next(specifier, context)
    const known = found.get(specifier)
    if (known) return known
    const resolved = { ...next(specifier, context), shortCircuit: true }
    found.set(specifier, resolved)
    return resolved
  },
})
