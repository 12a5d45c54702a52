/** RFC 3491: a host's label as it is compared; undefined if it has what a name must not have. */
export const nameprep = (label: string): string | undefined => {
  const name = [...label].map(mapped).join('').normalize('NFKC')
  return prohibited.test(name) || isMixed(name) ? undefined : name
}

/** RFC 3454, table B.1. */
const dropped = /^(?:[\u00ad\u1806\u2060\ufeff\u200b-\u200d]|\u034f|[\u180b-\u180d]|[\ufe00-\ufe0f])$/u

/** RFC 3454, table B.2. */
const mapped = (character: string): string =>
  dropped.test(character) ? '' : folded(folded(character).normalize('NFKC')).normalize('NFKC')

const folded = (text: string): string => [...text].map(foldedCharacter).join('')

const foldedCharacter = (character: string): string =>
  character === 'ı' ? character : [...character.toUpperCase()].map((one) => one.toLowerCase()).join('')

/** RFC 3454, tables C.1.2 to C.9. */
const prohibited =
  /[\u0340\u0341\u0080-\u009f\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\u06dd\u070f\u180e\u200c-\u200f\u202a-\u202e\u2060-\u2063\u206a-\u206f\ufeff\ufff9-\ufffd\u2ff0-\u2ffb\p{Co}\p{Noncharacter_Code_Point}\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/u

/** RFC 3454 §6: right-to-left text must not be mixed with other text, and must be at both ends. */
const isMixed = (name: string): boolean =>
  rightToLeft.test(name) && (leftToRight.test(name) || !rightToLeftAtEnds.test(name))

/** RFC 3454, table D.1. */
const d1 = [
  String.raw`\u05be\u05c0\u05c3\u05d0-\u05ea\u05f0-\u05f4\u061b\u061f\u0621-\u063a\u0640-\u064a`,
  String.raw`\u066d-\u066f\u0671-\u06d5\u06dd\u06e5-\u06e6\u06fa-\u06fe\u0700-\u070d\u0710\u0712-\u072c`,
  String.raw`\u0780-\u07a5\u07b1\u200f\ufb1d\ufb1f-\ufb28\ufb2a-\ufb36\ufb38-\ufb3c\ufb3e\ufb40-\ufb41`,
  String.raw`\ufb43-\ufb44\ufb46-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfc\ufe70-\ufe74`,
  String.raw`\ufe76-\ufefc`,
].join('')
const rightToLeft = new RegExp(`[${d1}]`, 'u')
const rightToLeftAtEnds = new RegExp(`^[${d1}](?:.*[${d1}])?$`, 'su')
/** Equivalent to table D.2 for characters of hosts. */
const leftToRight = new RegExp(`(?![${d1}])[\\p{L}\\p{Mc}\\p{Nl}]`, 'u')
