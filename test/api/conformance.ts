import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}
interface Content {
  readonly schema?: object
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Answer {
  readonly method: string
  /** With or without a query. */
  readonly url: string
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string
}

/** Does an answer keep what an OpenAPI document promises? A sentence where it does not. */
export const conformanceTo = (openApi: unknown): ((answer: Answer) => string | undefined) => {
  const document = openApi as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  // Once, and not with each schema, which goes on to its parts.
  ajv.addSchema({ ...document, $id: 'api' })
  const validators = new Map<Content, ValidateFunction>()
  const paths = Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({
      path,
      matches: new RegExp(
        `^${path
          .replace(/[.]/g, '\\.')
          .replace(/\{path\}$/, '.+')
          .replace(/\{\w+\}/g, '[^/]+')}$`,
      ),
    }))

  return ({ method, url, status, contentType = '', body }) => {
    const path = paths.find(({ path, matches }) => {
      const here = document.paths[path]?.[method.toLowerCase()]
      return here && matches.test(url.split('?')[0] as string)
    })?.path
    if (path === undefined) return `${method} ${url} is in no document`
    const said = `${method} ${path}: ${status}`
    const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
    if (!response) return `${said} is not promised (${body})`
    const type = contentType.split(';')[0] as string
    const content = response.content?.[type]
    if (response.content === undefined && body === '') return undefined
    if (!content) return `${said} has the type ${type}, which is not promised`
    if (!content.schema || !/[/+]json$/.test(type)) return undefined
    const place = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content', type, 'schema']
    const validate =
      validators.get(content) ?? ajv.compile({ $ref: `api#/${place.map(inPointer).join('/')}` })
    validators.set(content, validate)
    return validate(JSON.parse(body)) ? undefined : `${said}: ${ajv.errorsText(validate.errors)} in ${body}`
  }
}

const inPointer = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
