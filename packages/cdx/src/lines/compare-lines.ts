/** The order of an index, byte for byte (W27); lines without their ends. */
export const compareLines = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b)
