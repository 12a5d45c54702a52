import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/* Preloaded by a process under test (`--import`): at its end it writes the address of each module that it loaded to the file that `LOADED_MODULES` names. */

const loaded = new Set<string>()

registerHooks({
  load: (url, context, next) => {
    loaded.add(url)
    return next(url, context)
  },
})

process.on('exit', () => {
  const { LOADED_MODULES: file } = process.env
  if (file !== undefined) writeFileSync(file, [...loaded].join('\n'))
})
