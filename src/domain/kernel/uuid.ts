/** A UUID of RFC 9562 as text, of any version; not the nil and the max one. */
const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => shape.test(text)
