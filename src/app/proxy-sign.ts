/** Headers that proxies and content networks add; programs that ask by themselves send none of them. */
const added =
  /^(forwarded|via|cdn-loop|(true|fastly|fly)-client-ip|x-(forwarded|original|real|client|cluster|envoy|azure)-.*|cf-.*)$/

/**
 * The header, of those with these names (lower case), that tells that a request came through a proxy. Absent in what the
 * simplest proxies pass on: their requests look as if this machine asked.
 */
export const proxySign = (names: readonly string[]): string | undefined =>
  names.find((name) => added.test(name))
