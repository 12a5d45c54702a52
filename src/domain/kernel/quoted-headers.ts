type Headers = Readonly<Record<string, string>>

/**
 * Returns headers without the quotes that Spring's header mapper puts around text: it writes objects such as a `URI`, and
 * with `encodeStrings` every text, as JSON. It names their Java types in a header of its own, which stands on no other
 * message. As Spring's own reader does, all that is a JSON string is taken for one.
 */
export const unquoteHeaders = (headers: Headers): Headers =>
  headers.spring_json_header_types === undefined
    ? headers
    : Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, unquote(text)]))

const unquote = (text: string): string => {
  if (!text.startsWith('"')) return text
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'string' ? json : text
  } catch {
    return text
  }
}
