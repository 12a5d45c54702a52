import { createRequire } from 'node:module'
import type { Logger, pino } from 'pino'
import type { Config } from './config/settings.ts'

const load = createRequire(import.meta.url)

/** Writes to standard error. */
export const logOf = ({ logLevel }: Config): Logger => {
  const create: typeof pino = load('pino')
  return create({ name: 'fonds', level: logLevel }, create.destination(2))
}

/** The same, made and loaded with the first line: most commands that read have nothing to log. */
export const logWhenUsed = (config: Config): Logger => {
  let log: Logger | undefined
  return new Proxy({} as Logger, {
    get: (_, name) => {
      log ??= logOf(config)
      const value: unknown = Reflect.get(log, name)
      return typeof value === 'function' ? value.bind(log) : value
    },
  })
}
