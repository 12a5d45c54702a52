/** Names of topics and groups: ours, and Kafka's with the prefix before them. */
export interface Names {
  full(name: string): string
  /** Undefined for a name that is not ours: without the prefix, or Kafka's own (`__…`). */
  bare(full: string): string | undefined
}

export const createNames = (prefix: string): Names => ({
  full: (name) => prefix + name,
  bare: (full) =>
    full.startsWith('__') || !full.startsWith(prefix) || full === prefix
      ? undefined
      : full.slice(prefix.length),
})
