/** Headers that proxies and content networks add. Clients themselves send none of them. */
const added =
  /^(forwarded|via|cdn-loop|(true|fastly|fly)-client-ip|x-(forwarded|original|real|client|cluster|envoy|azure)-.*|cf-.*)$/

/**
 * The header that shows that a request came through a proxy; `names` in lower case. The simplest proxies add none: their
 * requests look like this machine's own.
 */
export const proxySign = (names: readonly string[]): string | undefined =>
  names.find((name) => added.test(name))
