/** The last part of an address. */
export const nameOf = (file: string): string => file.slice(file.replace(/\/$/, '').lastIndexOf('/') + 1)
