import { info } from '../app/documents/about.ts'
import { openApi } from '../app/documents/openapi.ts'
import type { Http } from '../app/http-server.ts'
import { closeWithin, createApi, listen, routesOf } from './create-api.ts'
import { documented } from './http/register.ts'

export const http: Http = {
  createServer: async (system, options) => {
    const app = await createApi(system, options)
    return {
      listen: () => listen(app, system.config),
      close: (graceMillis) => closeWithin(app, graceMillis),
    }
  },
  openApiOf: async (system) =>
    openApi(
      info,
      (await routesOf(system, { isWitness: true })).map(({ spec }) => documented(spec)),
    ),
}
