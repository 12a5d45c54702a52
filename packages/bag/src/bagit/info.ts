/* bag-info.txt, RFC 8493 §2.2.2. */

export const infoFile = 'bag-info.txt'

/** Parses bag-info.txt: values by label, in their order. A line that begins with white space continues the one above. */
export const parseBagInfo = (
  lines: readonly string[],
  report: (problem: string) => void,
): Map<string, readonly string[]> => {
  const info = new Map<string, string[]>()
  let label: string | undefined
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    const values = label === undefined ? undefined : info.get(label)
    const [, name, value = ''] = /^([^\s:][^:]*?)\s*:\s*(.*)$/.exec(line) ?? []
    if (/^[ \t]/.test(line) && values) values.push(`${values.pop()} ${line.trim()}`)
    else if (name === undefined) report(`line ${i + 1} of ${infoFile} wants "<label>: <value>"`)
    else {
      label = name
      info.set(name, [...(info.get(name) ?? []), value])
    }
  }
  return info
}

/** Says how the payload differs from Payload-Oxum; undefined if it does not, or if there is none. */
export const oxumProblem = (
  info: ReadonlyMap<string, readonly string[]>,
  payload: { readonly bytes: number; readonly files: number },
): string | undefined => {
  const [stated] = [...info].find(([label]) => label.toLowerCase() === 'payload-oxum')?.[1] ?? []
  const found = `${payload.bytes}.${payload.files}`
  return stated === undefined || stated.trim() === found
    ? undefined
    : `Payload-Oxum says ${stated}, the payload is ${found}`
}
