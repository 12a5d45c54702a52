/** A file in a container. Its bytes are to be read before the next one is asked for. */
export interface Entry {
  /** With `/`, as the container has it. */
  readonly path: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** The paths of GNU tar and others begin with `./`. */
export const withoutDot = (path: string): string => path.replace(/^(\.\/)+/, '')
