import { registerHooks } from 'node:module'

/*
 * An import of our own modules names the file, ending included. Node looks for its package, for links, and whether it is there, for
 * each: of a start that is a sixth. The file is opened in any case, and says then that it is missing. A module that is named (one of
 * npm, or a package of ours, to which node_modules has a link) is found by Node: once for all of Fonds' modules, and once for those of
 * each package, which may have a version of its own. Plain JavaScript: what is loaded before everything else has its types stripped
 * anew at each start.
 */
const ours = new URL('..', import.meta.url).href
const packages = `${ours}packages/`
const found = new Map()
/** By the ending of a source: in a checkout, and in an installed package (`infra/local/pack.ts`). */
const formats = { '.ts': 'module-typescript', '.js': 'module' }

/*
 * Node's own modules as commander uses them. An import of the real ones reads all that they export, which opens standard input and
 * loads 45 of Node's modules: of a start that is a twentieth.
 */
const forCommander = new Map([
  ['node:process', 'export default process'],
  [
    'node:child_process',
    "export default { spawn: (...of) => process.getBuiltinModule('node:child_process').spawn(...of) }",
  ],
  [
    'node:util',
    "export const stripVTControlCharacters = (text) => process.getBuiltinModule('node:util').stripVTControlCharacters(text)",
  ],
])

/** By what a name is looked up for a module of ours. */
const keyOf = (specifier, importer) =>
  importer.startsWith(packages)
    ? `${importer.slice(packages.length, importer.indexOf('/', packages.length))} ${specifier}`
    : specifier

registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '', conditions } = context
    const small = parentURL.includes('/node_modules/commander/') ? forCommander.get(specifier) : undefined
    if (small) return { url: `data:text/javascript,${small}`, format: 'module', shortCircuit: true }
    if (!parentURL.startsWith(ours) || parentURL.includes('/node_modules/', ours.length - 1))
      return next(specifier, context)
    if (specifier.startsWith('.')) {
      const format = formats[specifier.slice(-3)]
      return format === undefined
        ? next(specifier, context)
        : { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
    }
    if (!conditions.includes('import')) return next(specifier, context)
    const key = keyOf(specifier, parentURL)
    const known = found.get(key)
    if (known) return known
    const resolved = { ...next(specifier, context), shortCircuit: true }
    found.set(key, resolved)
    return resolved
  },
})
