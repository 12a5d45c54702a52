const two = (n: number): string => String(n).padStart(2, '0')

/** A place in a recording, as `1:02:03.4`; nanoseconds. */
export const clock = (nanos: number): string => {
  const tenths = Math.floor(nanos / 1e8)
  const seconds = Math.floor(tenths / 10)
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${tenths % 10}`
}

/** Seconds of a recording in which a finding is heard: from a little before it on. */
export const secondsBefore = (nanos: number): number => Math.max(0, nanos / 1e9 - 2)
