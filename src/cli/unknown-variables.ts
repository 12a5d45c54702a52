import { isServiceLink } from '../app/config/service-links.ts'
import { settings } from '../app/config/settings.ts'
import { variableOf } from '../domain/kernel/setting.ts'
import { closest } from './closest.ts'

/** Variables beside the settings: the command line or the tests read them. */
const others = [
  'FONDS_CONFIG',
  'FONDS_REQUIRE',
  'FONDS_KAFKA',
  'FONDS_KAFKA_VERSION',
  'FONDS_EVENTSTOREDB',
  'FONDS_NGINX',
]

/** A sentence for each unknown `FONDS_…` variable, which may be a typing error. */
export const unknownVariables = (env: NodeJS.ProcessEnv): readonly string[] => {
  const known = [...Object.keys(settings).map(variableOf), ...others]
  return Object.keys(env)
    .filter((name) => name.startsWith('FONDS_') && !known.includes(name) && !isServiceLink(name, env[name]))
    .map((name) => {
      const near = closest(name, known)
      return `${name} is no setting of Fonds and has no effect${near ? `: did you mean ${near}?` : ''}`
    })
}
