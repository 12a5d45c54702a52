/** A file in a container. Its bytes must be read before the next entry is requested. */
export interface Entry {
  /** With `/`, as in the container. */
  readonly path: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Paths of GNU tar and others begin with `./`. */
export const withoutDot = (path: string): string => path.replace(/^(\.\/)+/, '')
