interface Headers {
  readonly headers: Readonly<Record<string, unknown>>
  readonly raw?: { readonly headers: readonly { readonly name: string; readonly value: unknown }[] }
}

/** Headers that are refused where they are empty, in any case. */
const refusedEmpty = /^(ce_.*|content-type|traceparent)$/i

/**
 * Upcasts schema 1 to 2. Schema 1 had empty text for a header of Kafka without a value. It is absent since, so that such a
 * letter can be retried. A header that was really empty is left out as well: schema 1 cannot tell them apart.
 */
export const withoutEmptyHeaders = (data: unknown): unknown => {
  const { headers, raw } = data as Partial<Headers>
  if (!headers) return data
  const some = Object.entries(headers).filter(([name, value]) => !isEmpty(name, value))
  return {
    ...(data as object),
    headers: Object.fromEntries(some),
    ...(raw && { raw: { ...raw, headers: raw.headers.filter(({ name, value }) => !isEmpty(name, value)) } }),
  }
}

const isEmpty = (name: string, value: unknown): boolean => value === '' && refusedEmpty.test(name)
